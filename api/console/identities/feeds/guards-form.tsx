import { Button, Checkbox, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { Feed, One } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { counted } from '../../text/quantities.ts';
import styles from './feeds.module.css';
import { FEEDS_PATH } from './use-feeds.ts';

type Guards = Feed['guards'];
type Numeric = Exclude<keyof Guards, 'sameColumns' | 'sameEnd'>;

/** The guards with a number. A share is shown in percent. */
const NUMBERS: readonly [guard: Numeric, label: string, isShare: boolean][] = [
  ['minRows', 'Fewest rows', false],
  ['maxRows', 'Most rows', false],
  ['maxRowsChange', 'Rows may change by (%)', true],
  ['maxRemovals', 'Most removals', false],
  ['maxRemovalShare', 'Removals of all accounts (%)', true],
  ['maxOwnerChanges', 'Most changed owners', false],
  ['maxOwnerChangeShare', 'Changed owners of all (%)', true],
  ['maxAgeHours', 'Age of the file (hours)', false],
];

interface Tried {
  summary: { runs: number; held: number };
}

/** The guards of a feed. They can be tried over the last runs before they are saved. */
export function GuardsForm({ feed, isReadOnly }: { feed: Feed; isReadOnly: boolean }) {
  const [guards, setGuards] = useState(feed.guards);
  const cache = useQueryClient();
  const set = (change: Partial<Guards>) => setGuards((present) => ({ ...present, ...change }));
  const trying = useMutation({
    mutationFn: () =>
      requestJson<Tried>(`${FEEDS_PATH}/${feed.id}/guards/try`, { method: 'POST', json: guards }),
  });
  const saving = useMutation({
    mutationFn: () =>
      requestJson<One<Feed>>(`${FEEDS_PATH}/${feed.id}`, {
        method: 'PATCH',
        json: { guards },
        headers: { 'if-match': `"${feed.revision}"` },
      }),
    onSuccess: () => {
      announce('Saved the guards');
      return cache.invalidateQueries({ queryKey: [FEEDS_PATH] });
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const tried = trying.data?.summary;
  return (
    <Section
      title="Guards"
      about="If one of them is not kept, a run writes nothing, and its plan waits for somebody who applies it. Leave a field empty for no limit."
      wide
    >
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <div className={styles.guards}>
            {NUMBERS.map(([guard, label, isShare]) => (
              <NumberInput
                key={guard}
                label={label}
                min={0}
                max={isShare ? 100 : undefined}
                allowNegative={false}
                readOnly={isReadOnly}
                value={shown(guards[guard], isShare)}
                onChange={(value) => set({ [guard]: stored(value, guard, isShare) })}
              />
            ))}
          </div>
          <Checkbox
            label="The file has the columns of the last one, in the same order"
            disabled={isReadOnly}
            checked={guards.sameColumns}
            onChange={({ currentTarget }) => set({ sameColumns: currentTarget.checked })}
          />
          <Checkbox
            label="The last line ends like that of the last file"
            disabled={isReadOnly}
            checked={guards.sameEnd}
            onChange={({ currentTarget }) => set({ sameEnd: currentTarget.checked })}
          />
          <Group gap="sm">
            <Button variant="default" loading={trying.isPending} onClick={() => trying.mutate()}>
              Try over the last runs
            </Button>
            {!isReadOnly && (
              <Button type="submit" loading={saving.isPending}>
                Save guards
              </Button>
            )}
            <Text size="sm" role="status">
              {tried && `${tried.held} of ${counted(tried.runs, 'run')} would have been held.`}
            </Text>
          </Group>
          {trying.error && <Failure error={trying.error} title="Could not try the guards" />}
          {saving.error && <Failure error={saving.error} title="Could not save the guards" />}
        </Stack>
      </form>
    </Section>
  );
}

const shown = (value: number | null, isShare: boolean): number | string => {
  if (value === null) return '';
  return isShare ? Math.round(value * 1_000) / 10 : value;
};

function stored(value: number | string, guard: Numeric, isShare: boolean): number | null {
  if (value === '') return guard === 'minRows' ? 0 : null;
  return isShare ? Number(value) / 100 : Number(value);
}
