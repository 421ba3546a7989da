import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { jobSchema } from '../../../api/jobs/job-schema.js';
import { expireWaiting } from '../../../db/outbox/old-messages.js';
import { type ApiResponse, Client } from '../../support/api/client.js';
import { expectEnqueued } from '../../support/api/expect-enqueued.js';
import { makeWebhook, receiptOf } from '../../support/api/webhooks.js';
import { type Received, Receiver } from '../../support/outbox/receiver.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

const IDENTITIES = '/v2/developers/identities';
const HEADER = 'email,integrationId,identity\n';
const MAPPING = {
  fields: {
    title: { template: 'Hot' },
    severity: { template: 'error' },
    status: { template: 'firing' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

let stack: Stack;
/** Without a worker, so jobs stay queued. */
let idle: Stack;
let client: Client;
let receiver: Receiver;
let destination: string;
beforeAll(async () => {
  receiver = await Receiver.start();
  const env = { OUTBOUND_ALLOW: receiver.host };
  [stack, idle] = await Promise.all([startStack({ env }), startStack({ env, worker: false })]);
  client = await Client.of(stack);
  destination = await makeDestination(client);
});
beforeEach(() => receiver.clear());
afterAll(async () => {
  await Promise.all([stack.stop(), idle.stop()]);
  await receiver.stop();
});

async function makeDestination(of: Client, more: object = {}): Promise<string> {
  const body = { name: 'Jobs', preset: 'webhook', url: `${receiver.url}/jobs`, types: [], ...more };
  const made = await of.json('POST', '/v2/destinations', body);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
}

const bodiesOf = (received: readonly Received[]) => received.map(({ text }) => JSON.parse(text));
const toldOf = (id: string) => bodiesOf(receiver.accepted).filter(({ data }) => data.job.id === id);
const jobOf = async (id: string) => (await client.get(`/v2/jobs/${id}`)).body.data;

/** Expects that the receiver is told once that a job has ended, with the job as the API returns it. */
async function expectTold(id: string, type: string): Promise<void> {
  await client.jobEnd(id);
  await until(`the end of ${type} is told`, () => toldOf(id).length === 1);
  const job = await jobOf(id);
  expect(job).toMatchObject({ type, callback: destination });
  const [{ data, ...told }] = toldOf(id);
  expect(told).toEqual({ type: 'job.finished', timestamp: job.finishedAt });
  expect(data).toEqual({ sequence: expect.any(Number), test: false, previousStatus: 'running', job });
}

test('every request that makes a job tells a destination of its end, with the job as the API returns it', async () => {
  const webhook = await makeWebhook(client, { template: null, driftSeverity: null });
  await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, MAPPING);
  const sent = await client.json('POST', webhook.path, { key: 'a' });
  await receiptOf(client, sent.body.eventId);
  const alert = (await client.get('/v2/alerts')).body.data[0].id;
  const callback = destination;
  const query = `?callback=${callback}`;
  const csv = { accept: 'text/csv' };
  const post = (path: string, body: object = { callback }) => client.json('POST', path, body);
  const imported = await client.upload(`${HEADER}ann@example.com,1,a\n`, query);
  const accounts = { accounts: [{ identity: 'b' }] };
  const requests: [string, () => Promise<ApiResponse>][] = [
    ['identity-import', async () => imported],
    ['identity-import', () => client.json('PATCH', IDENTITIES + query, [OF_ANN])],
    ['identity-import', () => client.json('DELETE', IDENTITIES + query, [OF_ANN])],
    ['identity-revert', () => post(`/v2/jobs/${imported.body.jobId}/revert${query}`, {})],
    ['identity-export', () => post(`${IDENTITIES}/exports`)],
    ['identity-export', () => client.send('POST', `${IDENTITIES}/exports${query}`)],
    ['identity-export', () => client.get(IDENTITIES + query, csv)],
    ['alert-export', () => client.get(`/v2/alerts${query}`, csv)],
    ['event-export', () => client.get(`/v2/events${query}`, csv)],
    ['identity-worklist', () => post(`/v2/integrations/1/worklists${query}`, accounts)],
    ['alert-remap', () => post(`/v2/webhooks/${webhook.id}/remap`)],
    ['alert-refold', () => post('/v2/alerts/refold')],
    ['alert-resolve', () => post(`/v2/alerts/${alert}/resolve`)],
    ['alert-resolve', () => post('/v2/alerts/resolve', { ids: [alert], callback })],
  ];
  const sentIds: [string, string][] = [];
  for (const [type, send] of requests) {
    const response = await send();
    const path = response.headers.get('content-location') ?? `/v2/jobs/${response.body?.jobId}`;
    sentIds.push([path.split('/')[3] as string, type]);
  }
  for (const [id, type] of sentIds) await expectTold(id, type);
  const messages = (await client.get(`/v2/destinations/${destination}/messages`)).body.data;
  const listed = messages.map(({ jobId, jobType }: Record<string, string>) => [jobId, jobType]);
  expect(listed.sort()).toEqual(sentIds.sort());
});

const OF_ANN = { email: 'ann@example.com', integrationId: 1, identity: 'a' };

test('a failed job that is retried ends again, and both ends are told in order', async () => {
  const { body } = await client.upload(`${HEADER}nobody,1,a\n`, `?callback=${destination}`);
  await until('the failure is told', () => toldOf(body.jobId).length === 1);
  const failed = await jobOf(body.jobId);
  await client.send('POST', `/v2/jobs/${body.jobId}/retry`);
  await until('the second end is told', () => toldOf(body.jobId).length === 2);
  const [first, second] = toldOf(body.jobId).map(({ data }) => data);
  expect(first.job).toEqual(failed);
  expect(first.job.state).toBe('failed');
  expect(second.job).toEqual(await jobOf(body.jobId));
  expect(second.job.attempts).toBe(first.job.attempts + 1);
  expect(second.sequence).toBeGreaterThan(first.sequence);
  const path = `/v2/jobs/${body.jobId}/messages`;
  await until('both are delivered', async () =>
    (await client.get(path)).body.data.every(({ state }: { state: string }) => state === 'delivered'),
  );
  const common = { jobId: body.jobId, jobType: 'identity-import', change: 'finished', alertId: null };
  expect((await client.get(path)).body.data).toMatchObject([
    { ...common, sequence: second.sequence },
    { ...common, sequence: first.sequence },
  ]);
});

test('a job that is canceled before it starts is in the outbox, once, with its end', async () => {
  const own = await Client.of(idle);
  const callback = await makeDestination(own);
  const query = `?callback=${callback}`;
  const { body } = await own.upload(`${HEADER}ann@example.com,1,a\n`, query, { prefer: 'respond-async' });
  // Workers of earlier releases would tell nobody.
  const queue = idle.api.producer.queue('identity-import');
  await expectEnqueued(queue, { id: body.jobId, data: { version: 2 } });
  expect(await idle.database('outbox').select()).toEqual([]);
  for (let times = 0; times < 2; times++) await own.send('POST', `/v2/jobs/${body.jobId}/cancel`);
  const { job } = await theRow(idle.database('outbox').select('job'));
  const canceled = (await own.get(`/v2/jobs/${body.jobId}`)).body.data;
  expect(canceled).toMatchObject({ state: 'canceled', callback });
  expect(JSON.parse(String(job))).toEqual({
    at: canceled.finishedAt,
    previousStatus: 'queued',
    job: canceled,
  });
});

test('a callback must be a webhook that exists, and the key must be allowed to see destinations', async () => {
  const slack = await makeDestination(client, { preset: 'slack', types: ['alert.fired'] });
  const stored = async () => (await stack.database('jobs').count({ count: '*' }))[0];
  const before = await stored();
  const file = `${HEADER}ann@example.com,1,a\n`;
  const refusal = async (response: Promise<ApiResponse>) => {
    const { status, body } = await response;
    return [
      status,
      body.code,
      body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`),
    ];
  };
  const nowhere = '00000000-0000-7000-8000-000000000000';
  const invalid = (code: string) => [422, 'invalid_callback', [`callback ${code}`]];
  expect(await refusal(client.upload(file, `?callback=${nowhere}`))).toEqual(invalid('unknown_destination'));
  expect(await refusal(client.upload(file, `?callback=${slack}`))).toEqual(invalid('not_a_webhook'));
  expect(await refusal(client.json('POST', '/v2/alerts/refold', { callback: nowhere }))).toEqual(
    invalid('unknown_destination'),
  );
  expect(await refusal(client.get(`/v2/alerts?callback=${nowhere}`, { accept: 'text/csv' }))).toEqual(
    invalid('unknown_destination'),
  );
  expect(await refusal(client.get(`/v2/alerts?callback=${destination}`))).toEqual([
    400,
    'invalid_query',
    ['callback not_in_this_format'],
  ]);
  expect(await refusal(client.upload(file, '?callback=x'))).toEqual([
    400,
    'invalid_query',
    ['callback invalid_format'],
  ]);
  const weak = await Client.of(stack, 'developer_records:write');
  expect(await refusal(weak.upload(file, `?callback=${destination}`))).toEqual([403, 'missing_scope', []]);
  expect(await refusal(weak.upload(file, `?callback=${nowhere}`))).toEqual([403, 'missing_scope', []]);
  expect(await stored()).toEqual(before);
});

test('only a webhook may be told of no alerts', async () => {
  const body = { name: 'Chat', preset: 'slack', url: `${receiver.url}/chat`, types: [] };
  expect((await client.json('POST', '/v2/destinations', body)).body.code).toBe('invalid_types');
  const { id } = (await client.json('POST', '/v2/destinations', { ...body, types: ['alert.fired'] })).body
    .data;
  const change = await client.json('PATCH', `/v2/destinations/${id}`, { types: [] });
  const untold = await client.json('POST', '/v2/destinations', { ...body, types: ['alert.resolved'] });
  expect(untold.body.errors).toMatchObject([
    { field: 'types', message: expect.stringContaining('alert.fired') },
  ]);
  expect([change.status, change.body.errors[0].field]).toEqual([400, 'types']);
  expect((await client.get(`/v2/destinations/${destination}`)).body.data.types).toEqual([]);
});

test('the end of a job waits for 7 days at a paused destination, and not at all at a deleted one', async () => {
  const id = await makeDestination(client, { paused: true });
  const query = `?callback=${id}`;
  const messages = async () =>
    (await stack.database('messages').where({ destination_id: id })).map(({ state, reason }) => [
      state,
      reason,
    ]);
  const finish = () => client.upload(`${HEADER}ann@example.com,1,a\n`, query);
  await finish();
  await until('the message waits', async () => (await messages()).length === 1);
  const age = async (days: number) => {
    const due = { due_at: new Date(Date.now() - days * 24 * 60 * 60_000) };
    for (const table of ['messages', 'lanes'] as const)
      await stack.database(table).where({ destination_id: id }).update(due);
  };
  await age(6.9);
  await expireWaiting(stack.database, 100);
  expect(await messages()).toEqual([['waiting', null]]);
  await age(7.1);
  await expireWaiting(stack.database, 100);
  expect(await messages()).toEqual([['expired', 'expired']]);
  await finish();
  await until('the second message waits', async () => (await messages()).length === 2);
  await client.send('DELETE', `/v2/destinations/${id}`);
  await expireWaiting(stack.database, 100);
  expect((await messages()).at(-1)).toEqual(['expired', 'deleted']);
});

test('the test message of a destination that is told of jobs only is about a job', async () => {
  await client.send('POST', `/v2/destinations/${destination}/test`);
  const [{ type, data }] = bodiesOf(receiver.accepted);
  expect([type, data.test, data.previousStatus]).toEqual(['job.finished', true, 'running']);
  expect(z.strictObject(jobSchema.shape).parse(data.job)).toMatchObject({
    state: 'completed',
    callback: destination,
  });
});
