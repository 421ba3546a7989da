import { useEffect } from 'react';
import type { QueryValue } from '../../http/request.ts';
import { usePages } from '../../http/use-pages.ts';
import { type Neighbors, neighborsOf } from './neighbors.ts';

/**
 * Returns the entries before and after an entry in a list that was loaded before, or else in its first page. Loads the next page when
 * the entry is the last one.
 */
export function useNeighbors(path: string, query: Record<string, QueryValue>, id: string): Neighbors {
  const { rows, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = usePages<{ id: string }>(
    path,
    query,
    { isLive: true },
  );
  const isLast = rows.at(-1)?.id === id;
  const isNeeded = isLast && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (isNeeded) void fetchNextPage();
  }, [isNeeded, fetchNextPage]);
  return neighborsOf(rows, id);
}
