import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type QueryValue, requestJson } from './request.ts';
import type { Page } from './types.ts';

interface Options {
  /** How often to reload while the window is visible, in milliseconds. With n pages loaded it reloads n times less often. */
  refetchInterval?: number;
  /** Whether `useLivePages` keeps the pages up to date. Then no page is loaded again by itself. */
  isLive?: boolean;
  /** Whether to show the rows of the previous query until those of the current one are loaded. */
  keepsLast?: boolean;
}

/** Loads a list page by page with a cursor. `rows` are the rows of all loaded pages. `More` is what a page has besides rows. */
export function usePages<Row, More extends object = object>(
  path: string,
  query: Record<string, QueryValue>,
  { keepsLast, isLive = false, refetchInterval }: Options = {},
) {
  const pages = useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      requestJson<Page<Row> & More>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.nextCursor,
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: ({ state }) => refetchInterval && refetchInterval * (state.data?.pages.length ?? 1),
    ...(isLive ? { refetchOnMount: false, refetchOnWindowFocus: false } : {}),
  });
  return { ...pages, rows: rowsOf(pages.data) };
}

const rowsOf = <Row>(data: InfiniteData<Page<Row>> | undefined): Row[] =>
  data?.pages.flatMap((page) => page.data) ?? [];
