import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { ALERT, makeWebhook, sendEvent } from '../support/api/webhooks.js';
import { shortOrLong } from '../support/faults/effort.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { startS3, type TestS3 } from '../support/servers/s3.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { theRow } from '../support/the-row.js';
import { until } from '../support/until.js';

const READS = ['GET', 'HEAD'];
const EXPORTS = '/v2/developers/identities/exports';
const csv = (name: string): string => `email,integrationId,identity\n${name}@example.com,1,${name}\n`;
/** More than one part of an upload, in few rows. */
const parts = `email,integrationId,identity,comment\nzoe@example.com,1,zoe,\n${`ann@example.com,1,ann,${'a'.repeat(2_000)}\n`.repeat(4_500)}`;
const later = { prefer: 'respond-async' };
let s3: TestS3;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  s3 = await startS3();
  stack = await startStack({ env: { STORAGE_URL: s3.url('faults') } });
  client = await Client.of(stack);
});
afterEach(() => {
  s3.server.behavior = 'works';
  s3.server.misbehavesOn = [];
});
afterAll(async () => {
  await stack.stop();
  await s3.stop();
});

const state = async (id: string) => (await client.get(`/v2/jobs/${id}`)).body.data;

test.each([
  ['small CSV', () => client.upload(csv('ann'))],
  ['large CSV', () => client.upload(parts)],
  ['JSON', () => client.json('PATCH', '/v2/developers/identities', [])],
])('an upload (%s) while S3 is unavailable or full gets 503 with Retry-After', async (kind, upload) => {
  const send = kind === 'JSON' ? () => uploadJson() : upload;
  s3.server.behavior = 'fails';
  const unavailable = await send();
  expect([unavailable.status, unavailable.body.code]).toEqual([503, 'unavailable']);
  expect(Number(unavailable.headers.get('retry-after'))).toBeGreaterThan(0);
  s3.server.behavior = 'is full';
  const full = await send();
  expect([full.status, full.body.code]).toEqual([503, 'storage_full']);
  expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
});

const uploadJson = () =>
  client.json('PATCH', '/v2/developers/identities', [
    { email: 'json@example.com', integrationId: 1, identity: 'json' },
  ]);

test('while S3 is frozen, uploads get 503 soon after their last byte, and events are accepted', async () => {
  const webhook = await makeWebhook(client);
  s3.server.behavior = 'stalls';
  for (const upload of [() => client.upload(csv('ann')), () => client.upload(parts), uploadJson]) {
    const startedAt = performance.now();
    const { status, body, headers } = await upload();
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    expect(body.message).toContain('file store');
    // 2 s, and the time to send the large one on a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }
  const ready = await client.get('/readyz');
  expect(ready.body).toMatchObject({ code: 'not_ready', redis: true, database: true, storage: false });
  expect((await client.get('/readyz/intake')).body).toEqual({ status: 'success', redis: true, clock: true });
  expect((await sendEvent(stack.url, webhook.path, ALERT)).status).toBe(202);
  s3.server.behavior = 'works';
  expect((await client.upload(csv('ann'))).status).toBe(200);
  await until('the API is ready', async () => (await client.get('/readyz')).status === 200);
});

/** In the short form, `slow-s3.test.ts` has a slow S3. */
test.each(
  (['fails every second time', 'is slow'] as const).slice(0, shortOrLong(1, Number.POSITIVE_INFINITY)),
)('an upload, its import and an export work while S3 %s', async (behavior) => {
  s3.server.behavior = behavior;
  const { status, body } = await client.upload(parts, '?onError=continue', later);
  expect(status).toBe(202);
  expect((await client.jobEnd(body.jobId)).body.data).toMatchObject({ attempts: 1 });
  const exported = await client.get('/v2/developers/identities?format=csv');
  expect([exported.status, exported.text]).toEqual([200, expect.stringContaining('zoe@example.com')]);
});

test('an import waits until S3 is available again, in one attempt', async () => {
  s3.server.misbehavesOn = READS;
  s3.server.behavior = 'fails';
  const { status, body } = await client.upload(csv('bob'), '', later);
  expect(status).toBe(202);
  const before = s3.server.requests;
  // Each round takes three requests: the SDK retries twice.
  await until('the worker has tried several times', () => s3.server.requests > before + 9);
  expect(await state(body.jobId)).toMatchObject({ state: 'running', attempts: 1 });
  s3.server.behavior = 'works';
  const fault = new Fault('S3 unavailable for an import', 'jobs');
  const { data } = (await fault.recovery(() => client.jobEnd(body.jobId))).body;
  expect(data).toMatchObject({ state: 'completed', attempts: 1, counts: { created: 1 } });
  const stored = await stack.database('identities').where({ email: 'bob@example.com' }).select('identity');
  fault.add(balanceOfCounts(1, stored.length));
  fault.report();
});

test('a cancellation reaches an import whose store stalls', async () => {
  s3.server.misbehavesOn = READS;
  s3.server.behavior = 'stalls';
  const { body } = await client.upload(csv('eve'), '', later);
  await until('the import runs', async () => (await state(body.jobId)).state === 'running');
  await client.send('POST', `/v2/jobs/${body.jobId}/cancel`);
  expect((await client.jobEnd(body.jobId)).body.data.state).toBe('canceled');
});

test('an export waits for S3, and fails with a clear error when S3 is full', async () => {
  s3.server.behavior = 'stalls';
  s3.server.misbehavesOn = ['PUT'];
  const waiting = await client.json('POST', EXPORTS, {}, later);
  await until('the export runs', async () => (await state(waiting.body.jobId)).state === 'running');
  await client.send('POST', `/v2/jobs/${waiting.body.jobId}/cancel`);
  expect((await client.jobEnd(waiting.body.jobId)).body.data.state).toBe('canceled');
  s3.server.behavior = 'is full';
  const full = await client.get('/v2/developers/identities?format=csv');
  expect([full.status, full.body.code]).toEqual([503, 'storage_full']);
  expect(await state(full.body.jobId)).toMatchObject({ state: 'failed', attempts: 1 });
});

test('a worker that closes hands back a job whose store stalls', async () => {
  const other = await startStack({ env: { STORAGE_URL: s3.url('closing') } });
  const own = await Client.of(other);
  s3.server.misbehavesOn = READS;
  s3.server.behavior = 'stalls';
  const { body } = await own.upload(csv('kim'), '', later);
  const row = () => theRow(other.database('jobs').where({ id: body.jobId }).first());
  await until('the import runs', async () => (await row()).state === 'running');
  await other.closeWorker();
  expect(await row()).toMatchObject({ state: 'running', starts_without_progress: 0 });
  await other.stop();
});
