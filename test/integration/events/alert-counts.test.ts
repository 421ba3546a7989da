import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { Deadline } from '../../../db/client/deadline.js';
import type { AlertFilters } from '../../../db/events/alerts/alert-list.js';
import { countFacet } from '../../../db/events/counts/alert-facets.js';
import { AlertCounts } from '../../../db/events/counts/counted-alerts.js';
import { arrivalNumber, fillAlerts, webhookNumber } from '../../support/api/alerts.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const ROWS = 2_500;

interface Alert {
  id: string;
  webhookId: string;
  receivedAt: string;
  state: string;
  status: string | null;
  title: string;
  severity: string | null;
  team: string | null;
}

let stack: Stack;
let client: Client;
/** All alerts, newest first. */
let alerts: Alert[];
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  const { database } = stack;
  await fillAlerts(database, ROWS);
  const number = 'CONV(RIGHT(HEX(id), 12), 16, 10)';
  await database.raw(
    `UPDATE alerts SET team = IF(${number} MOD 7 = 0, NULL, CONCAT('team, ', ${number} MOD 60)),
       severity = IF(${number} MOD 5 = 0, 'CRITICAL', severity), dedup_key = IF(${number} MOD 2 = 0, ${number}, NULL),
       resolved_at = IF(${number} MOD 4 = 0, received_at, NULL)`,
  );
  for (const table of ['alerts', 'events']) {
    const [from, to] = [webhookNumber(31), two].map(toUuidBinary) as [Buffer, Buffer];
    await database(table).where({ webhook_id: from }).update({ webhook_id: to });
  }
  await database.raw(
    `INSERT INTO series (id, webhook_id, dedup_key, firing, alert_received_at, alert_id, event_count, severity)
     SELECT UNHEX(LEFT(SHA2(dedup_key, 256), 32)), webhook_id, dedup_key, resolved_at IS NULL, received_at, id, 1, severity
     FROM alerts WHERE dedup_key IS NOT NULL`,
  );
  alerts = await listed('');
});
afterAll(() => stack.stop());

