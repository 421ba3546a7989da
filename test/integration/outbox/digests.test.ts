import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import type { TestWebhook } from '../../support/api/webhooks.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import { type Receiver, status } from '../../support/outbox/receiver.js';
import { until } from '../../support/until.js';

let desk: OutboxDesk;
let client: Client;
let receiver: Receiver;
let webhook: TestWebhook;
beforeAll(async () => {
  desk = await OutboxDesk.start();
  ({ client, receiver } = desk);
  webhook = await desk.integration(MAPPING);
});
beforeEach(() => receiver.clear());
afterAll(() => desk.stop());

const MAPPING = {
  fields: {
    title: { template: '{{webhook.key}}' },
    severity: { template: '{{webhook.severity}}' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

/** Creates a destination that is paused, so that messages wait. */
const destination = (more: object = {}) =>
  desk.destination({ name: 'Chat', preset: 'slack', paused: true, ratePerMinute: null, ...more });

const resume = (id: string) => client.json('PATCH', `/v2/destinations/${id}`, { paused: false });

async function send(key: string, more: object = {}): Promise<void> {
  const payload = { key, status: 'firing', severity: 'error', ...more };
  await desk.send(webhook, payload);
}
const sendAll = (keys: readonly string[], more: object = {}) =>
  Promise.all(keys.map((key) => send(key, more)));
const keysOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

const waiting = (id: string, count: number) =>
  until(`${count} wait`, async () => (await desk.messagesOf(id, '&state=waiting')).length === count);
const lines = () => receiver.accepted.map(({ text }) => JSON.parse(text).text);

test('many messages are sent as one, and the ends of their alerts are still told', async () => {
  const { id, digestAbove } = await destination();
  expect(digestAbove).toBe(20);
  const keys = keysOf('a', 21);
  await sendAll(keys);
  await send('a20', { severity: 'critical' });
  await waiting(id, 22);
  await resume(id);
  await waiting(id, 0);
  expect(lines()).toEqual(['21 alerts: 21 fired']);
  const shown = JSON.parse(receiver.accepted[0]?.text ?? '').attachments[0].blocks;
  expect(shown).toHaveLength(11);
  expect(shown[0].text.text).toBe('FIRED: a20 (critical)');
  expect(shown[10].elements[0].text).toBe('and 11 more');
  const messages = await desk.messagesOf(id);
  const [sent] = messages.filter(({ state }: { state: string }) => state === 'delivered');
  const digested = messages.filter(({ state }: { state: string }) => state === 'digested');
  expect(digested).toHaveLength(20);
  for (const { digestedInto, reason, attempts } of digested)
    expect([digestedInto, reason, attempts]).toEqual([sent.sequence, 'digested', 1]);
  const path = `/v2/destinations/${id}/messages/${digested[0].sequence}/attempts`;
  expect((await client.get(path)).body.data).toMatchObject({
    body: receiver.accepted[0]?.text,
    attempts: [{ outcome: 'http_204' }],
  });
  receiver.clear();
  await sendAll(keys.slice(0, 3), { status: 'resolved' });
  await until('the ends are told', () => receiver.accepted.length === 3);
  expect(lines().every((line) => line.startsWith('RESOLVED after'))).toBe(true);
  await client.send('DELETE', `/v2/destinations/${id}`);
});

test('a digest that failed is made again of what is to be told then, or its messages are sent one by one', async () => {
  const { id } = await destination({ digestAbove: 2 });
  await sendAll(['b0', 'b1', 'b2', 'b3']);
  await waiting(id, 4);
  receiver.respond = status(503);
  await resume(id);
  await until('it was tried', () => receiver.all.length === 1);
  await until('that is noted', async () =>
    (await desk.messagesOf(id)).every(
      ({ reason, attempts }: { reason: null; attempts: number }) => reason === null && attempts === 1,
    ),
  );
  receiver.clear();
  await sendAll(['b0', 'b1'], { status: 'resolved' });
  await waiting(id, 0);
  // The ends are told, because nobody knows whether the digest was read.
  const text = receiver.accepted.map((one) => one.text).join();
  for (const told of [/RESOLVED [\w ]+: b0/, /RESOLVED [\w ]+: b1/, /FIRED: b2/, /FIRED: b3/])
    expect(text).toMatch(told);
  expect(text).not.toContain('FIRED: b0');
  await client.send('DELETE', `/v2/destinations/${id}`);
});

test('few messages are sent one by one, and so are those of a destination without digests', async () => {
  const { id } = await destination({ digestAbove: 3 });
  const never = await destination({ digestAbove: null });
  await sendAll(['c0', 'c1', 'c2']);
  await waiting(id, 3);
  await resume(id);
  await waiting(id, 0);
  expect(lines()).toHaveLength(3);
  await resume(never.id);
  await waiting(never.id, 0);
  expect(lines()).toHaveLength(6);
  for (const one of [id, never.id]) await client.send('DELETE', `/v2/destinations/${one}`);
});

test('a preset that tells one alert at a time cannot have digests', async () => {
  const body = { name: 'x', preset: 'pagerduty', url: `${receiver.url}/hook`, secret: 'x', digestAbove: 5 };
  const made = await client.json('POST', '/v2/destinations', body);
  expect([made.status, made.body.code]).toEqual([400, 'invalid_digest']);
  const { id, digestAbove } = await destination({ preset: 'webhook' });
  expect(digestAbove).toBeNull();
  const changed = await client.json('PATCH', `/v2/destinations/${id}`, { digestAbove: 5 });
  expect([changed.status, changed.body.code]).toEqual([400, 'invalid_digest']);
  await client.send('DELETE', `/v2/destinations/${id}`);
});
