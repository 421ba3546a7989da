import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  firstPages,
  mergeNewest,
  type Pages,
  placeOf,
  replacePage,
} from '../../../api/console/parts/lists/live-pages.js';

const SIZE = 4;

interface Row {
  id: string;
}

/** A list of numbers, newest first, as the API pages it: a cursor is the number that the page before ends with. */
function pageOf(numbers: readonly number[], cursor: string | null) {
  const older = numbers.filter((number) => cursor === null || number < Number(cursor));
  const data = older.slice(0, SIZE).map((number) => ({ id: String(number) }));
  const nextCursor = older.length > SIZE ? (data.at(-1)?.id ?? null) : null;
  return { status: 'success' as const, data, page: { pageSize: SIZE, nextCursor } };
}

/** Loads the first pages of a list. */
function load(numbers: readonly number[], count: number): Pages<Row> {
  const loaded: Pages<Row> = { pages: [], pageParams: [] };
  let cursor: string | null = null;
  for (let at = 0; at < count; at += 1) {
    const page = pageOf(numbers, cursor);
    loaded.pages.push(page);
    loaded.pageParams.push(cursor);
    cursor = page.page.nextCursor;
    if (cursor === null) break;
  }
  return loaded;
}

const idsOf = (pages: Pages<Row> | null) =>
  pages?.pages.flatMap(({ data }) => data.map(({ id }) => Number(id)));
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at);

describe('the newest page', () => {
  test('comes in front of the loaded ones, each row once', () => {
    const merged = mergeNewest(load(down(20, 1), 3), pageOf(down(22, 1), null));
    expect(idsOf(merged)).toEqual(down(22, 9));
  });

  test('replaces all rows if it is the whole list', () => {
    expect(idsOf(mergeNewest(load(down(20, 1), 3), pageOf([21, 20], null)))).toEqual([21, 20]);
    expect(idsOf(mergeNewest(load(down(20, 1), 3), pageOf([], null)))).toEqual([]);
  });

  test('is not merged if there may be rows in between', () => {
    expect(mergeNewest(load(down(20, 1), 3), pageOf(down(40, 1), null))).toBeNull();
  });
});

test('after any number of updates, each page can be loaded again with its cursor, and no row is lost', () => {
  const property = fc.property(
    fc.array(fc.tuple(fc.integer({ min: 0, max: SIZE - 1 }), fc.nat(60)), { maxLength: 20 }),
    (steps) => {
      let newest = 30;
      let pages = load(down(newest, 1), 4);
      const oldest = Number(idsOf(pages)?.at(-1));
      for (const [added, seen] of steps) {
        newest += added;
        const all = down(newest, 1);
        pages = mergeNewest(pages, pageOf(all, null)) as Pages<Row>;
        expect(idsOf(pages)).toEqual(down(newest, oldest));
        const place = placeOf(pages, seen % (newest - oldest));
        pages = replacePage(pages, place, pageOf(all, pages.pageParams[place] ?? null));
        expect(idsOf(pages)?.slice(0, newest - oldest + 1)).toEqual(down(newest, oldest));
        expect(pages.pages.length).toBeLessThan((newest - oldest) / 2 + 4);
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('a page that is loaded again loses rows that are gone', () => {
  const pages = load(down(20, 1), 3);
  const without = down(20, 1).filter((number) => number !== 14);
  const again = replacePage(pages, 1, pageOf(without, pages.pageParams[1] ?? null));
  expect(idsOf(again)).toEqual([20, 19, 18, 17, 16, 15, 13, 12, 11, 10, 9]);
});

test('a page that lost all its rows does not make the one above it repeat those below', () => {
  let pages = load(down(20, 1), 4);
  const without = down(20, 1).filter((number) => number !== 14 && (number > 12 || number <= 8));
  for (const place of [2, 1])
    pages = replacePage(pages, place, pageOf(without, pages.pageParams[place] ?? null));
  expect(idsOf(pages)).toEqual([...down(20, 15), 13, ...down(8, 5)]);
});

test('a list is cut to whole pages, and the rest can be loaded again', () => {
  const pages = firstPages(load(down(20, 1), 4), 6);
  expect(idsOf(pages)).toEqual(down(20, 13));
  expect(pages.pages.at(-1)?.page.nextCursor).toBe('13');
  expect(firstPages(pages, 100)).toBe(pages);
});
