import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../../db/client/connect.js';
import { finishJob } from '../../../db/jobs/job-lifecycle.js';
import { type ApiResponse, Client } from '../../support/api/client.js';
import { expectEnqueued } from '../../support/api/expect-enqueued.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() => stack.database('idempotency_records').delete());
afterEach(() => stack.database('jobs').update({ state: 'canceled' }));

const path = '/v2/developers/identities';
const ann = { email: 'ann@example.com', integrationId: 7, identity: 'ann' };
const under = (key: string) => ({ 'idempotency-key': key, prefer: 'respond-async' });
const record = () => stack.database('idempotency_records').first();
const openJobs = () => stack.database('jobs').where({ state: 'queued' });
const past = () => new Date(Date.now() - 1_000);

async function webhookWithMapping(): Promise<string> {
  const { body } = await client.json('POST', '/v2/webhooks', { name: 'w', template: 'generic-alert' });
  return body.data.id;
}

async function withoutRedis(during: () => Promise<void>): Promise<void> {
  const { redis } = stack.api;
  redis.disconnect();
  await until('Redis is gone', () => redis.status === 'end');
  try {
    await during();
  } finally {
    await redis.connect();
  }
}

/** Blocks writes to the jobs until the returned function is called. Reads continue. */
async function lockJobs(): Promise<() => Promise<void>> {
  const holder = await stack.database.client.acquireConnection();
  const run = (sql: string) => stack.database.raw(sql).connection(holder);
  await run('LOCK TABLES jobs READ');
  return async () => {
    await run('UNLOCK TABLES');
    await stack.database.client.releaseConnection(holder);
  };
}

const waitsForJobs = async (database: Database) => {
  const [rows] = await database.raw(
    "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE '%metadata lock%'",
  );
  return rows.length > 0;
};

async function expectFreshAfter503(
  send: () => Promise<ApiResponse>,
  unavailable: ApiResponse,
): Promise<void> {
  expect([unavailable.status, unavailable.body.code]).toEqual([503, 'unavailable']);
  expect(await openJobs()).toEqual([]);
  const again = await send();
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, null]);
  expect((await openJobs()).map(({ id }) => id)).toEqual([again.body.jobId]);
  const replayed = await send();
  expect([replayed.headers.get('idempotency-replayed'), replayed.body]).toEqual(['true', again.body]);
}

test.each(['export', 'remap'])('after a 503, a retry with the same key starts the job: %s', async (kind) => {
  const webhook = await webhookWithMapping();
  const url = kind === 'export' ? `${path}/exports` : `/v2/webhooks/${webhook}/remap`;
  const send = () => client.json('POST', url, {}, under(kind));
  let unavailable = {} as ApiResponse;
  await withoutRedis(async () => {
    unavailable = await send();
  });
  await expectFreshAfter503(send, unavailable);
});

test.each([
  ['JSON', (key: string) => client.json('PATCH', path, [ann], under(key))],
  ['CSV', (key: string) => client.upload('email,integrationId,identity\na@b.co,1,a\n', '', under(key))],
  ['a removal', (key: string) => client.json('DELETE', path, [ann], under(key))],
] as const)(
  'an upload starts after a 503 when Redis fails between acceptance and enqueue: %s',
  async (kind, upload) => {
    const send = () => upload(kind.replace(' ', '-'));
    const unlock = await lockJobs();
    const first = send();
    await until('the insert waits', () => waitsForJobs(stack.database));
    let unavailable = {} as ApiResponse;
    await withoutRedis(async () => {
      await unlock();
      unavailable = await first;
    });
    await expectFreshAfter503(send, unavailable);
    const named = (await stack.database('jobs').whereNotNull('source_key').pluck('source_key')).sort();
    const stored: string[] = [];
    for await (const key of stack.files.list()) stored.push(key);
    expect(stored.sort()).toEqual(named);
  },
);

/** Simulates a request whose process stopped after it had created its job. */
async function abandoned(key: string, job: Record<string, unknown> = { state: 'queued' }): Promise<string> {
  const { body } = await client.json('PATCH', path, [ann], under(key));
  await stack.database('jobs').where({ id: body.jobId }).update(job);
  const unfinished = { status: null, headers: null, body: null, lease_until: past(), lease_holder: 'gone' };
  await stack.database('idempotency_records').update(unfinished);
  return body.jobId;
}

