import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import type { TestWebhook } from '../../support/api/webhooks.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import type { Receiver } from '../../support/outbox/receiver.js';
import { until } from '../../support/until.js';

let desk: OutboxDesk;
let client: Client;
let receiver: Receiver;
let webhook: TestWebhook;
beforeAll(async () => {
  desk = await OutboxDesk.start();
  ({ client, receiver } = desk);
  webhook = await desk.integration({
    fields: {
      title: { template: '{{webhook.title}}' },
      severity: { template: '{{webhook.severity}}' },
      description: { template: '{{webhook.text}}' },
      source: { template: 'boiler' },
      service: { template: '{{webhook.service}}' },
      status: { template: '{{webhook.status}}' },
      dedupKey: { template: '{{webhook.key}}' },
    },
  });
});
afterAll(() => desk.stop());

async function send(key: string, more: object = {}): Promise<void> {
  const payload = {
    title: `Hot ${key}`,
    text: 'Hot.',
    severity: 'error',
    service: 'shop',
    status: 'firing',
    key,
    ...more,
  };
  await desk.send(webhook, payload);
}

const rehearse = async (settings: object, days = 7) => {
  const made = await client.json('POST', '/v2/destinations/rehearsal', {
    preset: 'webhook',
    webhookIds: [webhook.id],
    days,
    ...settings,
  });
  if (made.status !== 200) throw new Error(made.text);
  return made.body.data;
};

/** The history of six alerts. */
async function history(): Promise<void> {
  await send('a');
  await send('a');
  await send('a', { severity: 'critical' });
  await send('a', { status: 'resolved' });
  await send('b', { service: 'blog' });
  await send('b', { service: 'blog', status: 'resolved' });
  await send('c', { severity: 'info' });
  await send('c', { severity: 'critical' });
  await send('d', { service: null, text: 'x'.repeat(4_000) });
  await send('e', { severity: 'warning' });
  await send('e', { severity: 'info' });
  await send('', { key: null, title: 'Alone' });
}

const SETTINGS = { severityAtLeast: 'warning', filter: 'alert.service == "shop"' };

test('tells what a destination would have got: exactly what one gets that exists', async () => {
  const url = `${receiver.url}/hook`;
  const body = { expression: '{"what": transition.type, "title": alert.title, "severity": alert.severity}' };
  const made = await client.json('POST', '/v2/destinations', {
    name: 'Receiver',
    preset: 'webhook',
    url,
    body,
    ...SETTINGS,
  });
  await desk.areKnown();
  await history();
  let messages: Record<string, string>[] = [];
  await until('all messages have ended', async () => {
    messages = (await client.get(`/v2/destinations/${made.body.data.id}/messages`)).body.data;
    return messages.length === 11 && messages.every(({ state }) => state !== 'waiting');
  });
  const rehearsal = await rehearse({ ...SETTINGS, body });
  expect(rehearsal).toMatchObject({
    isComplete: true,
    notConsidered: ['mutes'],
    alerts: 6,
    sent: 7,
    cut: 0,
    bodyFaults: [],
    filterFaults: [],
  });
  expect(rehearsal.messages.map((message: { body: string }) => message.body).sort()).toEqual(
    receiver.accepted.map(({ text }) => text).sort(),
  );
  const reasons = (list: Record<string, unknown>[]) =>
    list.map(({ state, reason }) => `${state} ${reason}`).sort();
  expect(
    rehearsal.unsent
      .flatMap(({ count, ...one }: { count: number }) => reasons(Array(count).fill(one)))
      .sort(),
  ).toEqual(reasons(messages.filter(({ state }) => state !== 'delivered')));
  expect(rehearsal.unsent).toContainEqual({
    state: 'filtered',
    reason: 'filter',
    clause: 'alert.service == "shop"',
    count: 2,
  });
  expect(rehearsal.days).toEqual([{ day: expect.any(String), sent: 7, unsent: 4 }]);
  expect(rehearsal.largestBytes).toBeGreaterThan(60);
  await client.send('DELETE', `/v2/destinations/${made.body.data.id}`);
});

test('counts storms, what the rate would have done, cut texts, faults, and alerts that were over in time', async () => {
  receiver.clear();
  const fast = await rehearse({ preset: 'discord', ratePerMinute: 1, repeatEveryMinutes: 60 });
  const notConsidered = ['mutes', 'superseding', 'repeats', 'digests'];
  expect(fast).toMatchObject({ sent: 11, notConsidered, cut: 0, rate: { perMinute: 1 } });
  expect(fast.busiestMinute.sent).toBeGreaterThan(4);
  expect(fast.rate.longestWaitSeconds).toBeGreaterThan(500);
  expect(fast.rate.delayed).toBe(9);
  expect((await rehearse({ preset: 'slack' })).cut).toBe(1);
  const settled = await rehearse({ settleSeconds: 3_600, types: ['alert.fired', 'alert.resolved'] });
  expect(settled.unsent).toEqual([
    { state: 'superseded', reason: 'settled', clause: null, count: 5 },
    { state: 'superseded', reason: 'not_told', clause: null, count: 2 },
  ]);
  const faulty = await rehearse({
    filter: 'timestamp(alert.service) > timestamp("2026-01-01T00:00:00Z")',
    body: { expression: '{"at": timestamp(alert.resolvedAt)}' },
    types: ['alert.fired'],
  });
  expect(faulty).toMatchObject({
    sent: 0,
    filterFaults: [{ count: expect.any(Number) }, { message: 'alert.service is missing' }],
  });
  expect(faulty.bodyFaults).toEqual([
    { message: 'alert.resolvedAt is missing', count: expect.any(Number), alertId: expect.any(String) },
  ]);
  expect(faulty.messages[0]).toMatchObject({ state: 'dead', reason: 'body', body: null });
  expect(receiver.all).toEqual([]);
});

test('previews the newest alerts, with the body also of what is filtered', async () => {
  const preview = async (settings: object) =>
    client.json('POST', '/v2/destinations/preview', {
      preset: 'webhook',
      webhookIds: [webhook.id],
      last: 3,
      ...settings,
    });
  const { data } = (await preview({ ...SETTINGS, body: { template: '{"t": "{{alert.title}}"}' } })).body;
  expect(
    data.map(({ alertTitle, state, reason, detail, body }: Record<string, unknown>) => [
      alertTitle,
      state,
      reason,
      detail,
      body,
    ]),
  ).toEqual([
    ['Alone', 'sent', null, null, '{"t": "Alone"}'],
    ['Hot e', 'filtered', 'severity', null, '{"t": "Hot e"}'],
    ['Hot d', 'filtered', 'filter', 'alert.service == "shop"; alert.service has no value', '{"t": "Hot d"}'],
  ]);
  const invalid = await preview({ filter: 'alert.service = "shop"' });
  expect(invalid.body).toMatchObject({
    code: 'invalid_filter',
    errors: [{ field: 'filter', line: 1, column: 15 }],
  });
});
