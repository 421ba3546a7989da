import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { isTooSlow } from '../../../db/client/errors.js';
import { type AlertFilters, listAlerts } from '../../../db/events/alert-list.js';
import { type EventFilters, listEvents } from '../../../db/events/events.js';
import { arrivalNumber, fillAlerts, webhookNumber } from '../../support/api/alerts.js';
import { rowsRead } from '../../support/api/rows-read.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const ROWS = 500_000;
let own: TestDatabase;
/** A single connection, because the server counts the rows it reads per session. */
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  await fillAlerts(own.database, ROWS);
  database = connectDatabase(own.url, { poolMax: 1 });
}, 120_000);
afterAll(async () => {
  await database.destroy();
  await own.drop();
});

const webhookId = webhookNumber(7);
const [from, to] = [arrivalNumber(400_000), arrivalNumber(401_000)];

test.each([
  [{}, 60],
  [{ state: 'complete' }, 70],
  [{ state: 'incomplete' }, 60],
  [{ webhookId }, 60],
  [{ webhookId, state: 'complete' }, 70],
  [{ webhookId, from, to, severity: 'none' }, 30],
  [{ from, to, severity: 'none' }, 1_010],
  [{ webhookId, severity: 'info' }, 160],
] satisfies [AlertFilters, number][])(
  'reads alerts with %j along an index, out of 500,000',
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
  {},
  { state: 'failed' },
  { webhookId },
  { webhookId, state: 'normalized' },
  { webhookId, from, to },
] satisfies EventFilters[])('reads events with %j along an index, out of 500,000', async (filters) => {
  const page = await rowsRead(database, () => listEvents(database, filters, { limit: 20, withinMs: 5_000 }));
  expect(page.found).toHaveLength(20);
  expect([page.read < 250, page.sorted]).toEqual([true, 0]);
});

test.each([
  {},
  { state: 'complete' },
  { webhookId },
  { webhookId, state: 'complete' },
  { from, to: arrivalNumber(499_000) },
] satisfies AlertFilters[])(
  'reads a page in the middle with %j along an index, out of 500,000 alerts',
  async (filters) => {
    const after = { receivedAt: arrivalNumber(450_000), id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
    const page = await rowsRead(database, () =>
      listAlerts(database, filters, { limit: 51, after, withinMs: 5_000 }),
    );
    expect(page.found).toHaveLength(51);
    expect([page.read < 250, page.sorted]).toEqual([true, 0]);
  },
);

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
