import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from '../../support/api/client.js';
import { makeWebhook, type TestWebhook } from '../../support/api/webhooks.js';
import { cases, enoughTime } from '../../support/effort.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import { type Received, type Receiver, status } from '../../support/outbox/receiver.js';
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
    title: { template: '{{webhook.title}}' },
    severity: { template: '{{webhook.severity}}' },
    description: { template: '{{webhook.text}}' },
    source: { template: 'boiler' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};
const event = (key: string, more: object = {}) => ({
  title: `Hot "${key}" 🔥`,
  severity: 'error',
  text: 'It is hot.',
  status: 'firing',
  key,
  ...more,
});

const mapped = () => desk.integration(MAPPING);

const destination = (more: object = {}) => desk.destination(more);

const send = (webhook: TestWebhook, payload: object) => desk.send(webhook, payload);

const messagesOf = async (id: string, query = '') =>
  (await client.get(`/v2/destinations/${id}/messages${query}`)).body.data;

const told = (received: readonly Received[]) =>
  received.map(({ text }) => {
    const { type, data } = JSON.parse(text);
    return `${type} ${data.alert.dedupKey} ${data.alert.severity}`;
  });

const settled = (id: string) =>
  until('no message waits', async () => (await messagesOf(id, '?state=waiting')).length === 0);

/** Has no message wait for its time. A worker may set another time just then, so it is done again and again. */
async function hurry(): Promise<void> {
  const due = new Date(Date.now() - 1_000);
  await stack.database('messages').where('state', 'waiting').update({ due_at: due });
  await stack.database('lanes').update({ probe_at: null, due_at: due });
}

const settledAtOnce = (id: string) =>
  until('no message waits', async () => {
    await hurry();
    return (await messagesOf(id, '?state=waiting')).length === 0;
  });

test('a destination is told when an alert fires, becomes more severe and ends, in order and signed', async () => {
  const webhook = await mapped();
  const { id, secret } = await destination();
  await send(webhook, event('a'));
  await send(webhook, event('a', { text: 'It is still hot.' }));
  await send(webhook, event('a', { severity: 'critical' }));
  await send(webhook, event('a', { status: 'resolved' }));
  await until('all is told', () => receiver.accepted.length === 3);
  expect(told(receiver.accepted)).toEqual([
    'alert.fired a error',
    'alert.changed a critical',
    'alert.resolved a critical',
  ]);
  for (const { headers, text } of receiver.accepted) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  }
  await settled(id);
  const messages = await messagesOf(id);
  expect(
    messages.map(({ change, state }: { change: string; state: string }) => `${change} ${state}`),
  ).toEqual(['resolved delivered', 'changed delivered', 'fired delivered']);
  expect(receiver.accepted.map(({ headers }) => headers['webhook-id'])).toEqual(
    messages.map(({ id }: { id: string }) => id).reverse(),
  );
  const ofAlert = (await client.get(`/v2/alerts/${messages[0].alertId}/messages`)).body.data;
  expect(ofAlert).toEqual(messages);
  expect(messages[0].alertTitle).toBe('Hot "a" 🔥');
});

test('who was told of an alert hears of its end, whatever the filter says; who was not, does not', async () => {
  const webhook = await mapped();
  const { id } = await destination({ severityAtLeast: 'critical' });
  for (const severity of ['warning', 'critical', 'info']) await send(webhook, event('b', { severity }));
  await send(webhook, event('b', { status: 'resolved', severity: 'info' }));
  await send(webhook, event('c', { severity: 'warning' }));
  await send(webhook, event('c', { severity: 'warning', status: 'resolved' }));
  await until('all are made', async () => (await messagesOf(id)).length === 6);
  await settled(id);
  expect(told(receiver.accepted)).toEqual([
    'alert.fired b critical',
    'alert.changed b info',
    'alert.resolved b info',
  ]);
  const messages = await messagesOf(id);
  const reasons = messages.map(
    ({ change, state, reason }: Record<string, string>) => `${change} ${state} ${reason}`,
  );
  expect(reasons.reverse()).toEqual([
    'fired filtered severity',
    'changed delivered null',
    'changed delivered null',
    'resolved delivered null',
    'fired filtered severity',
    'resolved superseded not_told',
  ]);
});

