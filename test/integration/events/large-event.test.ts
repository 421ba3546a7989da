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

test.each([[1_001], [5_000]])('a group of %i alerts fires and resolves, each item counted', async (count) => {
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
