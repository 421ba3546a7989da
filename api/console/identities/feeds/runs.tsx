import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { FeedRun } from '../../http/types.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { Badge } from '../../parts/values/badge.tsx';
import { counted, wholeNumber } from '../../text/quantities.ts';
import styles from './feeds.module.css';
import { RunsChart } from './runs-chart.tsx';
import { RUN_STATES } from './use-feeds.ts';

/** Rows of the table. The chart has more. */
const SHOWN = 20;
const TONES = {
  running: 'info',
  applied: 'good',
  unchanged: 'plain',
  held: 'warn',
  planned: 'plain',
  failed: 'bad',
  canceled: 'plain',
} as const;

/** The runs of a feed as a chart and as a table, the newest first. */
export function Runs({ runs }: { runs: readonly FeedRun[] }) {
  const charted = runs.filter(({ state }) => state !== 'unchanged' && state !== 'running').reverse();
  return (
    <Section title="Runs" about="What each run changed, or would have changed." wide>
      {runs.length === 0 ? (
        <Text size="sm">It has not run yet. Start with “Plan only”, and look at the plan.</Text>
      ) : (
        <Stack gap="md">
          {charted.length > 0 && <RunsChart runs={charted} />}
          <DataTable
            label="Runs of the feed"
            head={['Started', 'State', 'Rows', 'Added', 'Owner changed', 'Removed', 'Why', 'Plan']}
          >
            {runs.slice(0, SHOWN).map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </DataTable>
        </Stack>
      )}
    </Section>
  );
}

function RunRow({ run }: { run: FeedRun }) {
  const { facts, state, tripped, error, planId, applyId } = run;
  const isApproved = state === 'held' && applyId !== null;
  const leftOut = facts && facts.rejected > 0 ? [`${counted(facts.rejected, 'invalid row')} left out`] : [];
  const why = error?.message ?? [...tripped.map(({ message }) => message), ...leftOut].join('; ');
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} href={`/jobs/${run.id}`} inherit>
          <Ago at={run.startedAt} />
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Badge tone={isApproved ? 'good' : TONES[state]}>
          {isApproved ? 'held, then applied' : RUN_STATES[state]}
        </Badge>
      </Table.Td>
      {[facts?.rows, facts?.created, facts?.updated, facts?.removed].map((count, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the columns never changes
        <Table.Td key={column}>{count === undefined ? '–' : wholeNumber(count)}</Table.Td>
      ))}
      <Table.Td className={styles.why}>{why || '–'}</Table.Td>
      <Table.Td>
        {planId ? (
          <Anchor component={Link} href={`/jobs/${planId}`} inherit>
            {state === 'held' && !isApproved ? 'Review and apply' : 'View plan'}
          </Anchor>
        ) : (
          '–'
        )}
      </Table.Td>
    </Table.Tr>
  );
}
