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

const MAPPING = {
  fields: {
    title: { template: '{{webhook.name}}' },
    severity: { template: '{{webhook.severity}}', default: 'warning' },
    description: { template: '{{webhook.text}}', default: 'no text' },
    source: { template: 'Tests' },
    team: { template: '{{webhook.team}}' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
    occurrence: { template: '{{webhook.since}}' },
  },
};

interface Sender {
  id: string;
  send(payload: object): Promise<{ alertIds: string[]; outcomes: { outcome: string }[] }>;
}

async function integration(): Promise<Sender> {
  const { id, path } = await makeWebhook(client, { template: null });
  expect((await client.json('PUT', `/v2/webhooks/${id}/mapping`, MAPPING)).status).toBe(201);
  return {
    id,
    send: async (payload) => {
      const { eventId } = (await (await sendEvent(stack.url, path, payload)).json()) as { eventId: string };
      return receiptOf(client, eventId);
    },
  };
}

const alertOf = async (id: string) => (await client.get(`/v2/alerts/${id}`)).body.data;
const timelineOf = async (id: string) => (await client.get(`/v2/alerts/${id}/events`)).body.data;
const resolve = (id: string, body: object = {}, by = client) =>
  by.json('POST', `/v2/alerts/${id}/resolve`, body);

test('a person resolves an alert with a reason, and the next event opens another one, also of the same occurrence', async () => {
  const { send } = await integration();
  const problem = {
    key: 'disk',
    status: 'down',
    name: 'Disk full',
    severity: 'critical',
    text: '99%',
    since: '7',
  };
  const { alertIds } = await send(problem);
  const [id] = alertIds as [string];
  const response = await resolve(id, { reason: 'The host is gone.' });
  expect(response).toMatchObject({
    status: 200,
    body: {
      data: { state: 'completed', type: 'alert-resolve', counts: { total: 1, resolved: 1, skipped: 0 } },
    },
  });
  const alert = await alertOf(id);
  expect(alert).toMatchObject({
    status: 'resolved',
    resolvedBy: 'person',
    resolution: 'The host is gone.',
    title: 'Disk full',
    severity: 'critical',
    description: '99%',
    state: 'complete',
    revision: 1,
    eventCount: 1,
    lastEventAt: alert.receivedAt,
    results: { fields: { title: { eventId: alert.eventId } } },
  });
  expect(Date.parse(alert.resolvedAt)).toBeGreaterThan(Date.parse(alert.lastEventAt));
  const [, end] = await timelineOf(id);
  expect(end).toMatchObject({
    eventId: null,
    item: null,
    origin: 'person',
    outcome: 'resolved',
    by: { name: 'test' },
    jobId: response.body.jobId,
    resolution: 'The host is gone.',
    eventCount: 0,
    changed: [],
  });
  expect(await resolve(id)).toMatchObject({ status: 409, body: { code: 'not_firing' } });

  const next = await send(problem);
  const nextId = next.alertIds[0] as string;
  expect(next.outcomes).toMatchObject([{ outcome: 'opened' }]);
  expect(await alertOf(nextId)).toMatchObject({ status: 'firing', previousAlertId: id });
  // Nothing but the URL.
  expect(await client.send('POST', `/v2/alerts/${nextId}/resolve`)).toMatchObject({ status: 200 });
  expect(await alertOf(nextId)).toMatchObject({ status: 'resolved', resolution: null });
});

test('a revert takes back that an alert was resolved, unless its key has a newer alert', async () => {
  const { send } = await integration();
  const [one, other] = [
    { key: 'one', status: 'down', name: 'One' },
    { key: 'other', status: 'down', name: 'Other' },
  ];
  const ids = [(await send(one)).alertIds[0], (await send(other)).alertIds[0]] as [string, string];
  // An id in capital letters is the same id.
  const repeated = [...ids, ids[0].toUpperCase()];
  const many = await client.json('POST', '/v2/alerts/resolve', { ids: repeated, reason: 'Cleaned up.' });
  expect(many.body.data.counts).toEqual({ total: 2, resolved: 2, skipped: 0 });
  const { alertIds } = await send(other);
  const revert = `/v2/jobs/${many.body.jobId}/revert`;
  expect((await client.send('POST', `${revert}?dryRun=true`)).body.data.counts).toMatchObject({ total: 2 });
  expect(await alertOf(ids[0])).toMatchObject({ status: 'resolved' });
  const reverted = await client.send('POST', revert);
  expect(reverted.body.data.counts).toEqual({ total: 2, reopened: 1, skipped: 1 });
  expect(await alertOf(ids[0])).toMatchObject({
    status: 'firing',
    resolvedAt: null,
    resolvedBy: null,
    resolution: null,
  });
  expect(await timelineOf(ids[0])).toHaveLength(1);
  expect(await alertOf(ids[1])).toMatchObject({ status: 'resolved', resolvedBy: 'person' });
  expect(await alertOf(alertIds[0] as string)).toMatchObject({ status: 'firing' });
  const again = await client.send('POST', `/v2/jobs/${reverted.body.jobId}/revert`);
  expect(again).toMatchObject({ status: 409, body: { code: 'nothing_to_revert' } });
});

test('many alerts are resolved by a filter: first counted and listed, never more than the limit', async () => {
  const { id, send } = await integration();
  for (const key of ['a', 'b', 'c'])
    await send({ key, status: 'down', name: `Host ${key}`, team: key === 'c' ? 'web' : 'db' });
  await send({ key: 'a', status: 'ok' });
  const request = { filter: { webhookId: id, team: 'db' }, reason: 'Moved.' };
  const post = (more: object) => client.json('POST', '/v2/alerts/resolve', { ...request, ...more });
  const firing = async () =>
    (await client.get(`/v2/alerts?webhookId=${id}&status=firing`)).body.data.map(
      ({ title }: { title: string }) => title,
    );

  const dry = await post({ dryRun: true });
  expect(dry.body).toMatchObject({
    message: 'Dry run: no alert was changed.',
    data: { state: 'completed', dryRun: true, counts: { total: 1, resolved: 1 } },
  });
  const file = await client.get(dry.body.data.links.file);
  expect(file.text.split('\n')).toHaveLength(3);
  expect(file.text).toContain('Host b');
  expect(await firing()).toEqual(['Host c', 'Host b']);

  const tooMany = await post({ filter: { webhookId: id }, limit: 1 });
  expect(tooMany).toMatchObject({ status: 409, body: { code: 'too_many_alerts' } });
  expect(tooMany.body.message).toMatch(/^2 firing alerts match, and the limit is 1/);
  expect(await firing()).toEqual(['Host c', 'Host b']);

  const done = await post({});
  expect(done.body.data).toMatchObject({ counts: { total: 1, resolved: 1, skipped: 0 } });
  expect((await client.get(done.body.data.links.file)).text).toContain('Host b');
  expect(await firing()).toEqual(['Host c']);
});

test('an alert without a key, a missing one, a foreign scope and a wrong body are rejected by name', async () => {
  const { send } = await integration();
  const [single] = (await send({ name: 'No key' })).alertIds as [string];
  expect(await resolve(single)).toMatchObject({ status: 409, body: { code: 'not_firing' } });
  expect(await resolve('01a1f89d-7a9c-710a-951d-f86812498001')).toMatchObject({ status: 404 });
  const reader = await Client.of(stack, 'alerts:read');
  expect(await resolve(single, {}, reader)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
  const both = await client.json('POST', '/v2/alerts/resolve', { ids: [single], filter: {} });
  expect(both).toMatchObject({ status: 400, body: { errors: [{ message: 'send either ids or a filter' }] } });
  const wrong = await client.json('POST', '/v2/alerts/resolve', {
    filter: { status: 'firing', sevrity: 'x' },
  });
  expect(wrong.status).toBe(400);
  expect(JSON.stringify(wrong.body.errors)).toMatch(/status.*sevrity|sevrity.*status/);
});
