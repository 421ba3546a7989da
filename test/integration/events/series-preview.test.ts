import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

const FIELDS = {
  title: { template: '{{webhook.name}}' },
  dedupKey: { template: '{{webhook.id}}' },
  status: { template: '{{webhook.status}}' },
};

const preview = (id: string, body: object) => client.json('POST', `/v2/webhooks/${id}/preview`, body);

test('a preview of the last events shows which merge, which resolve which, and which never resolve', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const ids = await storePayloads(stack.database, id, [
    { id: 'disk', name: 'Disk full', status: 'firing' },
    { id: 'net', name: 'Packet loss', status: 'firing' },
    { id: 'disk', status: 'firing' },
    { id: 'disk', status: 'ok' },
    { id: 'cpu', status: 'ok' },
    { name: 'No key', status: 'firing' },
  ]);
  const { body } = await preview(id, { mapping: { fields: FIELDS }, last: 100 });
  const { series } = body.data;
  expect(series).toMatchObject({
    items: 6,
    keyed: 5,
    outcomes: {
      opened: 2,
      updated: 1,
      resolved: 1,
      nothing_to_resolve: 1,
      nothing_to_update: 0,
      outdated: 0,
    },
    alerts: 3,
    firing: 1,
    seriesCount: 3,
  });
  expect(series.series[0]).toMatchObject({ dedupKey: 'disk', title: 'Disk full', status: 'resolved' });
  expect(series.series[0].items).toMatchObject([
    { eventId: ids[0], status: 'firing', outcome: 'opened' },
    { eventId: ids[2], status: 'firing', outcome: 'updated' },
    { eventId: ids[3], status: 'resolved', outcome: 'resolved' },
  ]);
  expect(body.data.statistics.fields.dedupKey).toMatchObject({ resolved: 5, missing: 1 });
  // The order is that of acceptance, whatever the order of the ids in the request.
  const again = await preview(id, { mapping: { fields: FIELDS }, eventIds: [ids[3], ids[0], ids[2]] });
  expect(again.body.data.series.series).toEqual([series.series[0]]);
});

test('a preview compares the keys and statuses with those of the current revision', async () => {
  const { id } = await makeWebhook(client, { template: null });
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, { fields: FIELDS });
  const mapping = { fields: { ...FIELDS, dedupKey: { template: '{{webhook.host}}/{{webhook.id}}' } } };
  const payload = { id: 'disk', host: 'db-1', status: 'ok' };
  const { body } = await preview(id, { mapping, payload });
  expect(body.data.comparison[0].alerts[0].changes).toEqual([
    { field: 'dedupKey', before: 'disk', after: 'db-1/disk' },
  ]);
  expect(body.data.series).toMatchObject({ outcomes: { nothing_to_resolve: 1 }, alerts: 0, firing: 0 });
  expect(body.data.series.series[0].items[0]).toMatchObject({ eventId: null, receivedAt: null });
});

test('a preview without a deduplication key has no series', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const { body } = await preview(id, { mapping: { fields: {} }, payload: {} });
  expect(body.data.series).toBeNull();
});
