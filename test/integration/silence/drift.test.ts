import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkerServices } from '../../../workers/run/services.js';
import { checkDrift } from '../../../workers/upkeep/check-drift.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { Client } from '../../support/api/client.js';
import { workerServices } from '../../support/api/run-job.js';
import { makeWebhook, receiptOf, type TestWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  services = workerServices(stack);
});
afterAll(() => stack.stop());

const tick = () => runTurn([checkDrift], services);

const MAPPING = {
  fields: {
    title: { template: '{{webhook.name}}' },
    severity: { template: '{{webhook.level}}', default: 'warning' },
    description: { template: '{{webhook.text}}' },
    source: { template: 'boiler' },
    team: { expression: 'webhook.owner.team' },
  },
};
const event = (more: object = {}) => ({
  name: 'Hot',
  level: 'critical',
  text: 'It is hot.',
  owner: { team: 'heating' },
  ...more,
});

async function mapped(more: object = {}): Promise<TestWebhook> {
  const webhook = await makeWebhook(client, { name: 'Boiler', template: null, ...more });
  await saveMapping(webhook, MAPPING);
  return webhook;
}

async function saveMapping({ id }: TestWebhook, mapping: object): Promise<void> {
  const { status, text } = await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping);
  if (status >= 300) throw new Error(text);
}

/** Sends events one after the other, and returns their ids. */
async function send({ path }: TestWebhook, ...payloads: object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const payload of payloads) ids.push((await client.json('POST', path, payload)).body.eventId);
  await receiptOf(client, ids.at(-1) ?? '');
  return ids;
}

const times = (count: number, payload: object): object[] => Array(count).fill(payload);

async function alertsOf({ id }: TestWebhook) {
  const { data } = (await client.get(`/v2/alerts?webhookId=${id}&pageSize=100`)).body;
  return data.filter(({ dedupKey }: { dedupKey: string | null }) => dedupKey?.startsWith('muster:drift:'));
}

const driftOf = async ({ id }: TestWebhook) => (await client.get(`/v2/webhooks/${id}/drift`)).body.data;

test('a path that events no longer contain is an alert with the path that they have instead; the next event with it ends it', async () => {
  const webhook = await mapped();
  const { level, ...others } = event();
  const before = await send(webhook, ...times(6, event()));
  await tick();
  const after = await send(webhook, ...times(19, { ...others, severity_level: level }));
  await tick();
  expect(await alertsOf(webhook)).toEqual([]);
  const [twentieth = ''] = await send(webhook, { ...others, severity_level: level });
  await tick();
  const { receivedAt } = await receiptOf(client, twentieth);
  const [alert, ...more] = await alertsOf(webhook);
  expect(more).toEqual([]);
  expect(alert).toMatchObject({
    dedupKey: 'muster:drift:path:severity:webhook.level',
    status: 'firing',
    severity: 'warning',
    title: 'webhook.level is missing from the events of Boiler',
    source: 'Muster',
    receivedAt,
    custom: {
      drift: 'path',
      field: 'severity',
      path: 'webhook.level',
      proposed: 'webhook.severity_level',
      event: twentieth,
    },
  });
  expect(await driftOf(webhook)).toMatchObject({
    revision: 1,
    events: 26,
    problems: [
      {
        kind: 'path',
        eventId: twentieth,
        proposed: 'webhook.severity_level',
        last: { eventId: before.at(-1) },
      },
    ],
  });
  expect(after).toHaveLength(19);
  const [back = ''] = await send(webhook, event());
  await tick();
  const ended = await receiptOf(client, back);
  expect(await alertsOf(webhook)).toMatchObject([
    {
      id: alert.id,
      status: 'resolved',
      resolvedAt: ended.receivedAt,
      resolution: 'An event contains it again.',
    },
  ]);
});

test('the paths of expressions count too, and a mapping without the path ends the problem', async () => {
  const webhook = await mapped();
  await send(webhook, ...times(6, event()), ...times(20, event({ owner: { squad: 'heating' } })));
  await tick();
  expect(await alertsOf(webhook)).toMatchObject([{ custom: { path: 'webhook.owner.team', field: 'team' } }]);
  const fields = { ...MAPPING.fields, team: { expression: 'webhook.owner.squad' } };
  await saveMapping(webhook, { fields });
  await tick();
  expect(await alertsOf(webhook)).toMatchObject([
    { status: 'resolved', resolution: 'Revision 2 of the mapping was saved.' },
  ]);
  expect(await driftOf(webhook)).toMatchObject({ revision: 2, problems: [] });
});

