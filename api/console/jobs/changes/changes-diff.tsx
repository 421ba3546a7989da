import { Chip, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Job } from '../../http/types.ts';
import { useFullTime } from '../../settings/time-zone.ts';
import { wholeNumber } from '../../text/quantities.ts';
import { isRemoval } from '../job-counts.ts';
import { ChangesPages } from './changes-pages.tsx';
import { DownloadChanges } from './download-changes.tsx';
import { changesState, listOutcomes, type OutcomeChoice } from './outcomes.ts';

/**
 * What a finished import, removal, mirror or revert has changed, or what its dry run would change: a page of accounts with their
 * owner before and after, filtered by outcome, and the complete file. Renders nothing for jobs of other types.
 */
export function ChangesDiff({ job }: { job: Job }) {
  const state = changesState(job, Date.now());
  if (state === 'none') return null;
  const title = titleOf(job);
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={2} size="sm">
        {title}
      </Title>
      {state === 'ready' ? (
        <Changes job={job} />
      ) : (
        <Text size="sm" c="dimmed">
          {MISSING[state]}
        </Text>
      )}
    </Stack>
  );
}

const MISSING = {
  empty: 'No account changes its owner.',
  expired: 'The list of changes has expired. It is kept for 7 days.',
  unrecorded: 'The changes were not recorded: a worker runs with IMPORT_CHANGES=0.',
};

function Changes({ job }: { job: Job }) {
  const choices = listOutcomes(job);
  const fullTime = useFullTime();
  const [chosen, setChosen] = useState<string | null>(null);
  const choice = choices.find(({ name }) => name === chosen) ?? choices[0];
  if (!choice) return null;
  return (
    <>
      <Group justify="space-between" gap="sm">
        <OutcomeChips choices={choices} chosen={choice} onChange={setChosen} />
        <DownloadChanges choice={choice} />
      </Group>
      <ChangesPages
        key={choice.name}
        label={job.dryRun ? 'Planned changes' : 'Changes'}
        choice={choice}
        attempts={job.attempts}
      />
      <Text size="xs" c="dimmed">
        {job.type === 'identity-import' && 'Accounts whose owner stays are left out. '}
        {job.expiresAt && `The list is kept until ${fullTime(job.expiresAt)}.`}
      </Text>
    </>
  );
}

interface OutcomeChipsProps {
  choices: readonly OutcomeChoice[];
  chosen: OutcomeChoice;
  onChange: (name: string) => void;
}

const OutcomeChips = ({ choices, chosen, onChange }: OutcomeChipsProps) => (
  <Chip.Group value={chosen.name} onChange={onChange}>
    <Group gap="xs" role="radiogroup" aria-label="Outcome">
      {choices.map(({ name, count }) => (
        <Chip key={name} value={name} size="sm" variant="outline">
          {name}
          {count !== null && ` ${wholeNumber(count)}`}
        </Chip>
      ))}
    </Group>
  </Chip.Group>
);

function titleOf({ type, dryRun, state, counts }: Job): string {
  if (type === 'identity-revert')
    return dryRun ? 'What the revert would restore' : 'What the revert restored';
  if (type === 'identity-apply')
    return dryRun ? 'What applying the plan would change' : 'What applying the plan changed';
  const what = isRemoval(counts) ? 'removal' : 'upload';
  if (dryRun) return `What the ${what} would change`;
  return state.startsWith('completed')
    ? `What the ${what} changed`
    : `What the ${what} changed before it ended`;
}
