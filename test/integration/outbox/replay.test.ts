import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook, receiptOf, type TestWebhook } from '../../support/api/webhooks.js';
import { cases, enoughTime } from '../../support/effort.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import { type Receiver, status } from '../../support/outbox/receiver.js';
import type { Stack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let desk: OutboxDesk;
let stack: Stack;
let client: Client;
let receiver: Receiver;
let webhook: TestWebhook;
beforeAll(async () => {
  desk = await OutboxDesk.start();
  ({ stack, client, receiver } = desk);
  webhook = await desk.integration(MAPPING);
});
beforeEach(async () => {
  await desk.deleteDestinations();
  receiver.clear();
});
afterAll(() => desk.stop());

const MAPPING = {
  fields: {
    title: { template: '{{webhook.key}}' },
    description: { template: 'It is hot.' },
    severity: { template: '{{webhook.severity}}' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

const destination = async (more: object = {}): Promise<string> =>
  (await desk.destination({ ratePerMinute: null, ...more })).id;

const post = (key: string, more: object = {}) =>
  client.json('POST', webhook.path, { key, status: 'firing', severity: 'error', ...more });
async function send(key: string, more: object = {}): Promise<void> {
  await receiptOf(client, (await post(key, more)).body.eventId);
}

const isFannedOut = async () => (await stack.database('outbox').select('id').limit(1)).length === 0;
/** Waits until all that was sent is told, or not to be told. */
const settled = (id: string) =>
  until(
    'no message waits',
    async () => (await isFannedOut()) && (await desk.messagesOf(id, '&state=waiting')).length === 0,
  );
const told = () =>
  receiver.accepted.map(({ text }) => {
    const { type, data } = JSON.parse(text);
    return `${type} ${data.alert.dedupKey ?? 'alone'} ${data.alert.severity}`;
  });

/** Ends messages that wait as if they had been given up, after an attempt if they had one. */
async function giveUp(id: string, count: number, state: 'dead' | 'expired' = 'dead'): Promise<void> {
  await until('they wait', async () => {
    const waiting = await desk.messagesOf(id, '&state=waiting');
    const isTried = ({ attempts }: { attempts: number }) => state === 'expired' || attempts > 0;
    return waiting.filter(isTried).length === count;
  });
  // An attempt may just be ending.
  await until('no lane runs', async () => (await stack.database('lanes').whereNotNull('lease')).length === 0);
  await stack
    .database('messages')
    .where({ destination_id: id, state: 'waiting' })
    .update({ state, reason: state === 'dead' ? 'http_400' : 'expired', ended_at: new Date() });
}

const replay = (id: string, body: object = {}) =>
  client.json('POST', `/v2/destinations/${id}/replay`, body, { prefer: 'wait=30' });

test('what was given up is counted by reason, and sent again once, with the same id and bytes', async () => {
  const id = await destination();
  receiver.respond = status(400);
  for (const key of ['a', 'b']) await send(key);
  await giveUp(id, 2);
  expect((await client.get(`/v2/destinations/${id}/given-up`)).body.data).toMatchObject([
    { state: 'dead', reason: 'http_400', class: 'status', count: 2 },
  ]);
  const tried = [...receiver.all];
  receiver.clear();

  const dry = (await replay(id, { dryRun: true })).body.data;
  expect(dry).toMatchObject({
    type: 'message-replay',
    state: 'completed',
    counts: { total: 2, replayed: 2, superseded: 0, skipped: 0, ends: 0 },
  });
  const list = (await client.get(dry.links.file)).text;
  expect(list.split('\n').slice(0, 2)).toEqual([
    expect.stringContaining('sequence,id,alertId'),
    expect.stringContaining(',dead,http_400,1,'),
  ]);
  expect((await desk.messagesOf(id, '&state=dead')).length).toBe(2);

  expect((await replay(id, { reasons: ['dns'] })).body.data.counts.total).toBe(0);
  expect((await replay(id)).body.data.counts).toMatchObject({ total: 2, replayed: 2 });
  await settled(id);
  const byId = (received: readonly { headers: { [name: string]: unknown }; text: string }[]) =>
    new Map(received.map(({ headers, text }) => [headers['webhook-id'], text]));
  expect(byId(receiver.accepted)).toEqual(byId(tried));
  expect((await desk.messagesOf(id))[0]).toMatchObject({
    state: 'delivered',
    attempts: 2,
    replayedAt: expect.any(String),
  });
  expect((await replay(id)).body.data.counts.total).toBe(0);
});

test('one message is sent again, but not twice, unless as a new one', async () => {
  const id = await destination();
  await send('c');
  await settled(id);
  const [{ sequence, id: before }] = await desk.messagesOf(id);
  const one = (body: object) =>
    client.json('POST', `/v2/destinations/${id}/messages/${sequence}/replay`, body);
  expect((await one({})).body.data.counts).toMatchObject({ total: 1, replayed: 0, skipped: 1 });
  expect(receiver.accepted).toHaveLength(1);
  const again = await one({ asNew: true });
  expect([again.status, again.body.data.counts]).toMatchObject([200, { replayed: 1 }]);
  await until('it came again', () => receiver.accepted.length === 2);
  expect(receiver.accepted[1]?.text).toBe(receiver.accepted[0]?.text);
  expect(receiver.accepted.map(({ headers }) => headers['webhook-id'])).toEqual([before, `${before}_1`]);
  expect((await replay(id, { states: ['delivered'] })).status).toBe(400);
  expect((await client.json('POST', `/v2/destinations/${id}/messages/1/replay`, {})).status).toBe(404);
});

test('the end of an alert is told with its beginning, and what a destination knows of later ones stays', async () => {
  const id = await destination({ paused: true });
  await send('d');
  await giveUp(id, 1, 'expired');
  await client.json('POST', `/v2/destinations/${id}/resume`, {});
  await send('d', { status: 'resolved' });
  await until(
    'the end was not told',
    async () => (await desk.messagesOf(id, '&reason=not_told')).length === 1,
  );
  expect((await replay(id)).body.data.counts).toMatchObject({ total: 1, replayed: 1, ends: 1 });
  await settled(id);
  expect(told()).toEqual(['alert.fired d error', 'alert.resolved d error']);

  receiver.respond = status(400);
  await send('e', { severity: 'warning' });
  await giveUp(id, 1);
  receiver.clear();
  await send('e', { severity: 'critical' });
  await settled(id);
  expect((await replay(id)).body.data.counts).toMatchObject({ total: 1, replayed: 1 });
  await settled(id);
  expect(told()).toEqual(['alert.fired e critical', 'alert.fired e warning']);
  await send('e', { severity: 'critical', status: 'resolved' });
  await settled(id);
  expect(told().at(-1)).toBe('alert.resolved e critical');
});

test(
  'a replay during live traffic never tells a destination of mode latest something older',
  async () => {
    const id = await destination({ mode: 'latest' });
    const messages = () => stack.database('messages').where({ destination_id: id });
    receiver.respond = (response) => void response.writeHead(Math.random() < 0.3 ? 400 : 200).end();
    const rejected = () => messages().where('state', 'waiting').where('attempts', '>', 0);
    const jobs: Promise<{ body: { data: { counts: { replayed: number } } } }>[] = [];
    const pick = <T>(...of: T[]) => of[Math.floor(Math.random() * of.length)];
    const change = () =>
      post(`live-${pick(0, 1, 2, 3)}`, {
        status: pick('firing', 'firing', 'resolved'),
        severity: pick('critical', 'error', 'warning'),
      });
    for (let round = 0; round < cases(6); round++) {
      await Promise.all(Array.from({ length: 12 }, change));
      await until('a message is rejected', async () => {
        await change();
        await stack.database('lanes').update({ failures: 0, probe_at: null });
        return (await isFannedOut()) && (await rejected()).length > 0;
      });
      const isOdd = round % 2 === 1;
      await rejected().update({
        state: isOdd ? 'dead' : 'expired',
        reason: 'http_400',
        ended_at: new Date(),
      });
      // Without waiting: the changes of the next round come meanwhile.
      jobs.push(replay(id, { states: ['dead', 'expired', ...(isOdd ? ['delivered'] : [])], asNew: isOdd }));
    }
    receiver.respond = status(204);
    const replayed = (await Promise.all(jobs)).map(({ body }) => body.data.counts.replayed);
    await until('no message waits', async () => {
      await messages()
        .where('state', 'waiting')
        .update({ due_at: new Date(Date.now() - 1_000) });
      await stack.database('lanes').update({ probe_at: null, due_at: new Date(Date.now() - 1_000) });
      return (await isFannedOut()) && (await desk.messagesOf(id, '&state=waiting')).length === 0;
    });
    expect(Math.max(...replayed)).toBeGreaterThan(0);
    for (let key = 0; key < 4; key++) {
      const sequences = receiver.accepted
        .map(({ text }) => JSON.parse(text).data)
        .filter(({ alert }) => alert.dedupKey === `live-${key}`)
        .map(({ sequence }) => sequence);
      expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
    }
  },
  enoughTime(60_000),
);

test('a canceled replay keeps what it has not handed over, and a paused destination gets none', async () => {
  const id = await destination({ ratePerMinute: 60 });
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: true });
  for (const key of ['f', 'g', 'h', 'i']) await send(key);
  await giveUp(id, 4, 'expired');
  const held = await replay(id);
  expect([held.status, held.body.code]).toEqual([409, 'destination_held']);
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: false });
  // Who may send messages again may also stop that.
  const weak = await Client.of(stack, 'destinations:write');
  const { jobId } = (await weak.json('POST', `/v2/destinations/${id}/replay`, {}, { prefer: 'wait=0' })).body;
  await until('the first one came', () => receiver.accepted.length === 1);
  expect((await weak.send('POST', `/v2/jobs/${jobId}/cancel`)).status).toBeLessThan(300);
  await until(
    'it is canceled',
    async () => (await client.get(`/v2/jobs/${jobId}`)).body.data.state === 'canceled',
  );
  await settled(id);
  expect((await weak.send('POST', `/v2/jobs/${jobId}/retry`)).body.code).toBe('job_not_failed');
  const left = (await desk.messagesOf(id, '&state=expired')).length;
  expect(left + receiver.accepted.length).toBe(4);
  expect(left).toBeGreaterThan(0);
});

