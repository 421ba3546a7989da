import {
  type CSSProperties,
  isValidElement,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './data-table.module.css';
import { Table } from './table.tsx';
import { SHORT } from './use-row-window.ts';

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

/** Returns the text of a head cell: its own, or that of its only element. */
const textOf = (cell: ReactNode): string =>
  isValidElement<{ children?: ReactNode }>(cell) ? textOf(cell.props.children) : String(cell ?? '');

/** A table that scrolls horizontally if it is wider than the page. On a phone its rows are cards, labeled with the head. */
export function DataTable({ label, head, sorted, body, rowCount, children }: DataTableProps) {
  const headRow = useRef<HTMLTableRowElement>(null);
  const columns = useFixedColumns(headRow, rowCount ?? 0);
  const labels = head.map((cell, place) => [`--label-${place + 1}`, JSON.stringify(textOf(cell))]);
  const style = { ...Object.fromEntries(labels), '--fixed-width': `${columns?.tableWidth ?? 0}px` };
  return (
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <Table
        className={styles.table}
        data-fixed={columns ? true : undefined}
        style={style as CSSProperties}
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

interface Columns {
  /** The least width of the table, in pixels. */
  tableWidth: number;
  /** Shares of the table's width, in percent. */
  widths: string[];
}

/** Keeps the columns of a long list as wide as they are now. Otherwise they would change with the rows in view. */
function useFixedColumns(head: RefObject<HTMLTableRowElement | null>, rowCount: number) {
  const isLong = rowCount > SHORT;
  const [columns, setColumns] = useState<Columns>();
  useLayoutEffect(() => {
    if (!isLong || !head.current) return setColumns(undefined);
    const cells = [...head.current.cells].map((cell) => cell.getBoundingClientRect().width);
    const tableWidth = cells.reduce((sum, width) => sum + width, 0);
    setColumns({ tableWidth, widths: cells.map((width) => `${(100 * width) / tableWidth}%`) });
  }, [head, isLong]);
  return columns;
}
