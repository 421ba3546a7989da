import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const group = (count: number, status: string) => ({
  status,
  alerts: Array.from({ length: count }, (_, i) => ({
    status,
    labels: { alertname: 'Down', instance: `n${i}` },
    startsAt: '2026-03-01T08:00:00Z',
    fingerprint: `${count}/${i}`,
  })),
});

test('a group of 1,001 alerts of Alertmanager fires and resolves, each item counted', async () => {
  const count = 1_001;
  const webhook = await makeWebhook(client, { template: 'alertmanager' });
  for (const status of ['firing', 'resolved']) {
    const sent = await sendEvent(stack.url, webhook.path, group(count, status));
    const { eventId } = (await sent.json()) as { eventId: string };
    const receipt = await receiptOf(client, eventId);
    expect(receipt).toMatchObject({ state: 'normalized', faults: [] });
    expect(receipt.alertIds).toHaveLength(count);
    const { body } = await client.get(`/v2/alerts/facets?fields=status&webhookId=${webhook.id}`);
    expect(body.data.status.values).toEqual([{ value: status, alerts: count }]);
  }
});

const field = (template: string) => ({ template });
const mappingOf = (severity: string) => ({
  split: 'webhook',
  fields: {
    title: field('{{item.k}}'),
    severity: field(severity),
    description: field('{{item.text}}'),
    source: field('test'),
    dedupKey: field('{{item.d}}'),
  },
});
/** A tenth of the items have a key: each is folded alone when they are mapped again. */
const list = (count: number, text: string) =>
  JSON.stringify(Array.from({ length: count }, (_, k) => ({ k, text, ...(k % 10 === 0 && { d: `d${k}` }) })));

test('an event of 10,000 alerts is stored and mapped again, and one more item makes it a failure', async () => {
  const webhook = await makeWebhook(client, { template: null });
  const save = (severity: string) =>
    client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mappingOf(severity));
  const send = async (body: string) => {
    const sent = await sendEvent(stack.url, webhook.path, body);
    expect(sent.status).toBe(202);
    return receiptOf(client, ((await sent.json()) as { eventId: string }).eventId);
  };
  const severities = async () =>
    (await client.get(`/v2/alerts/facets?fields=severity&webhookId=${webhook.id}`)).body.data.severity.values;
  await save('warning');
  const body = list(10_000, 'x'.repeat(78));
  expect(body.length).toBeGreaterThan(1_000_000);
  const receipt = await send(body);
  expect(receipt).toMatchObject({ state: 'normalized', faults: [] });
  expect(new Set(receipt.alertIds).size).toBe(10_000);
  expect(await severities()).toEqual([{ value: 'warning', alerts: 10_000 }]);

  await save('critical');
  const { jobId } = (await client.json('POST', `/v2/webhooks/${webhook.id}/remap`, {})).body;
  const { data } = (await client.jobEnd(jobId, 60_000)).body;
  expect(data).toMatchObject({ state: 'completed', counts: { alerts: 10_000, changed: 10_000, failed: 0 } });
  expect(await severities()).toEqual([{ value: 'critical', alerts: 10_000 }]);

  const failed = await send(list(10_001, ''));
  expect(failed).toMatchObject({ state: 'failed', alertIds: [], faults: [{ code: 'too_many_items' }] });
  const { minutes } = (await client.get('/v2/health')).body.data;
  expect(minutes.reduce((sum: number, minute: { failed: number }) => sum + minute.failed, 0)).toBe(1);
}, 60_000);
