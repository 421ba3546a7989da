import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from '../../http/types.ts';

/** The loaded pages of a list, newest first, each with the cursor that it was loaded with. */
export type Pages<Row> = InfiniteData<Page<Row>, string | null>;

interface Identified {
  id: string;
}

/**
 * Returns the loaded pages with the newest page in front, each row once. Older pages stay as they are, so an update of a long list
 * costs as much as one of a short list. Returns null if there may be rows between the newest page and the loaded ones.
 */
export function mergeNewest<Row extends Identified>(
  loaded: Pages<Row>,
  newest: Page<Row>,
): Pages<Row> | null {
  const fresh = new Set(newest.data.map(({ id }) => id));
  const known = new Map(
    loaded.pages.flatMap((page, place) => page.data.map(({ id }, index) => [id, { place, index }])),
  );
  const last = newest.data.map(({ id }) => known.get(id)).findLast((one) => one !== undefined);
  const cursor = newest.page.nextCursor;
  if (cursor === null || known.size === 0) return only(newest);
  if (!last) return null;
  const older = loaded.pages.slice(last.place).map((page, at) => ({
    ...page,
    data: page.data.slice(at === 0 ? last.index + 1 : 0).filter(({ id }) => !fresh.has(id)),
  }));
  const cursors = loaded.pageParams.slice(last.place);
  const [first, second] = older as [Page<Row>, Page<Row> | undefined];
  // What is left of the page is loaded with the cursor of the newest one from now on, together with the next page if it fits.
  const joined =
    second && first.data.length + second.data.length <= newest.data.length
      ? { ...second, data: [...first.data, ...second.data] }
      : null;
  if (!second && first.data.length === 0) return only(newest);
  const rest = joined ? [joined, ...older.slice(2)] : older;
  const restCursors = [cursor, ...cursors.slice(joined ? 2 : 1)];
  return { pages: [newest, ...rest], pageParams: [null, ...restCursors] };
}

/** Returns the newest page alone. */
export const only = <Row>(newest: Page<Row>): Pages<Row> => ({ pages: [newest], pageParams: [null] });

/** Returns the pages with one of them loaded again, without the rows of the page below it. A page that lost all its rows is dropped. */
export function replacePage<Row extends Identified>(
  loaded: Pages<Row>,
  place: number,
  page: Page<Row>,
): Pages<Row> {
  const before = loaded.pages[place];
  const below = loaded.pages[place + 1]?.data[0];
  if (!before) return loaded;
  const end = below ? page.data.findIndex(({ id }) => id === below.id) : page.data.length;
  const own = new Set(before.data.map(({ id }) => id));
  const data = end === -1 ? page.data.filter(({ id }) => own.has(id)) : page.data.slice(0, end);
  // An empty page in between would hide where the next one begins.
  if (below && data.length === 0) return withoutPage(loaded, place);
  const again = { ...page, data, page: below ? before.page : page.page };
  return { ...loaded, pages: loaded.pages.map((one, at) => (at === place ? again : one)) };
}

const withoutPage = <Row>({ pages, pageParams }: Pages<Row>, place: number): Pages<Row> => ({
  pages: pages.filter((_, at) => at !== place),
  pageParams: pageParams.filter((_, at) => at !== place),
});

/** Returns at most the first `maxRows` rows, in whole pages. */
export function firstPages<Row>(loaded: Pages<Row>, maxRows: number): Pages<Row> {
  let rows = 0;
  const kept = loaded.pages.findIndex((page) => {
    rows += page.data.length;
    return rows >= maxRows;
  });
  if (kept === -1 || kept === loaded.pages.length - 1) return loaded;
  return { pages: loaded.pages.slice(0, kept + 1), pageParams: loaded.pageParams.slice(0, kept + 1) };
}

/** Returns the place of the page that has the row at this index. */
export function placeOf(loaded: Pages<unknown>, index: number): number {
  let end = 0;
  return Math.max(
    0,
    loaded.pages.findIndex((page) => {
      end += page.data.length;
      return index < end;
    }),
  );
}