test.each([
  [
    'all',
    [
      'alert.fired a error',
      'alert.changed a critical',
      'alert.fired b error',
      'alert.resolved b error',
      'alert.resolved d error',
      'alert.fired alone error',
    ],
  ],
  ['latest', ['alert.fired a critical', 'alert.resolved d error', 'alert.fired alone error']],
  ['firing', ['alert.fired a critical', 'alert.resolved d error']],
  ['none', []],
])('a destination that is resumed with %s is told that of what waited', async (deliver, expected) => {
  const own = (key: string) => `${key}-${deliver}`;
  const id = await destination();
  await send(own('d'));
  await settled(id);
  receiver.clear();
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: true });
  await send(own('a'));
  await send(own('a'), { severity: 'critical' });
  await send(own('b'));
  await send(own('b'), { status: 'resolved' });
  await send(own('d'), { status: 'resolved' });
  const alone = await makeWebhook(client, { template: 'generic-alert', driftSeverity: null });
  const { eventId } = (
    await client.json('POST', alone.path, {
      alert: { name: 'Once', severity: 'error', message: 'm' },
      metadata: { service: 's' },
    })
  ).body;
  await receiptOf(client, eventId);
  await until('all wait', async () => (await desk.messagesOf(id, '&state=waiting')).length === 6);
  const resumed = await client.json('POST', `/v2/destinations/${id}/resume`, { deliver });
  expect([resumed.status, resumed.body.data.state]).toEqual([200, 'active']);
  await settled(id);
  expect(
    told()
      .map((text) => text.replace(`-${deliver}`, ''))
      .sort(),
  ).toEqual([...expected].sort());
  const canceled = await desk.messagesOf(id, '&state=canceled');
  expect(canceled.length).toBe({ none: 6, firing: 1 }[deliver] ?? 0);
  if (deliver === 'none') expect((await replay(id)).body.data.counts).toMatchObject({ replayed: 6 });
  await send(own('z'));
  await until('what comes then is told', () => told().includes(`alert.fired ${own('z')} error`));
});
