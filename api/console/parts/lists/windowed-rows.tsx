import { Fragment, type ReactNode, type RefObject, useEffect } from 'react';
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
  const { first, end, above, below, inView } = useRowWindow(
    body,
    rows.map(({ id }) => id),
  );
  useEffect(() => onView(inView), [onView, inView]);
  return (
    <>
      <Space height={above} columns={columns} />
      {rows.slice(first, end).map((one) => (
        <Fragment key={one.id}>{row(one)}</Fragment>
      ))}
      <Space height={below} columns={columns} />
    </>
  );
}

const Space = ({ height, columns }: { height: number; columns: number }) =>
  height < 1 ? null : (
    <tr data-space>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
