import { Table } from '@mantine/core';
import { type ReactNode, type RefObject, useRef } from 'react';
import styles from '../parts.module.css';
import { useFixedColumns } from './use-fixed-columns.ts';

interface DataTableProps {
  /** The accessible name of the table. */
  label: string;
  head: ReactNode[];
  /** The index of the column by which the rows are sorted, if the user can choose it. */
  sorted?: { column: number; order: 'ascending' | 'descending' };
  /** The body, if only some of its rows are in the page. */
  body?: RefObject<HTMLTableSectionElement | null>;
  /** How many rows there are in all, if only some are in the page. */
  rowCount?: number;
  children: ReactNode;
}

const orderOf = (place: number, sorted: DataTableProps['sorted']) =>
  sorted && (sorted.column === place ? sorted.order : 'none');

/** A table that scrolls horizontally if it is wider than the page. */
export function DataTable({ label, head, sorted, body, rowCount, children }: DataTableProps) {
  const headRow = useRef<HTMLTableRowElement>(null);
  const columns = useFixedColumns(headRow, rowCount ?? 0);
  return (
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <Table
        className={styles.table}
        verticalSpacing="xs"
        highlightOnHover
        style={columns && { tableLayout: 'fixed', minWidth: columns.tableWidth }}
        aria-rowcount={columns ? (rowCount ?? 0) + 1 : undefined}
      >
        <Table.Thead>
          <Table.Tr ref={headRow}>
            {head.map((cell, place) => (
              <Table.Th
                // biome-ignore lint/suspicious/noArrayIndexKey: the order of the columns never changes
                key={place}
                scope="col"
                aria-sort={orderOf(place, sorted)}
                style={columns && { width: columns.widths[place] }}
              >
                {cell}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>{children}</Table.Tbody>
      </Table>
    </section>
  );
}
