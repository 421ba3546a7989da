/** A numbered page reads all rows before it, so the API offers page numbers only for the first rows. */
const MAX_NUMBERED_ROWS = 100_000;

/** The position of a page: its number from 1, and a cursor if it is beyond the numbered pages. */
export interface PagePlace {
  page: number;
  cursor: string | null;
}

export const lastNumberedPage = (pageSize: number): number => Math.floor(MAX_NUMBERED_ROWS / pageSize);

/** Returns the next page; null if this page is the last. */
export function nextPlace(page: number, pageSize: number, nextCursor: string | null): PagePlace | null {
  if (nextCursor === null) return null;
  return { page: page + 1, cursor: page < lastNumberedPage(pageSize) ? null : nextCursor };
}

/**
 * Returns the previous page; null on the first. Cursors only lead forward, so a page beyond the numbered ones is reachable
 * only if its cursor is in `seen`. Otherwise this returns the last numbered page.
 */
export function previousPlace(
  page: number,
  pageSize: number,
  seen: ReadonlyMap<number, string>,
): PagePlace | null {
  if (page <= 1) return null;
  const last = lastNumberedPage(pageSize);
  if (page - 1 <= last) return { page: page - 1, cursor: null };
  const cursor = seen.get(page - 1);
  return cursor === undefined ? { page: last, cursor: null } : { page: page - 1, cursor };
}

/** Returns the number of pages; at least one. */
export const pageCount = (total: number, pageSize: number): number =>
  Math.max(1, Math.ceil(total / pageSize));
