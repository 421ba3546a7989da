import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { settleMessages } from '../../../workers/upkeep/tell-destinations.js';
import type { Client } from '../../support/api/client.js';
import { receiptOf, type TestWebhook } from '../../support/api/webhooks.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import { ok, type Receiver } from '../../support/outbox/receiver.js';
import type { Stack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let desk: OutboxDesk;
let stack: Stack;
let client: Client;
let receiver: Receiver;
beforeAll(async () => {
  desk = await OutboxDesk.start();
  ({ stack, client, receiver } = desk);
});
beforeEach(async () => {
  await desk.deleteDestinations();
  receiver.clear();
});
afterAll(() => desk.stop());

const MAPPING = {
  fields: {
    title: { template: '{{webhook.key}}' },
    description: { template: '{{webhook.text}}' },
    severity: { template: '{{webhook.severity}}' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

const mapped = () => desk.integration(MAPPING);

const create = async (more: object = {}): Promise<string> => (await desk.create(more)).id;

const areKnown = () => desk.areKnown();

const destination = async (more: object = {}): Promise<string> => (await desk.destination(more)).id;

const post = ({ path }: TestWebhook, key: string, more: object = {}) =>
  client.json('POST', path, { key, status: 'firing', severity: 'error', text: '', ...more });

async function send(webhook: TestWebhook, key: string, more: object = {}): Promise<void> {
  await receiptOf(client, (await post(webhook, key, more)).body.eventId);
}

const dataOf = (text: string) => JSON.parse(text).data;
const told = () =>
  receiver.accepted.map(({ text }) => `${JSON.parse(text).type} ${dataOf(text).alert.dedupKey}`);

const messagesOf = async (id: string, query = '') =>
  (await client.get(`/v2/destinations/${id}/messages${query}`)).body.data;
const settled = (id: string, ms = 30_000) =>
  until('no message waits', async () => (await messagesOf(id, '?state=waiting')).length === 0, ms);
const areDue = async () => {
  const past = new Date(Date.now() - 1_000);
  await stack.database('messages').where('state', 'waiting').update({ due_at: past });
  await stack.database('lanes').whereNotNull('due_at').update({ due_at: past, probe_at: null });
};

test('a destination whose URL cannot be decrypted is left alone for a minute, and its messages wait', async () => {
  const webhook = await mapped();
  const id = await destination();
  const readable = await stack.database('destinations').where({ id }).first('url');
  await stack
    .database('destinations')
    .where({ id })
    .update({ url: Buffer.alloc(40) });
  await send(webhook, 'a');
  const warnings = () => stack.lines.filter((line) => line.includes('cannot be read')).length;
  await until('it is noticed', () => warnings() > 0);
  await send(webhook, 'b');
  await sleep(2_500);
  expect(warnings()).toBe(1);
  await stack
    .database('destinations')
    .where({ id })
    .update({ url: readable?.url ?? Buffer.alloc(0) });
  await areDue();
  await settled(id);
  expect(told().sort()).toEqual(['alert.fired a', 'alert.fired b']);
});

test('the rate of a destination is kept, also for messages that come one by one', async () => {
  const webhook = await mapped();
  const id = await destination({ ratePerMinute: 40 });
  for (const key of ['a', 'b', 'c', 'd']) {
    await send(webhook, key);
    await sleep(200);
  }
  await settled(id);
  const times = receiver.accepted.map(({ at }) => at);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps).toHaveLength(3);
  expect(Math.min(...gaps)).toBeGreaterThan(1_400);
});

test('a destination that is paused, moved or deleted while messages are sent gets no more of them', async () => {
  const webhook = await mapped();
  const id = await destination({ ratePerMinute: 300 });
  for (let number = 0; number < 20; number++) await post(webhook, `a${number}`);
  await until('some are told', () => receiver.accepted.length >= 3);
  await client.json('PATCH', `/v2/destinations/${id}`, { url: `${receiver.url}/moved` });
  await sleep(300);
  const atOldUrl = receiver.all.filter(({ path }) => path === '/hook').length;
  await until('it goes on', () => receiver.all.some(({ path }) => path === '/moved'));
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: true });
  await sleep(300);
  const before = receiver.all.length;
  await sleep(1_000);
  expect(receiver.all).toHaveLength(before);
  expect(receiver.all.filter(({ path }) => path === '/hook')).toHaveLength(atOldUrl);
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: false });
  await until('it goes on', () => receiver.all.length > before);
  await client.send('DELETE', `/v2/destinations/${id}`);
  await sleep(300);
  const atEnd = receiver.all.length;
  await sleep(1_000);
  expect(receiver.all).toHaveLength(atEnd);
  expect(atEnd).toBeLessThan(20);
  expect(new Set(receiver.all.map(({ headers }) => headers['webhook-id'])).size).toBe(atEnd);
});

