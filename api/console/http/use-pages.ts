import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type QueryValue, requestJson } from './request.ts';
import type { Page } from './types.ts';

interface Options {
  /** Read again this often, in milliseconds, while the window is seen; of many pages that much less often. */
  refetchInterval?: number;
  /** Show the rows of the query before until those of the present one are there. */
  keepsLast?: boolean;
}

/** A list behind a cursor, page by page: `rows` are those of all the pages that were read. */
export function usePages<Row>(
  path: string,
  query: Record<string, QueryValue>,
  { keepsLast, refetchInterval }: Options = {},
) {
  const pages = useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      requestJson<Page<Row>>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.nextCursor,
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: ({ state }) => refetchInterval && refetchInterval * (state.data?.pages.length ?? 1),
  });
  return { ...pages, rows: rowsOf(pages.data) };
}

const rowsOf = <Row>(data: InfiniteData<Page<Row>> | undefined): Row[] =>
  data?.pages.flatMap((page) => page.data) ?? [];
