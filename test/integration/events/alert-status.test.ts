import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { type AlertFilters, countAlerts, listAlerts } from '../../../db/events/alerts/alert-list.js';
import { countFiring } from '../../../db/series/firing-counts.js';
import { arrivalNumber, fillSeries, webhookNumber } from '../../support/api/alerts.js';
import { rowsRead } from '../../support/api/rows-read.js';
import { sequence } from '../../support/sequence.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const ROWS = 100_000;
let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  await fillSeries(own.database, ROWS);
  database = connectDatabase(own.url, { poolMax: 1 });
}, 120_000);
afterAll(async () => {
  await database.destroy();
  await own.drop();
});

const webhookId = webhookNumber(7);
const dedupKey = 'key-207';

test.each([
  [{ status: 'firing' }, 51],
  [{ status: 'firing', webhookId }, 51],
  [{ status: 'firing', webhookId: webhookNumber(8) }, 0],
  [{ status: 'firing', severity: 'critical' }, 34],
  [{ status: 'firing', from: arrivalNumber(90_000) }, 50],
  [{ status: 'firing', dedupKey }, 1],
  [{ status: 'resolved' }, 51],
  [{ status: 'resolved', webhookId }, 51],
  [{ status: 'resolved', dedupKey }, 4],
  [{ dedupKey }, 5],
  [{ dedupKey, webhookId }, 5],
  [{ dedupKey, webhookId: webhookNumber(8) }, 0],
  [{ dedupKey: 'no such key' }, 0],
] satisfies [AlertFilters, number][])(
  'finds alerts with %j along an index, out of 100,000',
  async (filters, count) => {
    const page = await rowsRead(database, () =>
      listAlerts(database, filters, { limit: 51, withinMs: 5_000 }),
    );
    expect(page.found).toHaveLength(count);
    expect(page.read).toBeLessThan(500);
    expect(page.sorted).toBe(0);
    const times = page.found.map(({ receivedAt }) => receivedAt.getTime());
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    if ('status' in filters) for (const { status } of page.found) expect(status).toBe(filters.status);
  },
);

test.each([
  [{ status: 'firing' }, 100],
  [{ status: 'firing', severity: 'INFO' }, 33],
  [{ status: 'resolved', webhookId }, 1_900],
  [{ dedupKey }, 5],
] satisfies [AlertFilters, number][])('counts alerts with %j', async (filters, count) => {
  expect(await countAlerts(database, filters, 5_000)).toBe(count);
});

test.each([{ status: 'firing' }, { dedupKey }] satisfies AlertFilters[])(
  'a page of alerts with %j continues exactly after the previous one',
  async (filters) => {
    const whole = await listAlerts(database, filters, { limit: 1_000 });
    const middle = Math.floor(whole.length / 2);
    const { receivedAt, id } = whole[middle] as (typeof whole)[0];
    const rest = await listAlerts(database, filters, { limit: 1_000, after: { receivedAt, id } });
    expect(rest).toEqual(whole.slice(middle + 1));
  },
);

test('an alert of a series has the times of its events and the alert before it', async () => {
  const [firing, resolved] = await listAlerts(database, { dedupKey }, { limit: 2 });
  expect(firing).toMatchObject({
    status: 'firing',
    dedupKey,
    receivedAt: arrivalNumber(80_207),
    lastEventAt: new Date(arrivalNumber(80_207).getTime() + 60_000),
    resolvedAt: null,
    eventCount: 2,
    previousAlertId: resolved?.id,
  });
  expect(resolved).toMatchObject({ status: 'resolved', resolvedAt: resolved?.lastEventAt });
});

test('counts the firing alerts by integration and severity', async () => {
  const { hasSeries, webhooks } = await countFiring(database, 5_000);
  expect(hasSeries).toBe(true);
  expect(webhooks).toEqual([{ webhookId, alerts: 100, neverResolved: 0, severities: expect.any(Array) }]);
  const severities = new Map(webhooks[0]?.severities.map(({ severity, alerts }) => [severity, alerts]));
  expect(Object.fromEntries(severities)).toEqual({ critical: 34, warning: 33, info: 33 });
});

test('the totals of integrations are exact, however many severities there are', async () => {
  await own.database.raw(
    `INSERT INTO series (id, webhook_id, dedup_key, firing, event_count, severity)
     SELECT UNHEX(LEFT(SHA2(CONCAT('many', seq), 256), 32)), UNHEX(?), CONCAT('many', seq), 1, 1, CONCAT('Severity ', seq)
     FROM ${sequence(100_000)}`,
    [webhookNumber(9).replaceAll('-', '')],
  );
  const { webhooks } = await countFiring(database, 30_000);
  expect(webhooks).toMatchObject([
    { webhookId: webhookNumber(9), alerts: 100_000, neverResolved: 100_000 },
    { webhookId, alerts: 100, neverResolved: 0 },
  ]);
  expect(webhooks[0]?.severities.length).toBeLessThanOrEqual(20_000);
  expect(webhooks[1]?.severities).toHaveLength(3);
});
