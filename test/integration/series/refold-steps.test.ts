import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { fromUuidBinary, toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { inTransaction } from '../../../db/client/transaction.js';
import type { NewItem } from '../../../db/events/new-event.js';
import { markForRefold } from '../../../db/series/refold-marks.js';
import type { SeriesKey } from '../../../db/series/series.js';
import { seriesId } from '../../../db/series/series.js';
import { refoldMarked, refoldSeries } from '../../../workers/events/series/refold-series.js';
import { cases, enoughTime } from '../../support/effort.js';
import { itemSpec } from '../../support/series/item-spec.js';
import { foldAll, seriesTables, storedAlerts } from '../../support/series/model.js';
import { itemsEvent, itemsOf, WEBHOOK, writeEvents } from '../../support/series/write-items.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
beforeEach(() => empty());
afterAll(() => own.drop());

const START = Date.UTC(2026, 0, 1);

async function empty(): Promise<void> {
  for (const table of ['events', 'alerts', 'series', 'series_items', 'series_alerts'])
    await own.database(table).delete();
}

const keyOf = (dedupKey: string): SeriesKey => ({
  id: seriesId(WEBHOOK, dedupKey),
  webhookId: WEBHOOK,
  dedupKey,
});

/** Moves items to another key, or deletes them if that is null, and marks the series, as a remap does. */
async function move(items: readonly NewItem[], dedupKey: string | null): Promise<void> {
  const to = dedupKey === null ? null : keyOf(dedupKey);
  await own.database.transaction(async (transaction) => {
    const stored = transaction('series_items').whereIn(
      'id',
      items.map(({ id }) => toUuidBinary(id)),
    );
    await (to ? stored.update({ series_id: toUuidBinary(to.id) }) : stored.delete());
    const keys = items.map((item) => keyOf(item.dedupKey));
    const from = Math.min(...items.map(({ receivedAt }) => receivedAt));
    await markForRefold(transaction, {
      keys: to ? [...keys, to] : keys,
      gone: items.map(({ id }) => id),
      from,
    });
  });
}

const step = (key: SeriesKey, limit: number): Promise<boolean> =>
  inTransaction(own.database, (transaction) => refoldSeries(transaction, key, limit));

const markedSeries = async (): Promise<SeriesKey[]> =>
  (await own.database('series').whereNotNull('refold_from').orderBy('refold_from')).map((row) =>
    keyOf(row.dedup_key),
  );

async function expectAlerts(items: readonly NewItem[]): Promise<void> {
  expect(await storedAlerts(own.database)).toEqual(foldAll(items));
  const tables = await seriesTables(own.database);
  expect(tables.starts).toEqual(tables.alerts);
  expect(tables.latest).toEqual(tables.newest);
  const ids = (await own.database('series').pluck('id')).map(fromUuidBinary);
  expect(new Set(ids)).toEqual(new Set(items.map((item) => item.seriesId)));
}

/** All items of a series move in steps of one item, which surely is not done in one. */
const steps: History = {
  events: Array.from({ length: 8 }, (_, at) => ({ at, specs: [{ dedupKey: 'disk', status: 'firing' }] })),
  late: 0,
  moves: [{ every: 1, first: 0, to: 'cpu', after: 2 }],
  limit: 1,
};

const event = fc.record({
  at: fc.nat(40),
  specs: fc.array(itemSpec, { minLength: 1, maxLength: 3 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;
const history = fc.record({
  events: fc.array(event, { minLength: 1, maxLength: 25 }),
  /** How many of the events are stored while series are folded again, one after each step. */
  late: fc.nat(8),
  moves: fc.array(
    fc.record({
      every: fc.integer({ min: 1, max: 4 }),
      first: fc.nat(20),
      to: fc.constantFrom('disk', 'cpu', 'net', null),
      /** Steps before this change. */
      after: fc.nat(4),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  limit: fc.integer({ min: 1, max: 8 }),
});

test(
  'folding in short steps gives what one fold gives, also if items come and move between the steps',
  async () => {
    let partial = 0;
    await fc.assert(
      fc.asyncProperty(history, async ({ events, late, moves, limit }) => {
        await empty();
        const all = events.map(({ at, specs }) => itemsEvent(uuidv7(), START + at, specs));
        const waiting = all.splice(0, late);
        let items = all.flatMap(itemsOf);
        for (const one of all) await writeEvents(own.database, [one]);
        for (const { every, first, to, after } of moves) {
          const moved = items.filter((_, index) => index >= first && index % every === 0);
          if (moved.length > 0) await move(moved, to);
          const others = items.filter((item) => !moved.includes(item));
          const key = to === null ? null : keyOf(to);
          items = key ? items.map((item) => (moved.includes(item) ? renamed(item, key) : item)) : others;
          for (let count = 0; count < after; count++) {
            const [key] = await markedSeries();
            if (key && !(await step(key, limit))) partial += 1;
            const one = waiting.pop();
            if (!one) continue;
            await writeEvents(own.database, [one]);
            items.push(...itemsOf(one));
          }
        }
        await refoldMarked(own.database, { isDue: () => true, run: (query) => query(), limit });
        expect(await markedSeries()).toEqual([]);
        await expectAlerts(items);
      }),
      { numRuns: cases(10), examples: [[steps]] },
    );
    expect(partial).toBeGreaterThan(0);
  },
  enoughTime(120_000),
);

const renamed = (item: NewItem, { id, dedupKey }: SeriesKey): NewItem => ({
  ...item,
  seriesId: id,
  dedupKey,
});

/** Stores items of one key, 500 in an event, and returns them. */
async function storeItems(count: number, status: (index: number) => 'firing' | 'resolved') {
  const items: NewItem[] = [];
  for (let start = 0; start < count; start += 500) {
    const specs = Array.from({ length: Math.min(500, count - start) }, (_, index) => ({
      dedupKey: 'disk',
      status: status(index),
    }));
    const one = itemsEvent(uuidv7(), START + start, specs);
    await writeEvents(own.database, [one]);
    items.push(...itemsOf(one));
  }
  return items;
}

/** Folds until the end, and returns how many alerts are left after each step. */
async function alertsAfterSteps(limit: number): Promise<number[]> {
  const counts: number[] = [];
  for (let isDone = false; !isDone; ) {
    isDone = await step(keyOf('disk'), limit);
    counts.push((await storedAlerts(own.database)).length);
  }
  return counts;
}

test('the alerts of a key that no event has any more are deleted in several transactions', async () => {
  const items = await storeItems(6_000, (index) => (index % 2 === 0 ? 'firing' : 'resolved'));
  await move(items, null);
  const counts = await alertsAfterSteps(1_000);
  expect(counts).toEqual([2_000, 1_000, 0, 0]);
  await expectAlerts([]);
});

test('a long alert is folded in several transactions, each of which goes on where the last one ended', async () => {
  const items = await storeItems(3_000, () => 'firing');
  await own.database.transaction((transaction) =>
    markForRefold(transaction, { keys: [keyOf('disk')], gone: [], from: START }),
  );
  const counts = await alertsAfterSteps(1_000);
  expect(counts.length).toBeGreaterThan(2);
  await expectAlerts(items);
});
