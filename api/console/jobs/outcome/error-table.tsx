import { Text } from '@mantine/core';
import type { ErrorDetail } from '../../http/request-failure.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Message } from '../../parts/values/message.tsx';
import { counted, wholeNumber } from '../../text/quantities.ts';
import styles from './outcome.module.css';

interface ErrorTableProps {
  errors: readonly ErrorDetail[];
  /** The number of all errors, including those not in the list. */
  count: number;
}

/** The errors of a file: line, field and reason. */
export function ErrorTable({ errors, count }: ErrorTableProps) {
  if (errors.length === 0) return null;
  const place = errors.some(({ index }) => index !== undefined) ? 'Record' : 'Line';
  const more = count - errors.length;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {more > 0 ? `First ${errors.length} of ${counted(count, 'error')}` : counted(count, 'error')}
      </Text>
      <div className={styles.errors}>
        <DataTable label="Errors" head={[place, 'Field', 'Error']}>
          {errors.map((error) => (
            <Table.Tr key={JSON.stringify(error)}>
              <Table.Td>{placeOf(error)}</Table.Td>
              <Table.Td>{error.field ?? 'Entire row'}</Table.Td>
              <Table.Td>
                <Message text={error.message} />
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      </div>
    </div>
  );
}

/** Returns the line, or the number of the record, counted from 1. */
function placeOf({ line, index }: ErrorDetail): string {
  if (line !== undefined) return wholeNumber(line);
  return index === undefined ? '' : wholeNumber(index + 1);
}
