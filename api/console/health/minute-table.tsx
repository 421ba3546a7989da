import { Table } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { DataTable } from '../parts/lists/data-table.tsx';
import { wholeNumber } from '../text/quantities.ts';
import styles from './health.module.css';

/** The same as the chart in figures: the minutes in which anything happened, the latest first. */
export function MinuteTable({ minutes }: Pick<Health, 'minutes'>) {
  const busy = minutes.filter(({ accepted, stored, failed }) => accepted + stored + failed > 0).reverse();
  return (
    <details className={styles.figures}>
      <summary>The same in figures</summary>
      {busy.length === 0 ? (
        <p>No event came in the last hour.</p>
      ) : (
        <DataTable
          label="Events by the minute"
          head={['Minute', 'Accepted', 'Stored', 'Failed', 'Alerts made']}
        >
          {busy.map(({ minute, accepted, stored, failed, alerts }) => (
            <Table.Tr key={minute}>
              <Table.Td>
                {new Date(minute).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
              </Table.Td>
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
