import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { isTooSlow } from '../../../db/client/errors.js';
import { type AlertFilters, countAlerts, listAlerts } from '../../../db/events/alerts/alert-list.js';
import type { Alert } from '../../../db/events/alerts/alerts.js';
import { type AlertSort, listSortedAlerts, sortValueOf } from '../../../db/events/alerts/sorted-alerts.js';
import { type EventFilters, listEvents } from '../../../db/events/events.js';
import { arrivalNumber, fillAlerts, webhookNumber } from '../../support/api/alerts.js';
import { rowsRead } from '../../support/api/rows-read.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const ROWS = 200_000;
let own: TestDatabase;
/** A single connection, because the server counts the rows it reads per session. */
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  await fillAlerts(own.database, ROWS);
  await giveRareValues(own.database);
  database = connectDatabase(own.url, { poolMax: 1 });
}, 120_000);
afterAll(async () => {
  await database.destroy();
  await own.drop();
});

/** When the only alerts with a rare team and a rare severity were received, which has two spellings. The newest first. */
const RARE = [160_077, 120_077, 80_077, 40_077].map(arrivalNumber);
/** When the only alert with a rare state was received. Its severity is frequent. */
const RARE_STATE = arrivalNumber(100_001);
async function giveRareValues(alerts: Database): Promise<void> {
  for (const [number, receivedAt] of RARE.entries()) {
    const severity = number % 2 === 0 ? 'Emergency' : 'EMERGENCY';
    await alerts('alerts').where('received_at', receivedAt).update({ team: 'night', severity });
  }
  await alerts('alerts')
    .where('received_at', RARE_STATE)
    .update({ state: alerts.raw('?', ['unusual']) });
}

const webhookId = webhookNumber(7);
const [from, to] = [arrivalNumber(160_000), arrivalNumber(161_000)];

test.each([
  [{}, 60],
  [{ state: 'complete' }, 70],
  [{ state: 'incomplete' }, 60],
  [{ webhookId }, 60],
  [{ webhookId, state: 'complete' }, 70],
  [{ webhookId, from, to, severity: 'none' }, 30],
  [{ from, to, severity: 'none' }, 30],
  // It first counts up to 2,000 alerts to find out that the severity is not rare.
  [{ webhookId, severity: 'info' }, 2_160],
] satisfies [AlertFilters, number][])(
  'reads alerts with %j along an index, out of 200,000',
  async (filters, most) => {
    const page = await rowsRead(database, () =>
      listAlerts(database, filters, { limit: 51, withinMs: 5_000 }),
    );
    expect(page.found).toHaveLength('severity' in filters && filters.severity === 'none' ? 0 : 51);
    // The server may count an index row and its table row separately, and reading the counters adds rows too.
    expect(page.read).toBeLessThan(2 * most + 100);
    expect(page.sorted).toBe(0);
  },
);

test.each([
  [{}, { key: 'severity' }],
  [{}, { key: 'severity', order: 'asc' }],
  [{}, { key: 'lastEventAt' }],
  [{}, { key: 'startedAt', order: 'asc' }],
  [{}, { key: 'duration' }],
  [{ severityAtLeast: 'warning' }, { key: 'lastEventAt' }],
  [{ from, to: arrivalNumber(180_000) }, { key: 'severity' }],
] satisfies [AlertFilters, Partial<AlertSort>][])(
  'reads alerts with %j by %j along an index, out of 200,000',
  async (filters, some) => {
    const sort = { order: 'desc', asOf: new Date(), ...some } as const;
    const page = { limit: 51, withinMs: 5_000 };
    const first = await rowsRead(database, () => listSortedAlerts(database, filters, sort, page));
    const last = first.found.at(-1) as Alert;
    const after = { value: sortValueOf(last, sort), receivedAt: last.receivedAt, id: last.id };
    const second = await rowsRead(database, () =>
      listSortedAlerts(database, filters, sort, { ...page, after }),
    );
    for (const { found, read } of [first, second]) {
      expect(found).toHaveLength(51);
      // It first finds out that more than 20,000 alerts have the severity, and reads those of days that are not all within the time.
      expect(read).toBeLessThan('severityAtLeast' in filters ? 50_000 : 'from' in filters ? 80_000 : 400);
    }
  },
);

