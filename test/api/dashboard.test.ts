import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appRoutes } from '@bull-board/api/dist/routes.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Job, Worker } from 'bullmq';
import { connectWorker } from '../../workers/queues/connection.js';
import { allQueues } from '../../workers/queues/overview.js';
import { Client } from '../support/client.js';
import { importsOf } from '../support/imports.js';
import { type Stack, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { makeWebhook, sendEvent } from '../support/webhooks.js';

const PATH = '/admin/queues';
/** Stands for all that somebody sent and nobody else may read. */
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

const basic = (password: string, user = 'anybody') => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const anonymous = () => new Client(stack.url, null);

test('a key with the scope admin opens it, as the password of any user too', async () => {
  for (const headers of [{ authorization: `ApiKey ${key}` }, basic(key), basic(key, ''), basic(key, 'a b')]) {
    for (const path of [PATH, `${PATH}/`, `${PATH}/queue/upkeep`]) {
      const { status, text } = await anonymous().get(path, headers);
      expect(status).toBe(200);
      expect(text).toContain('<title>Muster queues</title>');
    }
  }
});

test('without one the browser is asked for it; a key without the scope is refused', async () => {
  const challenge = 'Basic realm="Muster queues", charset="UTF-8"';
  const asked = async (headers: Record<string, string>, path = PATH) => {
    const answer = await anonymous().get(path, headers);
    return [answer.status, answer.body.code, answer.headers.get('www-authenticate')];
  };
  expect(await asked({})).toEqual([401, 'missing_api_key', challenge]);
  expect(await asked(basic('x'))).toEqual([401, 'malformed_api_key', challenge]);
  expect(await asked({ authorization: 'Basic !' })).toEqual([401, 'missing_api_key', challenge]);
  for (const below of ['/api/queues', '/static/favicon.ico', '/nowhere']) {
    expect(await asked({}, PATH + below)).toEqual([401, 'missing_api_key', challenge]);
  }
  const other = await stack.key('alerts:read', 'webhooks:write');
  expect(await asked(basic(other))).toEqual([403, 'missing_scope', null]);
});

test('Basic opens nothing else, so no other site can make a browser change anything', async () => {
  expect((await anonymous().get('/v2/keys', basic(key))).status).toBe(401);
  expect((await anonymous().get('/metrics', basic(key))).headers.get('www-authenticate')).toBe('ApiKey');
});

test('nothing but reading reaches it', async () => {
  const writes = appRoutes.api.filter(({ method }) => method !== 'get');
  expect(writes.length).toBeGreaterThan(15);
  const jobs = () => stack.api.producer.queue('upkeep').getJobCountByTypes('waiting');
  await stack.api.producer.queue('upkeep').add('upkeep', { version: 1 }, { jobId: 'stays' });
  for (const { method, route } of writes) {
    const path = [route].flat()[0]?.replace(':queueName', 'upkeep').replace(':jobId', 'stays');
    const answer = await client.json([method].flat()[0]?.toUpperCase() as string, PATH + path, {});
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    // Nor is there a way of reading that writes.
    const read = await client.get(PATH + path);
    expect([200, 404]).toContain(read.status);
  }
  for (const method of ['OPTIONS', 'DELETE', 'PROPFIND']) {
    expect((await client.send(method, PATH)).status).toBe(405);
  }
  expect(await jobs()).toBe(1);
  expect(await stack.api.producer.queue('upkeep').isPaused()).toBe(false);
  expect((await client.send('HEAD', PATH)).status).toBe(200);
});

test('it has all queues, and none that can be changed', async () => {
  const { body } = await client.get(`${PATH}/api/queues`);
  const queues = body.queues as { name: string; readOnlyMode: boolean }[];
  expect(queues.map(({ name }) => name)).toEqual(allQueues());
  expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
});

test('a batch is shown by number and ids, never by what was sent', async () => {
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

test('a list leaves the data of a large job where it is, and tells its size; the page of that job has the ids', async () => {
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

/** Jobs that hold the secret wherever a job can hold anything, done, failed and to be tried again. */
async function leaveSecrets(queue: string): Promise<void> {
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

test('no answer that there is tells what somebody sent', async () => {
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
    const answer = await client.get(PATH + one);
    expect([one, answer.status]).toEqual([one, one.endsWith('/workers') ? 403 : 200]);
    for (const secret of [SECRET, JSON.stringify(SECRET), token, key])
      expect(answer.text).not.toContain(secret);
    shown += answer.text;
  }
  // They were all there to be told of.
  for (const id of ids) expect(shown).toContain(`"id":"${id}"`);
  expect(shown).toContain(`"id":"${batch?.id}"`);
  expect(shown).toContain('The log of the worker has the reason.');
});

test('what fails is answered as everywhere here', async () => {
  const codeOf = async (path: string) => {
    const { status, body } = await client.get(PATH + path);
    return [status, body?.code];
  };
  expect(await codeOf('/api/queues/nowhere/1')).toEqual([404, 'not_found']);
  expect(await codeOf('/api/queues/upkeep/nobody')).toEqual([404, 'not_found']);
  expect(await codeOf('/api/queues?page=x')).toEqual([400, 'invalid_query']);
  expect(await codeOf('/api/queues?activeQueue=%25')).toEqual([400, 'invalid_query']);
  expect(await codeOf('/api/job-schedulers?queueName=%25')).toEqual([400, 'invalid_query']);
  expect(await codeOf('/api/nowhere')).toEqual([404, 'not_found']);
});

test('a job that cannot be read is our fault and not that of Redis; the log tells so, and not what is in it', async () => {
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

test('it serves its own files, and no others', async () => {
  const { text, headers } = await client.get(PATH);
  expect(text).not.toMatch(/https?:|style=|<style/);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(headers.get('cache-control')).toBe('no-store');
  const parts = [...text.matchAll(/(?:href|src)="(static\/[^"]+)"/g)].map(([, part]) => part as string);
  expect(parts.length).toBeGreaterThan(4);
  for (const part of parts) expect((await client.get(`${PATH}/${part}`)).status).toBe(200);
  for (const name of ['nowhere.js', '..%2findex.ejs', '%2e%2e%2f%2e%2e%2fpackage.json', '/etc/passwd']) {
    expect((await client.get(`${PATH}/static/${name}`)).status).toBe(404);
  }
});

test('nothing of it is loaded before somebody asks', () => {
  const sources = (readdirSync('api', { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && !name.startsWith('dashboard/'))
    .map((name) => join('api', name));
  const taking = sources.filter((file) =>
    importsOf(file).some(({ target }) => target.startsWith('api/dashboard/')),
  );
  expect(taking).toEqual(['api/routes/dashboard.ts']);
  expect(readFileSync('api/routes/dashboard.ts', 'utf8')).not.toMatch(/^import .*dashboard\//m);
});

test('with Redis away it says so', async () => {
  const other = await startStack({ worker: false });
  const admin = await Client.of(other, 'admin');
  expect((await admin.get(`${PATH}/api/queues`)).status).toBe(200);
  other.api.redis.disconnect();
  await until('Redis is away', () => other.api.redis.status === 'end');
  const startedAt = Date.now();
  const { status, headers } = await admin.get(`${PATH}/api/queues`);
  expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
  expect((await admin.get(PATH)).status).toBe(200);
  await other.stop();
});