test('an unknown severity is an alert until a mapping knows it', async () => {
  const webhook = await mapped({ driftSeverity: 'error' });
  const [first] = await send(webhook, event({ level: 'P1' }), event({ level: 'P2' }), event({ level: 'P1' }));
  await tick();
  await tick();
  const words = async () =>
    (await alertsOf(webhook)).map(({ custom, status }: { custom: { word: string }; status: string }) => [
      custom.word,
      status,
    ]);
  expect((await words()).sort()).toEqual([
    ['P1', 'firing'],
    ['P2', 'firing'],
  ]);
  expect(await alertsOf(webhook)).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      eventCount: 1,
      custom: expect.objectContaining({ word: 'P1', event: first }),
    }),
  );
  const severity = { ...MAPPING.fields.severity, values: { P1: 'critical' } };
  await saveMapping(webhook, { fields: { ...MAPPING.fields, severity } });
  await tick();
  expect((await words()).sort()).toEqual([
    ['P1', 'resolved'],
    ['P2', 'firing'],
  ]);
});

test('a new type of event is an alert of severity info, which the next revision ends', async () => {
  const webhook = await mapped();
  await send(webhook, ...times(50, event({ event: 'opened' })));
  await tick();
  await send(webhook, event({ event: 'merged' }));
  await tick();
  expect(await alertsOf(webhook)).toMatchObject([
    { severity: 'info', title: 'New type of event from Boiler: event=merged', status: 'firing' },
  ]);
  await saveMapping(webhook, { ...MAPPING, fields: { ...MAPPING.fields, service: { template: 'x' } } });
  await tick();
  expect(await alertsOf(webhook)).toMatchObject([{ status: 'resolved' }]);
});

test('a turn that ended before its state was stored is repeated without a trace', async () => {
  const webhook = await mapped();
  await send(webhook, ...times(6, event()));
  await tick();
  const own = () => stack.database('drift_states').where({ webhook_id: webhook.id });
  const stored = await own().first();
  const { level, ...others } = event();
  await send(webhook, ...times(25, { ...others, lvl: level }));
  await tick();
  const alerts = await alertsOf(webhook);
  expect(alerts).toMatchObject([{ eventCount: 1 }]);
  await own().update({ ...stored });
  await tick();
  expect(await alertsOf(webhook)).toEqual(alerts);
});

test('without a severity nothing is compared, and what was raised is resolved; so it is when the integration is deleted', async () => {
  const quiet = await mapped({ driftSeverity: null });
  const webhook = await mapped();
  const gone = await mapped();
  for (const one of [quiet, webhook, gone]) await send(one, event({ level: 'P1' }));
  await tick();
  expect(await alertsOf(quiet)).toEqual([]);
  await client.json('PATCH', `/v2/webhooks/${webhook.id}`, { driftSeverity: null });
  await client.send('DELETE', `/v2/webhooks/${gone.id}`);
  await tick();
  for (const one of [webhook, gone]) {
    expect(await alertsOf(one)).toMatchObject([
      { status: 'resolved', resolution: 'The integration is no longer compared.' },
    ]);
  }
  expect(await stack.database('drift_states').whereIn('webhook_id', [webhook.id, gone.id])).toEqual([]);
  await client.json('PATCH', `/v2/webhooks/${webhook.id}`, { driftSeverity: 'error' });
  await tick();
  expect(await alertsOf(webhook)).toMatchObject([
    { status: 'firing', severity: 'error' },
    { status: 'resolved' },
  ]);
});

test('of many events the newest 200 are compared, and the next ones after ten minutes', async () => {
  const webhook = await mapped();
  await Promise.all(Array.from({ length: 10 }, () => send(webhook, ...times(25, event()))));
  await tick();
  expect((await driftOf(webhook)).events).toBe(200);
  await send(webhook, event());
  await tick();
  expect((await driftOf(webhook)).events).toBe(200);
  const due = stack.database.raw('due_at - INTERVAL 10 MINUTE');
  await stack.database('drift_states').where({ webhook_id: webhook.id }).update({ due_at: due });
  await tick();
  expect((await driftOf(webhook)).events).toBe(201);
});
