import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import type { TestWebhook } from '../../support/api/webhooks.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import type { Receiver } from '../../support/outbox/receiver.js';
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
});
beforeEach(async () => {
  await desk.deleteDestinations();
  receiver.clear();
  webhook = await desk.integration(MAPPING);
});
afterAll(() => desk.stop());

const MAPPING = {
  fields: {
    title: { template: '{{webhook.key}}' },
    severity: { template: '{{webhook.severity}}' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

const destination = async (more: object): Promise<string> => (await desk.destination(more)).id;

const change = (id: string, more: object) => client.json('PATCH', `/v2/destinations/${id}`, more);

async function send(key: string, more: object = {}): Promise<void> {
  const payload = { key, status: 'firing', severity: 'error', ...more };
  await desk.send(webhook, payload);
}

const told = () =>
  receiver.accepted.map(({ text }) => {
    const { type, data } = JSON.parse(text);
    return `${type} ${data.alert.dedupKey} ${data.alert.severity}`;
  });

const nothingWaits = () => desk.nothingWaits();

/** Lets so many minutes pass for what destinations know. */
async function pass(minutes: number): Promise<void> {
  const { database } = stack;
  const before = (column: string) => database.raw('?? - INTERVAL ? MINUTE', [column, minutes]);
  await database('beliefs').update({ told_at: before('told_at'), repeat_from: before('repeat_from') });
  await database('lanes')
    .whereNotNull('due_at')
    .update({ due_at: before('due_at') });
}

/** Waits until a worker has looked for what is to be told again: then it is due later, or no worker takes the lane. */
const looked = (id: string) =>
  until('a worker has looked', async () => {
    const rows = await stack
      .database('lanes')
      .where({ destination_id: id })
      .where((query) => query.where('due_at', '<=', new Date()).orWhereNotNull('lease'));
    return rows.length === 0;
  });

async function passed(id: string, minutes: number): Promise<void> {
  await pass(minutes);
  await looked(id);
  await nothingWaits();
}

const reasonsOf = async (id: string) =>
  (await client.get(`/v2/destinations/${id}/messages`)).body.data.map(
    ({ change, state, reason }: Record<string, string>) => `${change} ${state} ${reason}`,
  );

test('a destination is told again of an alert that still fires, counted from when it was told last', async () => {
  const id = await destination({ repeatEveryMinutes: 60 });
  await send('a');
  await send('once', { key: null });
  await nothingWaits();
  await passed(id, 59);
  expect(told()).toHaveLength(2);
  await passed(id, 2);
  expect(told().slice(2)).toEqual(['alert.repeated a error']);
  await passed(id, 40);
  await send('a', { severity: 'critical' });
  await nothingWaits();
  await passed(id, 40);
  expect(told().slice(3)).toEqual(['alert.changed a critical']);
  await passed(id, 21);
  await send('a', { status: 'resolved' });
  await nothingWaits();
  await passed(id, 200);
  expect(told().slice(4)).toEqual(['alert.repeated a critical', 'alert.resolved a critical']);
  expect(await reasonsOf(id)).toContain('repeated delivered null');
});

test('the setting counts from the last message, also if it is made later, and only while it is made', async () => {
  const id = await destination({});
  await send('a');
  await nothingWaits();
  await passed(id, 100);
  expect(told()).toHaveLength(1);
  await change(id, { repeatEveryMinutes: 90 });
  await until('it is told again', () => told().length === 2);
  await nothingWaits();
  await change(id, { repeatEveryMinutes: null });
  await passed(id, 100);
  expect(told()).toEqual(['alert.fired a error', 'alert.repeated a error']);
});

test('a paused destination is told once afterwards, and a filtered or muted one is not told again', async () => {
  const id = await destination({ repeatEveryMinutes: 60 });
  await send('a');
  await send('b');
  await nothingWaits();
  await change(id, { paused: true });
  await pass(61);
  await send('b', { status: 'resolved' });
  await until('the end waits', async () => (await reasonsOf(id)).includes('resolved waiting null'));
  await pass(300);
  await change(id, { paused: false });
  await until('all is told', () => told().length === 4);
  await nothingWaits();
  expect(told().slice(2).sort()).toEqual(['alert.repeated a error', 'alert.resolved b error']);
  await change(id, { severityAtLeast: 'critical' });
  await passed(id, 61);
  await until('it is filtered', async () => (await reasonsOf(id)).includes('repeated filtered severity'));
  await change(id, { severityAtLeast: null });
  await client.json('PATCH', `/v2/webhooks/${webhook.id}`, {
    mutedUntil: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await passed(id, 61);
  await until('it is muted', async () => (await reasonsOf(id)).includes('repeated muted muted'));
  expect(told()).toHaveLength(4);
});

test('Alertmanager keeps an alert as long as it fires, also while its integration is muted', async () => {
  const id = await destination({ preset: 'alertmanager' });
  await send('a');
  await nothingWaits();
  await client.json('PATCH', `/v2/webhooks/${webhook.id}`, {
    mutedUntil: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await change(id, { severityAtLeast: 'critical' });
  await passed(id, 61);
  await until('it is refreshed', () => receiver.accepted.length === 2);
  const ends = receiver.accepted.map(({ text }) => Date.parse(JSON.parse(text)[0].endsAt));
  expect(Math.min(...ends)).toBeGreaterThan(Date.now() + 25 * 3_600_000);
  await nothingWaits();
  await passed(id, 30);
  expect(receiver.accepted).toHaveLength(2);
});
