import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import type { Alert } from '../../../db/events/alerts/alerts.js';
import {
  ALERT_SORT_KEYS,
  type AlertSort,
  listSortedAlerts,
  sortValueOf,
} from '../../../db/events/alerts/sorted-alerts.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const AT = Date.UTC(2026, 0, 1);
const WEBHOOK = '0199c0de-0000-7000-8000-000000000000';

/** Inserts alerts of an integration that fire, that were resolved, and that stand alone, of which many have the same times and ranks. */
async function insertAlerts(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, number) => {
    const receivedAt = AT + Math.floor(number / 3) * 1_000;
    const resolvedAt = number % 4 === 0 ? new Date(receivedAt + ((number * 7) % 5) * 1_000) : null;
    return {
      received_at: new Date(receivedAt),
      id: toUuidBinary(uuidv7()),
      webhook_id: toUuidBinary(WEBHOOK),
      dedup_key: number % 4 === 3 ? (number % 8 === 3 ? null : ' generated') : `key ${number}`,
      state: 'complete' as const,
      revision: 1,
      severity: 'P1',
      severity_rank: (number % 5) * 100,
      last_event_at: new Date(receivedAt + (number % 6) * 500),
      resolved_at: resolvedAt,
      duration_ms: resolvedAt && resolvedAt.getTime() - receivedAt,
    };
  });
  await stack.database('alerts').insert(rows);
  await stack.database('series').insert(
    rows
      .filter(({ dedup_key, resolved_at }) => dedup_key?.startsWith('key') && !resolved_at)
      .map(({ received_at, id, webhook_id, dedup_key }) => ({
        id,
        webhook_id,
        dedup_key: dedup_key as string,
        firing: 1,
        alert_received_at: received_at,
        alert_id: id,
      })),
  );
}

const numberOf = (alert: Alert, sort: AlertSort): number => Number(sortValueOf(alert, sort) ?? -1);
const compare = (sort: AlertSort) => (one: Alert, other: Alert) =>
  (sort.order === 'asc' ? 1 : -1) *
  (numberOf(one, sort) - numberOf(other, sort) ||
    +one.receivedAt - +other.receivedAt ||
    (one.id < other.id ? -1 : 1));

async function readAll(filters: object, sort: AlertSort, limit: number): Promise<Alert[]> {
  const all: Alert[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last && { value: sortValueOf(last, sort), receivedAt: last.receivedAt, id: last.id };
    const page = await listSortedAlerts(stack.database, filters, sort, { limit, after, withinMs: 5_000 });
    all.push(...page);
    if (page.length < limit) return all;
  }
}

test.each(
  ALERT_SORT_KEYS.flatMap((key) => [
    { key, order: 'asc' as const },
    { key, order: 'desc' as const },
  ]),
)('pages of alerts by %j are all alerts in this order', async ({ key, order }) => {
  if (key === ALERT_SORT_KEYS[0] && order === 'asc') await insertAlerts(60);
  const sort = { key, order, asOf: new Date(AT + 3_600_000) };
  for (const filters of [
    {},
    { webhookId: WEBHOOK },
    { status: 'firing' },
    { status: ['firing', 'resolved'] },
    { status: 'resolved' },
    { from: new Date(AT + 5_000), to: new Date(AT + 15_000) },
    { severityAtLeast: 'error' as const },
    { dedupKey: 'key 5' },
  ]) {
    const all = await readAll(filters, sort, 1_000);
    expect(all).toEqual([...all].sort(compare(sort)));
    expect(await readAll(filters, sort, 7)).toEqual(all);
  }
  expect(await readAll({}, sort, 1_000)).toHaveLength(60);
  expect(await readAll({ status: 'firing' }, sort, 1_000)).toHaveLength(30);
});

const mappingWith = (ranks: object[]) => ({
  fields: {
    title: { template: '{{webhook.title}}' },
    severity: { template: '{{webhook.priority}}', ranks },
    description: { template: 'text' },
    source: { template: 'test' },
    dedupKey: { template: '{{webhook.key}}' },
  },
});

test('words that an integration ranks are sorted and filtered with the built-in ones, and a remap applies other ranks', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const save = async (ranks: object[]) => {
    const saved = await client.json('PUT', `/v2/webhooks/${id}/mapping`, mappingWith(ranks));
    expect(saved.status).toBe(201);
  };
  await save([
    { word: 'P1', as: 'critical' },
    { word: 'P2', as: 'error' },
    { word: 'P3', as: 'error' },
  ]);
  const payloads = ['odd', 'P3', 'error', 'warning', 'P1', 'P2'].map((priority) => ({
    title: priority,
    priority,
  }));
  await storePayloads(stack.database, id, [
    ...payloads,
    { title: 'keyed', priority: 'P2', key: 'k' },
    { title: 'keyed', priority: 'P3', key: 'k' },
  ]);
  const list = async (
    query: string,
  ): Promise<{ title: string; severity: string; peakSeverity: string }[]> => {
    const { body, status } = await client.get(`/v2/alerts?webhookId=${id}&${query}`);
    expect(status).toBe(200);
    return body.data;
  };
  const titles = async (query: string) => (await list(query)).map(({ title }) => title);
  expect(await titles('sortKey=severity')).toEqual(['P1', 'P2', 'error', 'keyed', 'P3', 'warning', 'odd']);
  expect(await titles('sortKey=severity&sortOrder=asc&severityAtLeast=error')).toEqual([
    'P3',
    'keyed',
    'error',
    'P2',
    'P1',
  ]);
  expect(await titles('severityAtLeast=critical')).toEqual(['P1']);
  expect(await list('peakAtLeast=error')).toMatchObject([{ severity: 'P3', peakSeverity: 'P2' }]);
  expect(await list('peakAtLeast=critical')).toEqual([]);

  await save([
    { word: 'P3', as: 'critical' },
    { word: 'P2', as: 'warning' },
  ]);
  const started = await client.json('POST', `/v2/webhooks/${id}/remap`, {});
  await client.jobEnd(started.body.jobId);
  expect(await titles('sortKey=severity')).toEqual(['keyed', 'P3', 'error', 'P2', 'warning', 'P1', 'odd']);
  expect(await list('peakAtLeast=critical')).toMatchObject([{ severity: 'P3', peakSeverity: 'P3' }]);
});

test('the cursor of a sorted list continues it, and is invalid for another order', async () => {
  const first = await client.get('/v2/alerts?sortKey=duration&pageSize=2');
  const { nextCursor } = first.body.page;
  const second = await client.get(`/v2/alerts?sortKey=duration&pageSize=2&cursor=${nextCursor}`);
  const all = await client.get('/v2/alerts?sortKey=duration&pageSize=4');
  const ids = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);
  expect([...ids(first), ...ids(second)]).toEqual(ids(all));
  expect(await client.get(`/v2/alerts?sortKey=severity&pageSize=2&cursor=${nextCursor}`)).toMatchObject({
    status: 400,
    body: { code: 'invalid_cursor' },
  });
  expect(await client.get('/v2/alerts?format=csv&sortKey=severity')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'sortKey', code: 'not_in_this_format' }] },
  });
});