test('a retry enqueues a job that never reached its queue', async () => {
  const id = await abandoned('queued');
  const queue = stack.api.producer.queue('identity-import');
  await (await queue.getJob(id))?.remove();
  const response = await client.json('PATCH', path, [ann], under('queued'));
  expect([response.status, response.body.jobId]).toEqual([202, id]);
  await expectEnqueued(queue, { id, data: { jobId: id } });
});

test('a retry gets the error of the job of the first request', async () => {
  const error = { code: 'invalid_rows', message: 'Nothing was written.', errors: [], errorCount: 0 };
  const id = await abandoned('failed', {
    state: 'failed',
    error: JSON.stringify(error),
    finished_at: new Date(),
  });
  const response = await client.json('PATCH', path, [ann], under('failed'));
  expect([response.status, response.body.code, response.body.jobId]).toEqual([400, 'invalid_rows', id]);
  expect(response.headers.get('idempotency-replayed')).toBe('true');
});

test('a retry gets the cancellation of the job of the first request', async () => {
  const id = await abandoned('canceled');
  await client.send('POST', `/v2/jobs/${id}/cancel`);
  const response = await client.json('PATCH', path, [ann], under('canceled'));
  expect([response.status, response.body.code, response.body.jobId]).toEqual([409, 'job_canceled', id]);
  expect(await openJobs()).toEqual([]);
});

test('does not replay a job that was withdrawn before it started', async () => {
  const id = await abandoned('withdrawn', { state: 'canceled', finished_at: new Date() });
  const response = await client.json('PATCH', path, [ann], under('withdrawn'));
  expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([202, null]);
  expect(response.body.jobId).not.toBe(id);
});

test.each([
  ['lapsed', {}],
  ['lapsed and was taken over', { lease_holder: uuidv7() }],
])('a request whose lease %s creates no job', async (_, taken) => {
  const unlock = await lockJobs();
  const first = client.json('PATCH', path, [ann], under('slow'));
  await until('the request holds its key', async () => (await record()) !== undefined);
  await stack.database('idempotency_records').update({ lease_until: past(), ...taken });
  await unlock();
  const response = await first;
  expect([response.status, response.body.code]).toEqual([409, 'idempotency_in_flight']);
  expect(await openJobs()).toEqual([]);
});

test('a request whose lease expired does not withdraw the job that a retry waits for', async () => {
  const unlock = await lockJobs();
  const first = client.json('PATCH', path, [ann], under('kept'));
  await until('the insert waits', () => waitsForJobs(stack.database));
  // Between recording and enqueuing, a retry takes over the key, and Redis becomes unavailable.
  const { producer, redis } = stack.api;
  const enqueue = producer.enqueue.bind(producer);
  let retried = {} as ApiResponse;
  producer.enqueue = async (...job: Parameters<typeof enqueue>) => {
    producer.enqueue = enqueue;
    await stack.database('idempotency_records').update({ lease_until: past() });
    retried = await client.json('PATCH', path, [ann], under('kept'));
    redis.disconnect();
    await until('Redis is gone', () => redis.status === 'end');
    return enqueue(...job);
  };
  await unlock();
  const response = await first;
  await redis.connect();
  expect([response.status, retried.status]).toEqual([202, 202]);
  expect(retried.body.jobId).toBe(response.body.jobId);
  expect((await openJobs()).map(({ id }) => id)).toEqual([response.body.jobId]);
});

test.each([
  ['storage_full', 503],
  ['internal_error', 500],
])(
  'does not replay a job that failed for a reason outside the request (%s): the same key starts another job',
  async (code, status) => {
    const send = (prefer: string) =>
      client.json('POST', `${path}/exports`, {}, { ...under('failed-for-now'), prefer });
    const waiting = send('wait=30');
    await until('the job is queued', async () => (await openJobs()).length === 1);
    const { id } = await theRow(openJobs());
    const error = { code, message: 'failed', errors: [], errorCount: 0 };
    await finishJob(stack.database, id, { state: 'failed', error });
    expect((await waiting).status).toBe(status);
    const again = await send('respond-async');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, null]);
    expect(again.body.jobId).not.toBe(id);
  },
);
