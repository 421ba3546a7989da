import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from '../parts.module.css';

interface DataTableProps {
  /** The accessible name of the table. */
  label: string;
  head: ReactNode[];
  /** The index of the column by which the rows are sorted, if the user can choose it. */
  sorted?: { column: number; order: 'ascending' | 'descending' };
  children: ReactNode;
}

const orderOf = (place: number, sorted: DataTableProps['sorted']) =>
  sorted && (sorted.column === place ? sorted.order : 'none');

/** A table that scrolls horizontally if it is wider than the page. */
export const DataTable = ({ label, head, sorted, children }: DataTableProps) => (
  <section className={styles.scroll} tabIndex={0} aria-label={label}>
    <Table className={styles.table} verticalSpacing="xs" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {head.map((cell, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of the columns never changes
            <Table.Th key={place} scope="col" aria-sort={orderOf(place, sorted)}>
              {cell}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </section>
);