test.each([
  { severity: 'emergency' },
  { team: 'night' },
  { team: ['nobody', 'night'] },
  { team: 'night', severity: ['emergency', 'critical'] },
  { team: 'night', from: arrivalNumber(0), search: 'CPU' },
  { severity: 'emergency', state: 'complete' },
] satisfies AlertFilters[])(
  'reads the few alerts with %j by their values, out of 200,000',
  async (filters) => {
    const page = await rowsRead(database, () =>
      listAlerts(database, filters, { limit: 51, withinMs: 5_000 }),
    );
    expect(page.found.map(({ receivedAt }) => receivedAt)).toEqual(RARE);
    // Of two filters, the one with fewer alerts is found by counting up to 2,000 of each.
    expect(page.read).toBeLessThan('severity' in filters && 'team' in filters ? 5_000 : 150);
    const [, second] = await listAlerts(database, filters, { limit: 2 });
    const { receivedAt, id } = second as (typeof page.found)[0];
    const next = await listAlerts(database, filters, { limit: 1, after: { receivedAt, id } });
    expect(next).toEqual(page.found.slice(2, 3));
    expect(await countAlerts(database, filters, 5_000)).toBe(4);
  },
);

test('reads the few alerts with a rare state by it, however frequent their severity is', async () => {
  const filters = { state: 'unusual', severity: 'info' };
  const page = await rowsRead(database, () => listAlerts(database, filters, { limit: 51, withinMs: 5_000 }));
  expect(page.found.map(({ receivedAt }) => receivedAt)).toEqual([RARE_STATE]);
  expect(page.read).toBeLessThan(5_000);
  expect(await countAlerts(database, filters, 5_000)).toBe(1);
});

test.each([
  { team: 'nobody' },
  { team: 'night', from: arrivalNumber(160_078) },
  { severity: 'emergency', from: arrivalNumber(120_078), to: from },
  { severity: 'none', search: 'CPU' },
] satisfies AlertFilters[])('finds out that no alert has %j without reading others', async (filters) => {
  const page = await rowsRead(database, () => listAlerts(database, filters, { limit: 51, withinMs: 5_000 }));
  expect(page.found).toEqual([]);
  expect(page.read).toBeLessThan(100);
  expect(await countAlerts(database, filters, 5_000)).toBe(0);
});

test.each([
  {},
  { state: 'failed' },
  { webhookId },
  { webhookId, state: 'normalized' },
  { webhookId, from, to },
] satisfies EventFilters[])('reads events with %j along an index, out of 200,000', async (filters) => {
  const page = await rowsRead(database, () => listEvents(database, filters, { limit: 20, withinMs: 5_000 }));
  expect(page.found).toHaveLength(20);
  expect([page.read < 250, page.sorted]).toEqual([true, 0]);
});

test.each([
  {},
  { state: 'complete' },
  { webhookId },
  { webhookId, state: 'complete' },
  { from, to: arrivalNumber(199_000) },
] satisfies AlertFilters[])(
  'reads a page in the middle with %j along an index, out of 200,000 alerts',
  async (filters) => {
    const after = { receivedAt: arrivalNumber(180_000), id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
    const page = await rowsRead(database, () =>
      listAlerts(database, filters, { limit: 51, after, withinMs: 5_000 }),
    );
    expect(page.found).toHaveLength(51);
    expect([page.read < 250, page.sorted]).toEqual([true, 0]);
  },
);

test('a page of several severities is merged from the first alerts of each', async () => {
  const all = await listAlerts(database, {}, { limit: 200 });
  const severity = ['info', 'Warning'];
  const page = await rowsRead(database, () =>
    listAlerts(database, { severity }, { limit: 51, withinMs: 5_000 }),
  );
  expect(page.found).toEqual(all.filter((alert) => alert.severity !== 'critical').slice(0, 51));
  expect(page.read).toBeLessThan(600);
});

test('a page continues exactly after the previous one', async () => {
  const filters = { webhookId, state: 'complete' };
  const whole = await listAlerts(database, filters, { limit: 40 });
  const { receivedAt, id } = whole[19] as (typeof whole)[0];
  const second = await listAlerts(database, filters, { limit: 20, after: { receivedAt, id } });
  expect(second).toEqual(whole.slice(20));
});

test('a search that scans all rows ends at its time limit with an error, and the connection stays usable', async () => {
  const search = (withinMs: number) => listAlerts(database, { search: 'zz' }, { limit: 51, withinMs });
  const error = await search(20).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(isTooSlow(error)).toBe(true);
  expect(await search(60_000)).toEqual([]);
}, 90_000);
