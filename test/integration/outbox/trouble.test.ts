import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkerServices } from '../../../workers/run/services.js';
import { checkDestinations } from '../../../workers/upkeep/check-destinations.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import type { Client } from '../../support/api/client.js';
import type { TestWebhook } from '../../support/api/webhooks.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import { type Receiver, status } from '../../support/outbox/receiver.js';
import type { Stack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const SECRET = 'a-token-that-nobody-may-see';

let desk: OutboxDesk;
let stack: Stack;
let client: Client;
let receiver: Receiver;
let webhook: TestWebhook;
/** The destination in trouble. Another one is told of it. */
let bad = '';
beforeAll(async () => {
  desk = await OutboxDesk.start();
  ({ stack, client, receiver } = desk);
  webhook = await desk.integration({
    fields: {
      title: { template: '{{webhook.key}}' },
      severity: { template: 'error' },
      description: { template: 'It is hot.' },
      dedupKey: { template: '{{webhook.key}}' },
    },
  });
  await create('Good', '/good');
  bad = await create('Bad', `/${SECRET}`);
  await desk.areKnown();
});
afterAll(() => desk.stop());

async function create(name: string, path: string): Promise<string> {
  const made = await client.json('POST', '/v2/destinations', {
    name,
    preset: 'webhook',
    url: `${receiver.url}${path}`,
    ratePerMinute: null,
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
}

async function send(key: string): Promise<void> {
  await desk.send(webhook, { key });
}

const look = () => runTurn([checkDestinations], stack.worker as WorkerServices);
const lane = (change: object) => stack.database('lanes').where({ destination_id: bad }).update(change);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const trouble = async () => (await client.get(`/v2/destinations/${bad}`)).body.data.trouble?.problem ?? null;
const alerts = async () =>
  (await client.get(`/v2/alerts?dedupKey=muster:destination:${bad}&pageSize=50`)).body.data;
/** What the good destination was told of the other one. */
const told = () =>
  receiver.accepted
    .filter(({ path, text }) => path === '/good' && text.includes('muster:destination'))
    .map(({ text }) => JSON.parse(text));

test('a destination whose receiver is gone is an alert of which another one is told, until its next success', async () => {
  receiver.respond = (response, { path }) => void response.writeHead(path === '/good' ? 204 : 410).end('x');
  await send('a');
  await until(
    'it is stopped',
    async () => (await client.get(`/v2/destinations/${bad}`)).body.data.state === 'stopped',
  );
  await look();
  expect(await alerts()).toMatchObject([
    {
      status: 'firing',
      severity: 'error',
      title: 'Destination Bad is stopped: its receiver is gone',
      custom: { destination: bad, problem: 'gone' },
      webhookId: '00000000-0000-8000-8000-6d7573746572',
    },
  ]);
  await until('the other one is told', () => told().length === 1);
  expect(told()[0]).toMatchObject({ type: 'alert.fired', data: { alert: { webhookName: 'Muster' } } });
  expect(await trouble()).toBe('gone');
  await look();
  expect(await alerts()).toMatchObject([{ eventCount: 1 }]);
  const own = (await client.get(`/v2/destinations/${bad}/messages?state=filtered`)).body.data;
  expect(own).toMatchObject([{ reason: 'own_trouble', attempts: 0 }]);

  receiver.clear();
  await client.json('POST', `/v2/destinations/${bad}/resume`, {});
  await look();
  await until('it is told again', () => receiver.accepted.some(({ path }) => path !== '/good'));
  await until(
    'that is noted',
    async () => (await client.get(`/v2/destinations/${bad}`)).body.data.waiting === 0,
  );
  await look();
  expect(await alerts()).toMatchObject([{ status: 'resolved', resolution: 'A message was delivered.' }]);
  expect(await trouble()).toBe(null);
  await until('the other one is told', () => told().length === 1);
  expect(told()[0]).toMatchObject({ type: 'alert.resolved' });
  expect(receiver.all.filter(({ path, text }) => path !== '/good' && text.includes('muster:'))).toEqual([]);

  const events = await stack.database('events').where('state', 'internal').select('raw');
  const shown = JSON.stringify([
    await alerts(),
    told(),
    events.map(({ raw }) => raw.toString()),
    stack.lines,
  ]);
  expect(events.length).toBe(2);
  expect(shown).not.toContain(SECRET);
});

test('a destination that fails for long, that cannot be read, or that did not get a message is in trouble', async () => {
  await lane({ failures: 6, failing_since: minutesAgo(14) });
  await look();
  expect(await trouble()).toBe(null);
  await lane({ failing_since: minutesAgo(16) });
  await look();
  expect([await trouble(), (await alerts())[0]]).toMatchObject([
    'failing',
    { title: 'Destination Bad fails' },
  ]);

  const [{ url }] = (await stack.database('destinations').where({ id: bad }).select('url')) as [
    { url: Buffer },
  ];
  await stack
    .database('destinations')
    .where({ id: bad })
    .update({ url: Buffer.from('of another key') });
  await look();
  expect([await trouble(), (await alerts()).length]).toEqual(['unreadable', 2]);
  await stack.database('destinations').where({ id: bad }).update({ url });
  await lane({ failures: 0, failing_since: null });
  await look();
  expect([await trouble(), (await alerts())[0].status]).toEqual([null, 'resolved']);

  receiver.respond = status(400);
  await send('b');
  await until('it was tried', () =>
    receiver.all.some(({ path, text }) => path !== '/good' && text.includes('"b"')),
  );
  await stack
    .database('messages')
    .where({ state: 'waiting' })
    .update({ attempts: 2, due_at: minutesAgo(1) });
  await until('it is dead', async () => {
    await lane({ due_at: minutesAgo(1), probe_at: null });
    return (await client.get(`/v2/destinations/${bad}/messages?state=dead`)).body.data.length === 1;
  });
  await look();
  expect([await trouble(), (await alerts())[0]]).toMatchObject([
    'dead',
    { status: 'firing', description: expect.stringContaining('`http_400`') },
  ]);
  receiver.clear();
  await client.json('POST', `/v2/destinations/${bad}/replay`, {}, { prefer: 'wait=10' });
  await until(
    'it is delivered',
    async () => (await client.get(`/v2/destinations/${bad}/given-up`)).body.data.length === 0,
  );
  await look();
  expect(await trouble()).toBe('dead');
  await lane({ dead_at: minutesAgo(16) });
  await look();
  expect(await trouble()).toBe(null);
});

test('a destination that asks to wait each time is in trouble, too', async () => {
  receiver.respond = (response, { path }) =>
    void response.writeHead(path === '/good' ? 204 : 429, { 'retry-after': '900' }).end();
  await send('limited');
  const lanes = () => stack.database('lanes').where({ destination_id: bad });
  await until('it asks to wait', async () => (await lanes())[0]?.failing_since !== null);
  await look();
  expect(await trouble()).toBe(null);
  await lane({ failing_since: minutesAgo(16) });
  await look();
  expect([await trouble(), (await alerts())[0]]).toMatchObject([
    'failing',
    { status: 'firing', description: expect.stringContaining('`http_429`') },
  ]);
  receiver.clear();
  await stack
    .database('messages')
    .where({ state: 'waiting' })
    .update({ due_at: minutesAgo(1) });
  await lane({ due_at: minutesAgo(1), probe_at: null });
  await until('it is told', async () => (await lanes())[0]?.failing_since === null);
  await look();
  expect([await trouble(), (await alerts())[0].status]).toEqual([null, 'resolved']);
});

test('three days without a success stop a destination only if 20 messages failed, and deleting it ends its alert', async () => {
  receiver.respond = (response, { path }) => void response.writeHead(path === '/good' ? 204 : 500).end();
  const tried = () => receiver.all.filter(({ path }) => path !== '/good').length;
  const state = async () => {
    await stack
      .database('messages')
      .where({ state: 'waiting' })
      .update({ due_at: minutesAgo(1) });
    await lane({ failing_since: minutesAgo(4 * 24 * 60), due_at: minutesAgo(1), probe_at: null });
    return (await client.get(`/v2/destinations/${bad}`)).body.data.state;
  };
  await send('c');
  await until('it was tried', async () => (await state()) === 'failing' && tried() > 2);
  for (let number = 0; number < 19; number++) await send(`d${number}`);
  await until('it is stopped', async () => (await state()) === 'stopped');
  await look();
  expect(await trouble()).toBe('stopped');
  await client.send('DELETE', `/v2/destinations/${bad}`);
  await look();
  expect(await alerts()).toMatchObject([{ status: 'resolved' }, {}, {}, {}, {}]);
});
