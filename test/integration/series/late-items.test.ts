import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { refoldMarked } from '../../../workers/events/series/refold-series.js';
import { comparableOf } from '../../../workers/mapping/index.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import { foldAll, storedAlerts } from '../../support/series/model.js';
import { type ItemSpec, itemsEvent, itemsOf, writeEvents } from '../../support/series/write-items.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { theRow } from '../../support/the-row.js';

const POISON = 'poison';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database.raw(`CREATE TRIGGER poison BEFORE INSERT ON series_items FOR EACH ROW
    BEGIN IF NEW.title = '${POISON}' THEN SIGNAL SQLSTATE '22001'; END IF; END`);
});
beforeEach(async () => {
  for (const table of ['events', 'alerts', 'series', 'series_items', 'series_alerts'])
    await own.database(table).delete();
});
afterAll(() => own.drop());

const START = Date.UTC(2026, 0, 1);
const event = (second: number, status: ItemSpec['status'], more: Partial<ItemSpec> = {}): IntakeEvent =>
  itemsEvent(uuidv7(), START + second * 1_000, [{ dedupKey: 'disk', status, ...more }]);

/** Writes events one after the other, and returns start, end and number of events of each alert. */
async function alertsAfter(...events: IntakeEvent[]): Promise<string[]> {
  for (const one of events) await writeEvents(own.database, [one]);
  const stored = await storedAlerts(own.database);
  expect(stored).toEqual(foldAll(events.flatMap(itemsOf)));
  const seconds = (time: number | null) => (time === null ? 'open' : (time - START) / 1_000);
  return stored
    .sort((one, other) => one.receivedAt - other.receivedAt)
    .map((alert) => `${seconds(alert.receivedAt)}-${seconds(alert.resolvedAt)}: ${alert.eventCount}`);
}

test('events of one key are one alert until it is resolved', async () => {
  const events = [event(1, 'firing'), event(2, 'firing'), event(3, 'resolved'), event(4, 'firing')];
  expect(await alertsAfter(...events)).toEqual(['1-3: 3', '4-open: 1']);
});

test('a resolve without a firing alert makes no alert', async () => {
  expect(await alertsAfter(event(1, 'resolved'), event(2, 'resolved'))).toEqual([]);
});

test('a late resolve splits an alert', async () => {
  const events = [event(1, 'firing'), event(5, 'firing'), event(9, 'firing'), event(4, 'resolved')];
  expect(await alertsAfter(...events)).toEqual(['1-4: 2', '5-open: 2']);
});

test('a late event before the first one starts the alert and gives it its id', async () => {
  expect(await alertsAfter(event(5, 'firing'), event(2, 'firing'))).toEqual(['2-open: 2']);
});

test('a late event between two alerts starts the second one', async () => {
  const events = [event(1, 'firing'), event(2, 'resolved'), event(9, 'firing'), event(5, 'firing')];
  expect(await alertsAfter(...events)).toEqual(['1-2: 2', '5-open: 2']);
});

test('a late event gives an earlier resolve something to resolve', async () => {
  expect(await alertsAfter(event(5, 'resolved'), event(9, 'firing'), event(2, 'firing'))).toEqual([
    '2-5: 2',
    '9-open: 1',
  ]);
});

test('a late resolve ends its alert, also if the newest event of the series was outdated', async () => {
  const of = (number: string) => ({ occurrence: comparableOf(number) });
  const events = [event(1, 'firing', of('2')), event(5, 'resolved', of('1')), event(3, 'resolved')];
  expect(await alertsAfter(...events)).toEqual(['1-3: 2']);
});

test('a late event far back changes only its own alert and the link of the next', async () => {
  const later = Array.from({ length: 300 }, (_, index) =>
    event(100 + index, index % 3 === 2 ? 'resolved' : 'firing'),
  );
  await writeEvents(own.database, later);
  const before = await storedAlerts(own.database);
  const late = event(5, 'firing');
  await writeEvents(own.database, [late, event(6, 'resolved')]);
  const after = await storedAlerts(own.database);
  const changed = after.filter(
    (alert) => !before.some((one) => JSON.stringify(one) === JSON.stringify(alert)),
  );
  expect(changed).toHaveLength(2);
  const first = after.find(({ receivedAt }) => receivedAt === START + 100_000);
  expect(first?.previousAlertId).toBe(itemsOf(late)[0]?.id);
});

test('an alert with more events than fit in one page is folded again completely', async () => {
  const many = Array.from({ length: 350 }, (_, index) => event(10 + index, 'firing', { title: `t${index}` }));
  await writeEvents(own.database, many);
  const late = [event(5, 'firing', { team: 'storage', ranks: '0000002' }), event(200.5, 'resolved')];
  await writeEvents(own.database, late);
  expect(await storedAlerts(own.database)).toEqual(foldAll([...many, ...late].flatMap(itemsOf)));
});

test('an event that is sent again after it expired is not counted a second time', async () => {
  const [first, second] = [event(1, 'firing'), event(2, 'firing')];
  await alertsAfter(first, second);
  await own.database('events').delete();
  const third = event(3, 'firing');
  await writeEvents(own.database, [first, third]);
  expect((await storedAlerts(own.database)).map(({ eventCount }) => eventCount)).toEqual([3]);
});

test('an event that the database rejects leaves no item, and the others of its group are folded', async () => {
  const events = [event(1, 'firing'), event(2, 'resolved', { title: POISON }), event(3, 'firing')];
  await writeEvents(own.database, events);
  expect((await storedAlerts(own.database)).map(({ eventCount }) => eventCount)).toEqual([2]);
  expect((await own.database('events').pluck('state')).sort()).toEqual([
    'failed',
    'normalized',
    'normalized',
  ]);
});

test('items of one event belong to several series', async () => {
  const keys = Array.from({ length: 600 }, (_, index) => ({
    dedupKey: `k${index % 400}`,
    status: 'firing' as const,
  }));
  const one = itemsEvent(uuidv7(), START, keys);
  await writeEvents(own.database, [one]);
  expect(await storedAlerts(own.database)).toEqual(foldAll(itemsOf(one)));
  const [row] = await own.database('events').select('alert_count', 'keyed_count');
  expect(row).toEqual({ alert_count: 600, keyed_count: 600 });
});

test('a series that is due to be folded again only gets its items, and the fold starts early enough', async () => {
  await alertsAfter(event(5, 'firing'));
  await own.database('series').update({ refold_from: new Date(START + 5_000) });
  await writeEvents(own.database, [event(2, 'firing'), event(9, 'resolved')]);
  expect((await storedAlerts(own.database)).map(({ eventCount }) => eventCount)).toEqual([1]);
  const series = await theRow(own.database('series').select('refold_from'));
  expect(series.refold_from).toEqual(new Date(START + 2_000));
});

test('an alert whose row is missing is folded again from its items, with the texts that they have', async () => {
  const title = { title: 'Disk full', ranks: '2000000' };
  const events = [event(1, 'firing', title), event(2, 'resolved'), event(3, 'firing', title)];
  for (const one of events) await writeEvents(own.database, [one]);
  await own
    .database('alerts')
    .where('received_at', new Date(START + 3_000))
    .delete();
  const resolve = event(4, 'resolved');
  await writeEvents(own.database, [resolve]);
  await refoldMarked(own.database, { isDue: () => true, run: (query) => query() });
  expect(await storedAlerts(own.database)).toEqual(foldAll([...events, resolve].flatMap(itemsOf)));
});