test('a lane is kept while a request takes long, and the request is given up once another worker has the lane', async () => {
  const webhook = await mapped();
  const id = await destination();
  const givenUp: string[] = [];
  receiver.respond = (response, { text }) => void response.on('close', () => givenUp.push(text));
  await send(webhook, 'a');
  await until('it is sent', () => receiver.all.length === 1);
  const own = () => stack.database('lanes').where({ destination_id: id });
  const leaseUntil = async () => +((await own().first('lease_until'))?.lease_until ?? 0);
  const before = await leaseUntil();
  await until('the lease is renewed', async () => (await leaseUntil()) > before);
  receiver.respond = ok;
  await own().update({ lease: 'of another', lease_until: new Date(Date.now() + 4_000) });
  await until('it is given up', () => givenUp.length === 1);
  expect(receiver.all).toHaveLength(1);
  await settled(id);
  expect(new Set(receiver.all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(told()).toEqual(['alert.fired a']);
});

test('messages that wait end with their destination', async () => {
  const webhook = await mapped();
  const id = await destination({ paused: true });
  await send(webhook, 'a');
  await until('it waits', async () => (await messagesOf(id)).length === 1);
  const [{ alertId }] = await messagesOf(id);
  await client.send('DELETE', `/v2/destinations/${id}`);
  if (!stack.worker) throw new Error('there is a worker');
  await runTurn([settleMessages], stack.worker);
  const { data } = (await client.get(`/v2/alerts/${alertId}/messages`)).body;
  expect(data).toMatchObject([{ state: 'expired', reason: 'deleted', dueAt: null }]);
});

test('who may have been told of an alert without saying so is told of its end', async () => {
  const webhook = await mapped();
  const id = await destination({ mode: 'latest' });
  receiver.respond = (response) => void response.destroy();
  await send(webhook, 'a');
  await until('it was tried', () => receiver.all.length > 0);
  await until('that is noted', async () => (await messagesOf(id))[0]?.attempts === 1);
  receiver.respond = ok;
  await send(webhook, 'a', { status: 'resolved' });
  await settled(id);
  expect(told()).toEqual(['alert.resolved a']);
});

test('who was told of an alert hears of its end, also if it hears of another integration now', async () => {
  const [webhook, other] = [await mapped(), await mapped()];
  const id = await destination();
  await send(webhook, 'a');
  await settled(id);
  await client.json('PATCH', `/v2/destinations/${id}`, { webhookIds: [other.id] });
  await send(webhook, 'b');
  for (const key of ['a', 'b']) await send(webhook, key, { status: 'resolved' });
  await send(other, 'c');
  await until('the last is told', () => told().includes('alert.fired c'));
  expect(told()).toEqual(['alert.fired a', 'alert.resolved a', 'alert.fired c']);
});

test('a new destination is not told of what was left in the outbox when the last one was deleted', async () => {
  const webhook = await mapped();
  await destination();
  await desk.deleteDestinations();
  await send(webhook, 'a');
  await until('the outbox is empty', async () => (await stack.database('outbox')).length === 0);
  await destination();
  await send(webhook, 'b');
  await until('it is told', () => receiver.accepted.length > 0);
  expect(told()).toEqual(['alert.fired b']);
});

test('many long alerts at once, and many changes of one alert, are told', async () => {
  const webhook = await mapped();
  const id = await destination({ paused: true });
  const text = 'x'.repeat(16_000);
  const severities = ['error', 'warning'];
  await Promise.all(Array.from({ length: 100 }, (_, number) => post(webhook, `k${number}`, { text })));
  for (let number = 0; number < 100; number++)
    await post(webhook, 'k0', { severity: severities[number % 2] });
  await until('the outbox is empty', async () => {
    const alerts = await stack.database('alerts').where({ webhook_id: binary(webhook.id) });
    return alerts.length === 100 && (await stack.database('outbox')).length === 0;
  });
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: false, ratePerMinute: null });
  await settled(id);
  expect(new Set(told()).size).toBeGreaterThanOrEqual(100);
});

const binary = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

test('destinations that do not respond leave the others their speed', async () => {
  const webhook = await mapped();
  for (let number = 0; number < 50; number++)
    await create({ name: `${number}`, url: `${receiver.url}/${number < 40 ? 'hangs' : 'responds'}` });
  await areKnown();
  receiver.respond = (response, { path }) => {
    if (path === '/responds') response.writeHead(204).end();
  };
  for (let number = 0; number < 15; number++) await post(webhook, `k${number}`);
  // One after the other, the 40 would hold a place for 15 s each.
  await until('the others are told', () => receiver.accepted.length === 150, 60_000);
  expect(receiver.all.some(({ path }) => path === '/hangs')).toBe(true);
}, 90_000);

test('a flood to one destination does not delay another one, and is told completely', async () => {
  const webhook = await mapped();
  const slow = await create({ url: `${receiver.url}/slow`, ratePerMinute: 60 });
  const fast = await create({ url: `${receiver.url}/fast`, ratePerMinute: null });
  await areKnown();
  for (let start = 0; start < 300; start += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => post(webhook, `k${start + index}`)));
  const toFast = () => receiver.accepted.filter(({ path }) => path === '/fast').length;
  await until('all is told to the fast one', () => toFast() === 300, 60_000);
  await settled(fast);
  expect(toFast()).toBe(300);
  expect((await messagesOf(slow, '?state=waiting')).length).toBeGreaterThan(0);
}, 120_000);
