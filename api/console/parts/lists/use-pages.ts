import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { type QueryValue, requestJson } from '../../http/request.ts';
import type { Page } from '../../http/types.ts';
import { isReading } from './held-rows.ts';
import { firstPages, mergeNewest, only, type Pages, placeOf, replacePage } from './live-pages.ts';

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

/** An update that takes longer has failed. */
const TIMEOUT_S = 10;
/** Rows that a list keeps while the user is at its top. Without a limit, a list that stays open would grow for ever. */
const MAX_ROWS = 1_000;

/** The newest page, if it does not adjoin the loaded ones because too many rows came at once. */
interface Update<Row> {
  apart: Page<Row> | null;
}

const NO_UPDATE = { apart: null };

/**
 * Loads a list page by page and keeps it up to date. Each update loads the newest page and the page in view, however many are
 * loaded: the others are updated when they come into view.
 * @param everyMs how often to update while the window is visible
 */
export function useLivePages<Row extends { id: string }>(
  path: string,
  query: Record<string, QueryValue>,
  everyMs: number,
) {
  const pages = usePages<Row>(path, query, { keepsLast: true, isLive: true });
  const cache = useQueryClient();
  const indexInView = useRef(0);
  const key = [path, query];
  const change = (next: (loaded: Pages<Row>) => Pages<Row>) =>
    cache.setQueryData<Pages<Row>>(key, (loaded) => loaded && next(loaded));
  const load = (cursor: string | null, signal: AbortSignal) =>
    requestJson<Page<Row>>(path, { query: { ...query, cursor }, signal, timeoutS: TIMEOUT_S });

  const update = async ({ signal }: { signal: AbortSignal }): Promise<Update<Row>> => {
    const before = cache.getQueryData<Pages<Row>>(key);
    const cursor = before?.pageParams[placeOf(before, indexInView.current)] ?? null;
    const [newest, inView] = await Promise.all([load(null, signal), cursor && load(cursor, signal)]);
    let isApart = false;
    change((loaded) => {
      const place = inView ? loaded.pageParams.indexOf(cursor) : -1;
      const current = inView && place > 0 ? replacePage(loaded, place, inView) : loaded;
      const merged = mergeNewest(current, newest);
      isApart = merged === null && isReading();
      if (isReading()) return merged ?? current;
      return merged ? firstPages(merged, MAX_ROWS) : only(newest);
    });
    return { apart: isApart ? newest : null };
  };

  const isLoaded = pages.data !== undefined && !pages.isPlaceholderData;
  const updates = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: update,
    enabled: isLoaded,
    ...(isLoaded ? { initialData: NO_UPDATE, initialDataUpdatedAt: pages.dataUpdatedAt } : {}),
    refetchInterval: everyMs,
  });
  const apart = updates.data?.apart ?? null;
  // Until the rows of a changed query are loaded, those of the previous one are shown.
  const updatedAt = useRef(0);
  if (isLoaded) updatedAt.current = Math.max(pages.dataUpdatedAt, updates.dataUpdatedAt);
  const noteView = useCallback((index: number) => {
    indexInView.current = index;
  }, []);
  return {
    ...pages,
    error: pages.error ?? updates.error,
    /** When the rows that are shown were last updated, in milliseconds since 1970. */
    updatedAt: updatedAt.current,
    everyMs,
    retry: () => (pages.data ? updates.refetch() : pages.refetch()),
    /** Whether there are newer rows than can be shown above the loaded ones. `restart` shows them alone. */
    isApart: apart !== null,
    restart: () => void (apart && change(() => only(apart))),
    /** Notes which row is in view, so that an update includes its page. */
    noteView,
  };
}

export type LivePages<Row extends { id: string }> = ReturnType<typeof useLivePages<Row>>;