test('alerts that stand alone are told once', async () => {
  const webhook = await makeWebhook(client, { template: 'generic-alert', driftSeverity: null });
  const { id } = await destination({ webhookIds: [webhook.id.toUpperCase()] });
  await send(webhook, {
    alert: { name: 'Once', severity: 'error', message: 'm' },
    metadata: { service: 's' },
  });
  await send(await mapped(), event('other'));
  await until('it is told', () => receiver.accepted.length === 1);
  await settled(id);
  expect(told(receiver.accepted)).toEqual(['alert.fired null error']);
});

test('a message is sent again with the same id and bytes; later messages about its key wait, others pass', async () => {
  const webhook = await mapped();
  const { id } = await destination();
  let failures = 2;
  receiver.respond = (response, { text }) => {
    const fails = JSON.parse(text).data.alert.dedupKey === 'd' && failures-- > 0;
    response.writeHead(fails ? 503 : 200).end(fails ? 'try later' : 'thanks');
  };
  await send(webhook, event('d'));
  await until('it was tried', () => receiver.all.length === 1);
  await send(webhook, event('d', { status: 'resolved' }));
  await send(webhook, event('e'));
  await until('the other key is told', () => receiver.accepted.length === 1);
  expect(told(receiver.accepted)).toEqual(['alert.fired e error']);
  // The first retry is after 4 to 6 s, the second one after 24 to 36 s.
  await until(
    'it was tried again',
    () => told(receiver.all).filter((text) => text.includes(' d ')).length >= 2,
  );
  await settledAtOnce(id);
  expect(receiver.accepted).toHaveLength(3);
  expect(told(receiver.accepted).slice(1)).toEqual(['alert.fired d error', 'alert.resolved d error']);
  const fired = receiver.all.filter(({ text }) => text.includes('alert.fired') && text.includes('"d"'));
  expect(new Set(fired.map(({ text }) => text)).size).toBe(1);
  expect(new Set(fired.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await settled(id);
  const message = (await messagesOf(id)).find(({ attempts }: { attempts: number }) => attempts === 3);
  const { data } = (await client.get(`/v2/destinations/${id}/messages/${message.sequence}/attempts`)).body;
  expect(data.body).toBe(fired[0]?.text);
  expect(data.attempts).toMatchObject([
    { number: 1, outcome: 'http_503', status: 503, response: 'try later' },
    { number: 2, outcome: 'http_503' },
    { number: 3, outcome: 'http_200', response: 'thanks' },
  ]);
}, 40_000);

test('a destination that wants the latest only is told once of what changed while it was paused', async () => {
  const webhook = await mapped();
  const { id } = await destination({ mode: 'latest', paused: true });
  await send(webhook, event('f'));
  await send(webhook, event('f', { severity: 'critical' }));
  await send(webhook, event('g'));
  await send(webhook, event('g', { status: 'resolved' }));
  await until('messages wait', async () => (await messagesOf(id)).length === 4);
  expect((await client.get(`/v2/destinations/${id}`)).body.data).toMatchObject({
    state: 'paused',
    waiting: 4,
  });
  expect(receiver.all).toEqual([]);
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: false });
  await settled(id);
  expect(told(receiver.accepted)).toEqual(['alert.fired f critical']);
});

test('an alert that is over before it was told is not told, if the destination waits for that', async () => {
  const webhook = await mapped();
  const { id } = await destination({ settleSeconds: 2 });
  await send(webhook, event('h'));
  await send(webhook, event('h', { status: 'resolved' }));
  await send(webhook, event('i'));
  await settled(id);
  expect(told(receiver.accepted)).toEqual(['alert.fired i error']);
  expect((await messagesOf(id)).map(({ reason }: { reason: string | null }) => reason).sort()).toEqual([
    'not_told',
    null,
    'settled',
  ]);
});

test.each(['every', 'latest'])(
  'a new alert whose severity changes is waited for as long: %s',
  async (mode) => {
    const webhook = await mapped();
    const { id } = await destination({ settleSeconds: 2, mode });
    for (const key of ['over', 'on']) {
      await send(webhook, event(key));
      await send(webhook, event(key, { severity: 'critical' }));
    }
    await until('both changes are known', async () => (await messagesOf(id)).length === 4);
    await send(webhook, event('over', { status: 'resolved' }));
    await settled(id);
    expect(told(receiver.accepted)).toEqual(['alert.fired on critical']);
  },
);

