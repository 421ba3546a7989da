/** A numbered page reads all the rows before it, so the API has numbers for the first rows only. */
const MAX_NUMBERED_ROWS = 100_000;

/** Where a page is: its number from 1, and for those behind the numbered ones the cursor too. */
export interface PagePlace {
  page: number;
  cursor: string | null;
}

export const lastNumberedPage = (pageSize: number): number => Math.floor(MAX_NUMBERED_ROWS / pageSize);

/** The page behind this one, if the answer said that there is one. */
export function nextPlace(page: number, pageSize: number, nextCursor: string | null): PagePlace | null {
  if (nextCursor === null) return null;
  return { page: page + 1, cursor: page < lastNumberedPage(pageSize) ? null : nextCursor };
}

/**
 * The page before this one. A page behind a cursor cannot be had by its number, and no cursor leads back: it must have
 * been seen. Otherwise the way back goes to the last page with a number.
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

/** How many pages so many rows make; at least one. */
export const pageCount = (total: number, pageSize: number): number =>
  Math.max(1, Math.ceil(total / pageSize));
