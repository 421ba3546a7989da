import { Group, Paper, Text, Title } from '@mantine/core';
import type { Health } from '../../http/types.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useTimeZone } from '../../settings/time-zone.ts';
import { wholeNumber } from '../../text/quantities.ts';
import { shortTime } from '../../text/times.ts';
import { Chart } from './chart.tsx';
import { sumOf } from './minutes.ts';
import styles from './throughput.module.css';

const SERIES = ['accepted', 'stored', 'failed'] as const;

/** Events in the last hour, per minute, and the number of events that are not stored yet. */
export const Throughput = ({ minutes, pending }: { minutes: Health['minutes']; pending: number }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="throughput">
    <Group justify="space-between" gap="sm" mb="xs">
      <Title order={2} size="h4" id="throughput">
        Events in the last hour
      </Title>
      <Text size="sm">
        <b>{wholeNumber(pending)}</b> waiting to be stored
      </Text>
    </Group>
    <ul className={styles.legend}>
      {SERIES.map((name) => (
        <li key={name} data-series={name}>
          <b>{wholeNumber(sumOf(minutes, name))}</b> {name}
        </li>
      ))}
    </ul>
    <Chart minutes={minutes} />
    <MinuteTable minutes={minutes} />
  </Paper>
);

/** The chart's data as a table, without idle minutes, newest first. */
function MinuteTable({ minutes }: Pick<Health, 'minutes'>) {
  const zone = useTimeZone();
  const busy = minutes.filter(({ accepted, stored, failed }) => accepted + stored + failed > 0).reverse();
  return (
    <details className={styles.table}>
      <summary>Show as a table</summary>
      {busy.length === 0 ? (
        <p>No events in the last hour.</p>
      ) : (
        <DataTable
          label="Events per minute"
          head={['Minute', 'Accepted', 'Stored', 'Failed', 'Alerts created']}
        >
          {busy.map(({ minute, accepted, stored, failed, alerts }) => (
            <Table.Tr key={minute}>
              <Table.Td>{shortTime(minute, zone)}</Table.Td>
              {[accepted, stored, failed, alerts].map((count, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                <Table.Td key={column} className={styles.count}>
                  {wholeNumber(count)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </details>
  );
}
