import { Anchor } from '@mantine/core';
import type { AlertHistogram } from '../../http/types.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import { wholeNumber } from '../../text/quantities.ts';
import styles from './alert-chart.module.css';

interface TableProps {
  histogram: AlertHistogram;
  select: (one: number, other: number) => void;
}

/** The chart's data as a table, without empty buckets, newest first. Its times narrow the list like the bars. */
export function BucketTable({ histogram: { buckets, severities }, select }: TableProps) {
  const fullTime = useFullTime();
  return (
    <details className={styles.table}>
      <summary>Show as a table</summary>
      <DataTable
        label="Alerts of each bar"
        head={['From', 'Alerts', ...severities.map(({ severity }) => severity ?? 'No severity')]}
      >
        {buckets
          .map((bucket, place) => ({ ...bucket, place }))
          .filter(({ alerts }) => alerts > 0)
          .reverse()
          .map(({ from, alerts, counts, place }) => (
            <Table.Tr key={from}>
              <Table.Td>
                <Anchor component="button" type="button" size="sm" onClick={() => select(place, place)}>
                  {fullTime(from)}
                </Anchor>
              </Table.Td>
              {[alerts, ...counts].map((count, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                <Table.Td key={column}>{wholeNumber(count)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
      </DataTable>
    </details>
  );
}
