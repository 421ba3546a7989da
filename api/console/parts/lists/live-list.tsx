import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { wholeNumber } from '../../text/quantities.ts';
import { Failure } from '../feedback/failure.tsx';
import { Loading } from '../feedback/loading.tsx';
import { DataTable } from './data-table.tsx';
import styles from './live-list.module.css';
import { More } from './more.tsx';
import { useHeldRows } from './use-held-rows.ts';

interface LiveListProps<Row> {
  /** The result of `usePages`. */
  pages: {
    rows: Row[];
    isPending: boolean;
    error: unknown;
    data: unknown;
    refetch: () => unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  /** A plural noun such as "alerts". */
  what: string;
  head: ReactNode[];
  row: (row: Row) => ReactNode;
  empty: ReactNode;
}

/** A list, newest first, that updates itself while it is open. */
export function LiveList<Row extends { id: string }>({ pages, what, head, row, empty }: LiveListProps<Row>) {
  const { shown, waiting, show } = useHeldRows(pages.rows);
  if (pages.isPending) return <Loading />;
  const failure = pages.error ? (
    <Failure error={pages.error} title={`Could not load the ${what}`} retry={pages.refetch} />
  ) : null;
  if (!pages.data) return failure;
  if (pages.rows.length === 0) return failure ?? empty;
  return (
    <>
      {failure}
      {waiting > 0 && (
        <div className={styles.waiting}>
          <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} />} onClick={show}>
            {wholeNumber(waiting)} new
          </Button>
        </div>
      )}
      <DataTable label={what} head={head}>
        {shown.map(row)}
      </DataTable>
      <More {...pages} />
    </>
  );
}
