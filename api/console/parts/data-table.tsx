import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './parts.module.css';

interface DataTableProps {
  /** What the rows are, for those who do not see the table. */
  label: string;
  head: ReactNode[];
  children: ReactNode;
}

/** A table that scrolls sideways by itself where it is wider than the page. */
export const DataTable = ({ label, head, children }: DataTableProps) => (
  <section className={styles.scroll} tabIndex={0} aria-label={label}>
    <Table className={styles.table} verticalSpacing="xs" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {head.map((cell, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
            <Table.Th key={place} scope="col">
              {cell}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </section>
);
