import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { inTransaction } from '../../../db/client/transaction.js';
import type { NewItem } from '../../../db/events/new-event.js';
import { markForRefold } from '../../../db/series/refold-marks.js';
import { seriesId } from '../../../db/series/series.js';
import { expireOneSeries } from '../../../workers/events/series/expire-one-series.js';
import { refoldMarked } from '../../../workers/events/series/refold-series.js';
import { comparableOf } from '../../../workers/mapping/index.js';
import { expireSeriesPage } from '../../../workers/upkeep/expire-series.js';
import { foldAll, storedAlerts } from '../../support/series/model.js';
import {
  type ItemSpec,
  itemsEvent,
  itemsOf,
  WEBHOOK,
  writeEvents,
} from '../../support/series/write-items.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
beforeEach(async () => {
  for (const table of ['events', 'alerts', 'series', 'series_items', 'series_alerts'])
    await own.database(table).delete();
});
afterAll(() => own.drop());

const START = Date.UTC(2026, 0, 1);
const DISK = { id: seriesId(WEBHOOK, 'disk'), webhookId: WEBHOOK, dedupKey: 'disk' };

/** Stores items of one key, 250 in an event, a millisecond apart. */
async function store(count: number, status: (index: number) => ItemSpec['status']): Promise<NewItem[]> {
  const items: NewItem[] = [];
  for (let start = 0; start < count; start += 250) {
    const specs = Array.from({ length: Math.min(250, count - start) }, (_, index) => ({
      dedupKey: 'disk',
      status: status(start + index),
    }));
    const event = itemsEvent(uuidv7(), START + start, specs);
    await writeEvents(own.database, [event]);
    items.push(...itemsOf(event));
  }
  return items;
}

const rows = async (table: string): Promise<number> =>
  Number((await own.database(table).count({ count: '*' }).first())?.count);

/** Folds the series again from its start. */
async function refold(): Promise<void> {
  await inTransaction(own.database, (transaction) =>
    markForRefold(transaction, { keys: [DISK], gone: [], from: START }),
  );
  await refoldMarked(own.database, { isDue: () => true, run: (query) => query() });
}

/** Expires items in steps. Returns how many rows the largest one deleted. */
async function largestStep(before: number): Promise<number> {
  let [largest, isDone] = [0, false];
  while (!isDone) {
    const count = await rows('series_items');
    isDone = await inTransaction(own.database, (transaction) =>
      expireOneSeries(transaction, DISK.id, before, 500),
    );
    largest = Math.max(largest, count - (await rows('series_items')));
  }
  return largest;
}

test('a long alert that goes on is expired in several transactions, and counts all of its events', async () => {
  const items = await store(2_500, () => 'firing');
  expect(await largestStep(START + 2_000)).toBeLessThanOrEqual(600);
  expect(await rows('series_items')).toBeLessThan(520);
  await refold();
  expect(await storedAlerts(own.database)).toEqual(foldAll(items));
});

const [ONE, TWO, THREE] = [comparableOf('1'), comparableOf('2'), comparableOf('3')];
const TIME = comparableOf('2026-01-01T00:00:00Z');
const MIXED: [string, Omit<ItemSpec, 'dedupKey'>[]][] = [
  [
    'an end before',
    [
      { status: 'firing', occurrence: ONE },
      { status: 'firing', occurrence: THREE },
      { status: 'resolved', occurrence: TWO },
      { status: 'firing', occurrence: TIME },
    ],
  ],
  [
    'a reopened occurrence',
    [
      { status: 'firing', occurrence: THREE },
      { status: 'resolved', occurrence: THREE },
      { status: 'reopened' },
      { status: 'firing', occurrence: THREE },
      { status: 'firing', occurrence: TIME },
    ],
  ],
];

test.each(MIXED)(
  'an alert whose occurrences do not compare stays the same when its items expire: %s',
  async (_, specs) => {
    const last = { status: 'firing', occurrence: null } as const;
    for (const [index, spec] of [...specs, last].entries())
      await writeEvents(own.database, [
        itemsEvent(uuidv7(), START + index, [{ occurrence: null, ...spec, dedupKey: 'disk' }]),
      ]);
    const alert = async () => (await storedAlerts(own.database)).at(-1);
    const before = await alert();
    expect(await largestStep(START + specs.length)).toBeLessThanOrEqual(2);
    await refold();
    expect(await alert()).toEqual({ ...before, previousAlertId: null });
  },
);

test('a late message about an occurrence that ended opens no alert, even once the end has expired', async () => {
  const specs: Omit<ItemSpec, 'dedupKey'>[] = [
    { status: 'firing', occurrence: TWO },
    { status: 'resolved', occurrence: TWO },
    { status: 'firing', occurrence: ONE },
  ];
  for (const [index, spec] of specs.entries())
    await writeEvents(own.database, [itemsEvent(uuidv7(), START + index, [{ ...spec, dedupKey: 'disk' }])]);
  expect(await rows('alerts')).toBe(1);
  await largestStep(START + 2);
  await refold();
  expect([await rows('series_items'), await rows('alerts')]).toEqual([1, 0]);
});

test('a long series that has expired is deleted in several transactions, with its row', async () => {
  await store(2_500, (index) => (index % 2 === 0 ? 'firing' : 'resolved'));
  expect(await largestStep(START + 9_000)).toBeLessThanOrEqual(600);
  for (const table of ['series', 'series_items', 'series_alerts', 'alerts'])
    expect(await rows(table)).toBe(0);
});

test('upkeep deletes a long series whose last alert is firing', async () => {
  await store(2_501, (index) => (index % 2 === 0 ? 'firing' : 'resolved'));
  const { series } = await expireSeriesPage(own.database, new Date(START + 9_000), null, 1_000);
  expect(series).toBe(1);
  for (const table of ['series', 'series_items', 'series_alerts', 'alerts'])
    expect(await rows(table)).toBe(0);
});
