import { memo, type ReactNode, type RefObject, useEffect, useMemo } from 'react';
import { useRowWindow } from './use-row-window.ts';

interface WindowedRowsProps<Row> {
  /** The body of the table. */
  body: RefObject<HTMLTableSectionElement | null>;
  rows: readonly Row[];
  row: (row: Row) => ReactNode;
  columns: number;
  /** Called with the index of the first row in view. */
  onView: (index: number) => void;
}

/** The rows of a table that are in view, and empty rows in the place of the others. */
export function WindowedRows<Row extends { id: string }>(props: WindowedRowsProps<Row>) {
  const { body, rows, row, columns, onView } = props;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { first, end, above, below, inView } = useRowWindow(body, ids);
  useEffect(() => onView(inView), [onView, inView]);
  return (
    <>
      <Space height={above} columns={columns} />
      {rows.slice(first, end).map((one) => (
        <Row key={one.id} one={one} row={row as RowProps['row']} />
      ))}
      <Space height={below} columns={columns} />
    </>
  );
}

interface RowProps {
  one: unknown;
  row: (one: unknown) => ReactNode;
}

/** One row. It renders when its data changes, not when others come into view: a frame that scrolls renders the new rows only. */
const Row = memo(({ one, row }: RowProps) => row(one));

const Space = ({ height, columns }: { height: number; columns: number }) =>
  height < 1 ? null : (
    <tr data-space>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