/** Lists the alerts of a query, page by page. */
async function listed(query: string, pageSize = 1_000): Promise<Alert[]> {
  const rows: Alert[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await client.get(
      `/v2/alerts?pageSize=${pageSize}${query}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.page.nextCursor;
  }
  return rows;
}

const get = async (path: string) => (await client.get(path)).body.data;

/** Counts values, the most frequent first, ties by value. */
function counted(values: readonly (string | null)[]) {
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, alerts: count }))
    .sort((a, b) => b.alerts - a.alerts || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
}

const one = webhookNumber(7);
/** An id with letters. */
const two = webhookNumber(31).replace('7000', '7abc');

test.each<[string, (alert: Alert) => boolean]>([
  [
    '&severity=Critical&severity=info',
    ({ severity }) => ['critical', 'info'].includes(severity?.toLowerCase() ?? ''),
  ],
  ['&team=team,+3&team=team,+4', ({ team }) => team === 'team, 3' || team === 'team, 4'],
  [`&webhookId=${one}&webhookId=${two}`, ({ webhookId }) => webhookId === one || webhookId === two],
  [
    `&webhookId=${one}&webhookId=${two}&severity=warning&state=complete`,
    (alert) =>
      [one, two].includes(alert.webhookId) && alert.severity === 'warning' && alert.state === 'complete',
  ],
  [`&webhookId=${two}&webhookId=${two.toUpperCase()}`, ({ webhookId }) => webhookId === two],
  ['&team=team,+3&team=team,+3+', ({ team }) => team === 'team, 3'],
  ['&status=firing&status=resolved', ({ status }) => status !== null],
  ['&state=complete&state=incomplete&team=team,+3', ({ team }) => team === 'team, 3'],
])('lists the alerts with any of several values, in pages: %s', async (query, matches) => {
  expect(await listed(query, 90)).toEqual(alerts.filter(matches));
});

test('lists the events of several integrations, in pages', async () => {
  const query = `/v2/events?webhookId=${one}&webhookId=${two}&pageSize=60`;
  const first = await client.get(query);
  const { body } = await client.get(`${query}&cursor=${first.body.page.nextCursor}`);
  const expected = alerts.filter(({ webhookId }) => webhookId === one || webhookId === two);
  const ids = [...first.body.data, ...body.data].map(({ receivedAt }) => receivedAt);
  expect(ids).toEqual(expected.map(({ receivedAt }) => receivedAt));
});

test('exports the alerts with any of several values', async () => {
  const { text } = await client.get('/v2/alerts?format=csv&team=team,+3&team=team,+4');
  const expected = alerts.filter(({ team }) => team === 'team, 3' || team === 'team, 4');
  expect(text.trim().split('\n')).toHaveLength(expected.length + 1);
});

test('rejects an invalid value among several, and too many of them', async () => {
  const invalid = await client.get(`/v2/alerts?state=complete&state=broken&webhookId=${one}&webhookId=7`);
  expect(invalid.status).toBe(400);
  expect(invalid.body.errors.map(({ field }: { field: string }) => field.split(/\W/)[0])).toEqual([
    'webhookId',
    'state',
  ]);
  const many = Array.from({ length: 51 }, (_, number) => `team=${number}`).join('&');
  expect((await client.get(`/v2/alerts?${many}`)).status).toBe(400);
});

test('counts the alerts by the values of each field', async () => {
  const facets = await get('/v2/alerts/facets');
  const none = { hasMore: false, countedFrom: null };
  expect(facets.severity).toEqual({
    ...none,
    values: counted(alerts.map(({ severity }) => severity?.toLowerCase() ?? null)),
  });
  expect(facets.status.values).toEqual(counted(alerts.map(({ status }) => status)));
  expect(facets.state.values).toEqual(counted(alerts.map(({ state }) => state)));
  expect(facets.source).toEqual({ ...none, values: [{ value: 'test', alerts: ROWS }] });
  expect(facets.webhookId.values).toHaveLength(50);
  expect(facets.webhookId.values).toContainEqual({ value: one, alerts: ROWS / 50 });
  const teams = counted(alerts.map(({ team }) => team));
  expect(facets.team.hasMore).toBe(true);
  expect(facets.team.values[0]).toEqual(teams[0]);
  expect(facets.team.values.map(({ alerts: count }: { alerts: number }) => count)).toEqual(
    teams.slice(0, 50).map(({ alerts: count }) => count),
  );
});

test('a filter narrows the values of the other fields, but not those of its own', async () => {
  const query = `severity=INFO&team=team,+3&from=${arrivalNumber(1_000).toISOString()}`;
  const facets = await get(`/v2/alerts/facets?fields=severity,team&${query}`);
  expect(Object.keys(facets).sort()).toEqual(['severity', 'team']);
  const late = alerts.filter(({ receivedAt }) => new Date(receivedAt) >= arrivalNumber(1_000));
  const ofTeam = late.filter(({ team }) => team === 'team, 3');
  expect(facets.severity.values).toEqual(
    counted(ofTeam.map(({ severity }) => severity?.toLowerCase() ?? null)),
  );
  const infos = late.filter(({ severity }) => severity === 'info');
  expect(facets.team.values.find(({ value }: { value: string }) => value === 'team, 4')?.alerts ?? 0).toBe(
    infos.filter(({ team }) => team === 'team, 4').length,
  );
});

test.each<[AlertFilters, (alert: Alert) => boolean]>([
  [{ severity: 'info' }, ({ severity }) => severity === 'info'],
  [{ webhookId: [one, two] }, ({ webhookId }) => webhookId === one || webhookId === two],
  [{ status: 'resolved' }, ({ status }) => status === 'resolved'],
])(
  'counts the newest alerts only if there are too many, and says since when: %j',
  async (filters, matches) => {
    const counts = new AlertCounts(stack.database, new Deadline(5_000), 1_000);
    const facet = await countFacet(counts, filters, 'state');
    const newest = alerts.slice(0, 1_001);
    expect(facet).toEqual({
      countedFrom: new Date(newest.at(-1)?.receivedAt as string),
      hasMore: false,
      values: counted(newest.filter(matches).map(({ state }) => state)),
    });
  },
);

test('a field whose values take too long is null', async () => {
  const late = new AlertCounts(stack.database, new Deadline(0));
  expect(await countFacet(late, {}, 'severity')).toBeNull();
});

test('counts the alerts by time and severity', async () => {
  const [from, to] = [arrivalNumber(500), arrivalNumber(1_700)];
  const range = `from=${from.toISOString()}&to=${to.toISOString()}`;
  const histogram = await get(`/v2/alerts/histogram?${range}&bucketSeconds=60&team=team,+3&team=team,+5`);
  const within = alerts.filter(
    ({ receivedAt, team }) =>
      new Date(receivedAt) >= from && new Date(receivedAt) < to && (team === 'team, 3' || team === 'team, 5'),
  );
  expect(histogram.alerts).toBe(within.length);
  expect(within.length).toBeGreaterThan(20);
  expect([histogram.from, histogram.to]).toEqual(
    [480, 1_740].map((second) => arrivalNumber(second).toISOString()),
  );
  expect(histogram.buckets).toHaveLength(21);
  for (const bucket of histogram.buckets) {
    const start = Date.parse(bucket.from);
    const own = within.filter(
      ({ receivedAt }) => Math.floor((Date.parse(receivedAt) - start) / 60_000) === 0,
    );
    expect(bucket.alerts).toBe(own.length);
    for (const [place, { severity }] of histogram.severities.entries()) {
      expect(bucket.counts[place]).toBe(
        own.filter((alert) => alert.severity?.toLowerCase() === severity).length,
      );
    }
  }
});

test('without a time range, the buckets begin with the oldest alert and end now', async () => {
  const histogram = await get(`/v2/alerts/histogram?webhookId=${one}`);
  expect(histogram.alerts).toBe(ROWS / 50);
  expect(histogram.countedFrom).toBeNull();
  expect(Date.parse(histogram.from)).toBeLessThanOrEqual(arrivalNumber(7).getTime());
  expect(Date.parse(histogram.to)).toBeGreaterThanOrEqual(Date.now() - 60_000);
  expect(histogram.buckets.length).toBeLessThanOrEqual(101);
  const empty = await get(`/v2/alerts/histogram?webhookId=${webhookNumber(99)}`);
  expect([empty.alerts, empty.severities]).toEqual([0, []]);
});

test('counts the alerts that fire, by time and by severity', async () => {
  const firing = alerts.filter(({ status }) => status === 'firing');
  const severities = counted(firing.map(({ severity }) => severity?.toLowerCase() ?? null));
  const histogram = await get('/v2/alerts/histogram?status=firing');
  expect([histogram.alerts, histogram.countedFrom]).toEqual([firing.length, null]);
  type Count = { severity: string | null; alerts: number };
  expect(
    new Map(histogram.severities.map(({ severity, alerts: count }: Count) => [severity, count])),
  ).toEqual(new Map(severities.map(({ value, alerts: count }) => [value, count])));
  const facets = await get('/v2/alerts/facets?status=firing&fields=severity');
  expect(facets.severity.values).toEqual(severities);
});

test('a range may be longer than the database has times', async () => {
  const range = 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z';
  const histogram = await get(`/v2/alerts/histogram?webhookId=${one}&${range}`);
  expect(histogram.alerts).toBe(ROWS / 50);
  const oldest = arrivalNumber(7).getTime();
  const last = histogram.buckets.findLast(({ from }: { from: string }) => Date.parse(from) <= oldest);
  expect(last.alerts).toBe(ROWS / 50);
});

test.each([
  ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from', 'invalid_range'],
  ['from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&bucketSeconds=60', 'bucketSeconds', 'too_many_buckets'],
])('rejects a histogram of %s', async (query, field, code) => {
  const { status, body } = await client.get(`/v2/alerts/histogram?${query}`);
  expect([status, body.code]).toEqual([400, 'invalid_query']);
  expect(body.errors).toMatchObject([{ field, code }]);
});

test('counts need the scope of the list', async () => {
  const { body } = await client.json('POST', '/v2/keys', { name: 'other', scopes: ['webhooks:read'] });
  const other = new Client(stack.url, body.data.key);
  for (const path of ['/v2/alerts/facets', '/v2/alerts/histogram'])
    expect((await other.get(path)).status).toBe(403);
});
