import { Anchor, Group, List, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { describeCounts } from '../job-counts.ts';
import { useMayChange } from '../use-job-action.ts';
import { type RevertState, revertState } from './revert-state.ts';
import { RevertSteps } from './revert-steps.tsx';
import { useReverts } from './use-revert.ts';

const IMPOSSIBLE: Partial<Record<RevertState, string>> = {
  running: 'Available once the job has ended.',
  expired:
    'No longer possible: the changes have expired. A job can be reverted for 7 days after it has ended.',
  unrecorded: 'Not possible: the changes of this job were not recorded. A worker runs with IMPORT_CHANGES=0.',
};

/** Takes back what a job has changed, after a dry run. Renders nothing if the job has changed nothing. */
export function RevertSection({ job }: { job: Job }) {
  const mayRevert = useMayChange(job.type);
  const state = revertState(job, Date.now());
  if (state === 'none') return null;
  const impossible = mayRevert ? IMPOSSIBLE[state] : NO_SCOPE;
  return (
    <Section
      wide
      title="Revert"
      about="Makes each account that this job has changed as it was before, unless a later upload has asserted the account since."
    >
      <Stack gap="md">
        {job.finishedAt && <Reverts id={job.id} />}
        {impossible ? <Text size="sm">{impossible}</Text> : <RevertSteps id={job.id} />}
      </Stack>
    </Section>
  );
}

const NO_SCOPE =
  'This key cannot revert jobs. Sign in with a key that has the developer_records:write scope, or ask an administrator for one.';

/** The reverts of a job, newest first. Renders nothing if there are none. */
function Reverts({ id }: { id: string }) {
  const { data: reverts, error, refetch } = useReverts(id, true);
  if (error) return <Failure error={error} title="Could not load the reverts of this job" retry={refetch} />;
  if (!reverts || reverts.length === 0) return null;
  return (
    <List size="sm" listStyleType="none" aria-label="Reverts of this job">
      {reverts.map((revert) => (
        <List.Item key={revert.id}>
          <Group gap="xs">
            <Anchor component={Link} href={`/jobs/${revert.id}`} size="sm">
              Reverted <Ago at={revert.createdAt} />
            </Anchor>
            <StateBadge state={revert.state} />
            {describeCounts(revert)}
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
