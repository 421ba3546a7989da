import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { wholeNumber } from '../../text/quantities.ts';
import { Failure } from '../feedback/failure.tsx';
import { Loading } from '../feedback/loading.tsx';
import { DataTable } from './data-table.tsx';
import { useHeldRows } from './held-rows.ts';
import styles from './live-list.module.css';
import { More } from './more.tsx';
import { StaleNotice } from './stale-notice.tsx';
import type { LivePages } from './use-pages.ts';
import { useRowWindow } from './use-row-window.ts';

interface LiveListProps<Row extends { id: string }> {
  pages: LivePages<Row>;
  /** A plural noun such as "alerts". */
  what: string;
  head: ReactNode[];
  /** See `DataTable`. */
  sorted?: { column: number; order: 'ascending' | 'descending' };
  row: (row: Row) => ReactNode;
  empty: ReactNode;
}

/** A list, by default newest first, that updates itself while it is open. */
export function LiveList<Row extends { id: string }>({
  pages,
  what,
  head,
  sorted,
  row,
  empty,
}: LiveListProps<Row>) {
  const { shown, waiting, show } = useHeldRows(pages.rows);
  const body = useRef<HTMLTableSectionElement>(null);
  if (pages.isPending) return <Loading shape="table" />;
  if (!pages.data)
    return <Failure error={pages.error} title={`Could not load the ${what}`} retry={pages.retry} />;
  const showNewest = () => {
    pages.restart();
    show();
  };
  return (
    <>
      <div className={styles.over}>
        <StaleNotice {...pages} what={what} />
        {(waiting > 0 || pages.isApart) && (
          <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} />} onClick={showNewest}>
            {pages.isApart ? 'Many new' : `${wholeNumber(waiting)} new`}
          </Button>
        )}
      </div>
      {pages.rows.length === 0 ? (
        empty
      ) : (
        <DataTable
          label={what}
          head={head}
          {...(sorted ? { sorted } : {})}
          body={body}
          rowCount={shown.length}
        >
          <WindowedRows
            body={body}
            rows={shown}
            row={row}
            columns={head.length}
            onView={(index) => pages.noteView(index + waiting)}
          />
        </DataTable>
      )}
      <More {...pages} />
    </>
  );
}

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
function WindowedRows<Row extends { id: string }>(props: WindowedRowsProps<Row>) {
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
