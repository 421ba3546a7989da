import { Table, Text } from '@mantine/core';
import type { ErrorDetail } from '../../http/request-failure.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { counted, wholeNumber } from '../../text/quantities.ts';
import styles from './outcome.module.css';

interface ErrorTableProps {
  faults: readonly ErrorDetail[];
  /** How many there are in all. */
  count: number;
}

/** What is not right: where, in which field, and why. */
export function ErrorTable({ faults, count }: ErrorTableProps) {
  if (faults.length === 0) return null;
  const place = faults.some(({ index }) => index !== undefined) ? 'Record' : 'Line';
  const more = count - faults.length;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {more > 0 ? `The first ${faults.length} of ${counted(count, 'fault')}` : counted(count, 'fault')}
      </Text>
      <div className={styles.errors}>
        <DataTable label="Faults" head={[place, 'Field', 'Reason']}>
          {faults.map((fault) => (
            <Table.Tr key={JSON.stringify(fault)}>
              <Table.Td>{placeOf(fault)}</Table.Td>
              <Table.Td>{fault.field ?? 'whole row'}</Table.Td>
              <Table.Td>{fault.message}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      </div>
    </div>
  );
}

/** Records are counted from 1, as people do. */
function placeOf({ line, index }: ErrorDetail): string {
  if (line !== undefined) return wholeNumber(line);
  return index === undefined ? '' : wholeNumber(index + 1);
}
