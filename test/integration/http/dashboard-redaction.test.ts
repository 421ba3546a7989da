import { appRoutes } from '@bull-board/api/dist/routes.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Job, Worker } from 'bullmq';
import { connectWorker } from '../../../workers/queues/connection.js';
import type { QueueName } from '../../../workers/queues/index.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const PATH = '/admin/queues';
/** Represents all data of clients that others must not read. */
const SECRET = 'Tr0ub4dor&3';

let stack: Stack;
let client: Client;
let key: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  key = await stack.key('admin', 'webhooks:write');
  client = new Client(stack.url, key);
});
afterAll(() => stack.stop());

test('shows the size and ids of a batch, never its payloads', async () => {
  const { path } = await makeWebhook(client);
  const { eventId } = (await (await sendEvent(stack.url, path, { note: SECRET })).json()) as {
    eventId: string;
  };
  const { text, body } = await client.get(`${PATH}/api/queues?activeQueue=alert-intake`);
  expect(text).not.toContain(SECRET);
  const [job] = body.queues.find(({ name }: { name: string }) => name === 'alert-intake').jobs;
  expect(job).toMatchObject({ name: 'alert-intake', stacktrace: [] });
  expect(job.data).toEqual({ version: 1, events: 1, rejected: 0, eventIds: [eventId] });
});

test('a list shows the size of a large job without reading its data; the page of the job has the ids', async () => {
  const queue = 'alert-intake-bulk';
  const event = { webhookId: 'w', receivedAt: 1, raw: JSON.stringify({ note: SECRET.repeat(100) }) };
  const events = Array.from({ length: 80 }, (_, i) => ({ id: `e${i}`, ...event }));
  const data = { version: 1, events };
  await stack.api.producer.queue(queue).add('alert-intake', data, { jobId: 'large', delay: 600_000 });
  const { text, body } = await client.get(`${PATH}/api/queues?activeQueue=${queue}`);
  const [job] = body.queues.find(({ name }: { name: string }) => name === queue).jobs;
  expect(job).toMatchObject({
    id: 'large',
    name: 'alert-intake',
    attempts: 0,
    delay: 600_000,
    isFailed: false,
  });
  expect(job.timestamp).toBeGreaterThan(Date.now() - 60_000);
  expect(job.data).toEqual({ bytes: JSON.stringify(data).length });
  expect(text).not.toContain(SECRET);
  const alone = await client.get(`${PATH}/api/queues/${queue}/large`);
  expect(alone.body.job.data).toMatchObject({ events: 80, rejected: 0 });
  expect(alone.body.job.data.eventIds[0]).toBe('e0');
  expect(alone.text).not.toContain(SECRET);
});

/** Creates jobs with the secret in every field of a job: completed, failed and to be retried. */
async function leaveSecrets(queue: QueueName): Promise<void> {
  const connection = connectWorker(stack.env.REDIS_URL);
  const work = async (job: Job) => {
    await job.log(SECRET);
    await job.updateProgress({ at: 1, note: SECRET });
    if (job.name === 'done') return { note: SECRET };
    throw new Error(SECRET);
  };
  const worker = new Worker(queue, work, { connection, prefix: stack.prefix });
  const data = { version: 1, note: SECRET, events: [{ raw: SECRET }] };
  const retried = { attempts: 2, backoff: { type: 'fixed', delay: 600_000 } };
  const jobs = stack.api.producer.queue(queue);
  await jobs.add('done', data, { jobId: 'j-done' });
  await jobs.add('failed', data, { jobId: 'j-failed' });
  await jobs.add('retried', data, { jobId: 'j-retried', ...retried });
  await jobs.add('delayed', { ...data, version: 2 }, { jobId: 'j-delayed', delay: 600_000 });
  await jobs.upsertJobScheduler('s', { every: 600_000 }, { name: 'scheduled', data });
  await until('they are done', async () => {
    const states = await Promise.all(['j-done', 'j-failed', 'j-retried'].map((id) => jobs.getJobState(id)));
    return states.join() === 'completed,failed,delayed';
  });
  await worker.close();
  await jobs.add('waiting', data, { jobId: 'j-waiting' });
  connection.disconnect();
}

test('no response contains a payload', async () => {
  const queue = 'alert-export';
  await leaveSecrets(queue);
  const { path } = await makeWebhook(client);
  await sendEvent(stack.url, path, { note: SECRET }, { 'x-request-id': SECRET });
  const token = path.split('/').at(-1) as string;
  const [batch] = await stack.api.producer.queue('alert-intake').getJobs(['waiting']);
  const ids = ['j-done', 'j-failed', 'j-retried', 'j-delayed', 'j-waiting'];
  const reads = appRoutes.api
    .filter(({ method }) => method === 'get')
    .map(({ route }) => [route].flat()[0] as string);
  expect(reads.length).toBeGreaterThan(9);
  const paths = reads.flatMap((route) => {
    const named = [queue, 'alert-intake'].map((name) => [name, route.replace(':queueName', name)] as const);
    return named.flatMap(([name, one]) => {
      const of = name === queue ? ids : [batch?.id as string];
      return one.includes(':jobId') ? of.map((id) => one.replace(':jobId', id)) : [one];
    });
  });
  for (const status of ['latest', 'waiting', 'active', 'delayed', 'completed', 'failed', 'prioritized']) {
    paths.push(`/api/queues?activeQueue=${queue}&status=${status}&jobsPerPage=50`);
    paths.push(`/api/queues?activeQueue=alert-intake&status=${status}`);
  }
  let shown = '';
  for (const one of new Set(paths)) {
    const response = await client.get(PATH + one);
    expect([one, response.status]).toEqual([one, one.endsWith('/workers') ? 403 : 200]);
    for (const secret of [SECRET, JSON.stringify(SECRET), token, key])
      expect(response.text).not.toContain(secret);
    shown += response.text;
  }
  // All of them were in the queues.
  for (const id of ids) expect(shown).toContain(`"id":"${id}"`);
  expect(shown).toContain(`"id":"${batch?.id}"`);
  expect(shown).toContain('The log of the worker has the reason.');
});

test('a job that cannot be parsed is an internal error, not an unavailable Redis; the log does not contain its data', async () => {
  const { producer, redis } = stack.api;
  const queue = producer.queue('alert-remap');
  await queue.add('alert-remap', {}, { jobId: 'broken' });
  await redis.hset(queue.toKey('broken'), 'data', `{"note":"${SECRET}`);
  const { status, body } = await client.get(`${PATH}/api/queues/alert-remap/broken`);
  expect([status, body.code]).toEqual([500, 'internal_error']);
  const logged = stack.lines.filter((line) => JSON.parse(line).requestId === body.requestId);
  expect(logged.join()).toMatch(/"level":50.*"SyntaxError"/);
  expect(logged.join()).not.toContain(SECRET);
  await queue.remove('broken');
});
