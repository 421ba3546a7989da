import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { settleMessages } from '../../../workers/upkeep/tell-destinations.js';
import type { Client } from '../../support/api/client.js';
import type { TestWebhook } from '../../support/api/webhooks.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import { ok, type Receiver } from '../../support/outbox/receiver.js';
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
  webhook = await desk.integration(mappingBy('{{webhook.key}}'));
});
afterAll(() => desk.stop());

const mappingBy = (dedupKey: string) => ({
  fields: {
    title: { template: '{{webhook.key}}' },
    severity: { template: '{{webhook.severity}}' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: dedupKey },
  },
});

const destination = async (path: string): Promise<string> =>
  (await desk.destination({ name: path, url: `${receiver.url}/${path}` })).id;

async function send(key: string, status: string, severity = 'error'): Promise<void> {
  await desk.send(webhook, { key, status, severity });
}

const told = () =>
  receiver.accepted.map(({ path, text }) => {
    const { type, data } = JSON.parse(text);
    return `${path} ${type} ${data.alert.dedupKey} ${data.alert.severity}`;
  });

const nothingWaits = () => desk.nothingWaits();

const mute = (mutedUntil: string | null) =>
  client.json('PATCH', `/v2/webhooks/${webhook.id}`, { mutedUntil });
const settle = () => {
  if (!stack.worker) throw new Error('there is a worker');
  return runTurn([settleMessages], stack.worker);
};
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test('while an integration is muted nothing is told, and afterwards what still fires or has ended since', async () => {
  const ids = [await destination('a'), await destination('b')];
  await send('ends', 'firing');
  await send('stays', 'firing');
  await nothingWaits();
  expect(told()).toHaveLength(4);
  receiver.clear();
  await mute(inAnHour());
  await send('ends', 'resolved');
  await send('stays', 'firing', 'critical');
  await send('new', 'firing');
  await send('new', 'firing', 'critical');
  await send('short', 'firing');
  await send('short', 'resolved');
  await nothingWaits();
  await settle();
  await nothingWaits();
  expect(told()).toEqual([]);
  for (const id of ids) {
    const { data } = (await client.get(`/v2/destinations/${id}/messages?state=muted`)).body;
    expect(data).toHaveLength(6);
  }
  await mute(null);
  await settle();
  await settle();
  await nothingWaits();
  expect(told().sort()).toEqual(
    ['/a', '/b'].flatMap((path) => [
      `${path} alert.changed stays critical`,
      `${path} alert.fired new critical`,
      `${path} alert.resolved ends error`,
    ]),
  );
  // Each series is told once, however many destinations there are.
  for (const id of ids) {
    const { data } = (await client.get(`/v2/destinations/${id}/messages?state=superseded`)).body;
    expect(data.map(({ reason }: { reason: string }) => reason)).toEqual(Array(6).fill('muted'));
  }
});

test('a mute that ends by itself is over by the clock of the database', async () => {
  await destination('a');
  await mute(inAnHour());
  await send('new', 'firing');
  await nothingWaits();
  await stack
    .database('webhooks')
    .where({ id: webhook.id })
    .update({ muted_until: stack.database.raw('UTC_TIMESTAMP(3)') });
  await settle();
  await nothingWaits();
  expect(told()).toEqual(['/a alert.fired new error']);
});

test('who may have been told of an alert without saying so hears of its end after a mute', async () => {
  await destination('a');
  receiver.respond = (response) => void response.destroy();
  await send('x', 'firing');
  // Between two attempts: an attempt that is under way would still tell it.
  const isBetween = stack.database.raw('due_at > UTC_TIMESTAMP(3) + INTERVAL 1 SECOND');
  const giveUp = () =>
    stack
      .database('messages')
      .where({ state: 'waiting', attempts: 1 })
      .where(isBetween)
      .update({ state: 'dead', reason: 'reset', ended_at: new Date() });
  await until('it was tried and given up', async () => (await giveUp()) === 1);
  receiver.respond = ok;
  await mute(inAnHour());
  await send('x', 'resolved');
  await nothingWaits();
  await mute(null);
  await settle();
  await nothingWaits();
  expect(told()).toEqual(['/a alert.resolved x error']);
});

async function job(started: { status: number; text: string; body: { jobId: string } }): Promise<void> {
  if (started.status > 202) throw new Error(started.text);
  const { data } = (await client.jobEnd(started.body.jobId)).body;
  expect(data).toMatchObject({ state: 'completed' });
}

test('after a remap, the alerts that are gone are over, and the new ones are told', async () => {
  await destination('a');
  await send('x', 'firing');
  await send('y', 'firing');
  await send('y', 'resolved');
  await nothingWaits();
  receiver.clear();
  await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mappingBy('new {{webhook.key}}'));
  await job(await client.json('POST', `/v2/webhooks/${webhook.id}/remap`, {}));
  await nothingWaits();
  expect(told().sort()).toEqual(['/a alert.fired new x error', '/a alert.resolved x error']);
  expect(receiver.accepted.map(({ text }) => JSON.parse(text).data.alert.status).sort()).toEqual([
    'firing',
    'resolved',
  ]);
});

test('when the resolve of a person is reverted, the alert is told to fire again', async () => {
  await destination('a');
  await send('x', 'firing');
  await nothingWaits();
  receiver.clear();
  const [alert] = (await client.get(`/v2/alerts?webhookId=${webhook.id}`)).body.data;
  const resolve = await client.json('POST', '/v2/alerts/resolve', { ids: [alert.id] });
  await job(resolve);
  await nothingWaits();
  await job(await client.send('POST', `/v2/jobs/${resolve.body.jobId}/revert`));
  await nothingWaits();
  expect(told()).toEqual(['/a alert.resolved x error', '/a alert.fired x error']);
});