test('a receiver that is gone stops its destination, and nothing is lost until somebody resumes it', async () => {
  const webhook = await mapped();
  const { id } = await destination();
  receiver.respond = status(410);
  await send(webhook, event('j'));
  await until('it is stopped', async () => {
    const { data } = (await client.get(`/v2/destinations/${id}`)).body;
    return data.state === 'stopped' && data.stoppedBecause === 'gone' && data.waiting === 1;
  });
  receiver.clear();
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: false });
  await settled(id);
  expect(told(receiver.accepted)).toEqual(['alert.fired j error']);
});

test('a destination that keeps failing is tried with one message at a time', async () => {
  const webhook = await mapped();
  const { id } = await destination();
  receiver.respond = status(500);
  for (let number = 0; number < 12; number++) await send(webhook, event(`k${number}`));
  await until(
    'it is broken',
    async () => (await client.get(`/v2/destinations/${id}`)).body.data.failures >= 5,
  );
  const tried = receiver.all.length;
  expect(tried).toBeLessThan(12);
  receiver.respond = status(204);
  await settledAtOnce(id);
  expect(receiver.accepted).toHaveLength(12);
  expect((await client.get(`/v2/destinations/${id}`)).body.data).toMatchObject({
    state: 'active',
    failures: 0,
  });
});

test('a test message says what its receiver responds', async () => {
  const { id } = await destination();
  receiver.respond = status(202, {}, 'queued');
  const { data } = (await client.send('POST', `/v2/destinations/${id}/test`)).body;
  expect(data).toMatchObject({ delivered: true, outcome: 'http_202', response: 'queued' });
  expect(JSON.parse(receiver.all[0]?.text ?? '')).toMatchObject({
    data: { alert: { title: 'Test from Muster' } },
  });
});

test('a URL that Muster would not send to is rejected when it is saved', async () => {
  for (const url of [
    'http://169.254.169.254/',
    'https://localhost/',
    'http://127.0.0.1:1/',
    'https://u:p@example.com/',
  ]) {
    const made = await client.json('POST', '/v2/destinations', { name: 'x', preset: 'webhook', url });
    expect([url, made.status, made.body.code]).toEqual([url, 400, 'invalid_url']);
  }
  const { id } = await destination();
  const changed = await client.json('PATCH', `/v2/destinations/${id}`, { url: 'http://[::1]/' });
  expect(changed.status).toBe(400);
});

test(
  'whatever fails, in the end each key was told what its alert is, and messages of a key come in order',
  async () => {
    const webhook = await mapped();
    const { id } = await destination();
    let run = 0;
    const step = fc.record({
      key: fc.integer({ min: 0, max: 4 }),
      status: fc.constantFrom('firing', 'resolved'),
      severity: fc.constantFrom('critical', 'warning'),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        run += 1;
        receiver.clear();
        const fails = steps.map((one) => one.fails);
        receiver.respond = (response) => void response.writeHead(fails.pop() ? 503 : 200).end();
        for (const { key, ...more } of steps)
          await client.json('POST', webhook.path, event(`${run}-${key}`, more));
        await until(
          'no message waits',
          async () => {
            await hurry();
            const stored = await stack
              .database('events')
              .where('webhook_id', Buffer.from(webhook.id.replaceAll('-', ''), 'hex'))
              .count({ count: '*' });
            const pending = await stack.database('outbox').count({ count: '*' });
            return (
              Number(stored[0]?.count) >= total + steps.length &&
              Number(pending[0]?.count) === 0 &&
              (await messagesOf(id, '?state=waiting')).length === 0
            );
          },
          30_000,
        );
        total += steps.length;
        const alerts = (await client.get(`/v2/alerts?webhookId=${webhook.id}&pageSize=200`)).body.data;
        const keys = new Set(steps.map(({ key }) => `${run}-${key}`));
        for (const key of keys) {
          const messages = receiver.accepted
            .map(({ text }) => JSON.parse(text).data)
            .filter(({ alert }) => alert.dedupKey === key);
          const sequences = messages.map(({ sequence }) => sequence);
          expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
          const latest = alerts.find(({ dedupKey }: { dedupKey: string }) => dedupKey === key);
          const last = messages.at(-1)?.alert;
          expect([key, last?.status, last?.id]).toEqual([key, latest?.status, latest?.id]);
          if (latest?.status === 'firing') expect(last?.severity).toBe(latest.severity);
        }
      }),
      { numRuns: cases(8) },
    );
  },
  enoughTime(120_000),
);
let total = 0;
