import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appRoutes } from '@bull-board/api/dist/routes.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allQueues } from '../../../workers/queues/index.js';
import { Client } from '../../support/api/client.js';
import { startFreezableRedis } from '../../support/faults/frozen-redis.js';
import { importsOf } from '../../support/imports.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const PATH = '/admin/queues';

/** The dashboard waits 1 s for Redis; the rest is for a busy machine. */
const IN_TIME_MS = 15_000;

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

test('a key with the scope admin opens the dashboard, also as the password of any user', async () => {
  for (const headers of [{ authorization: `ApiKey ${key}` }, basic(key), basic(key, ''), basic(key, 'a b')]) {
    for (const path of [PATH, `${PATH}/`, `${PATH}/queue/upkeep`]) {
      const { status, text } = await anonymous().get(path, headers);
      expect(status).toBe(200);
      expect(text).toContain('<title>Muster queues</title>');
    }
  }
});

test('asks the browser for a missing key, and rejects a key without the scope', async () => {
  const challenge = 'Basic realm="Muster queues", charset="UTF-8"';
  const asked = async (headers: Record<string, string>, path = PATH) => {
    const response = await anonymous().get(path, headers);
    return [response.status, response.body.code, response.headers.get('www-authenticate')];
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

test('Basic authentication opens no other route, so no other site can make a browser change anything', async () => {
  expect((await anonymous().get('/v2/keys', basic(key))).status).toBe(401);
  expect((await anonymous().get('/metrics', basic(key))).headers.get('www-authenticate')).toBe(
    'ApiKey, Bearer',
  );
});

test('rejects every method except GET and HEAD', async () => {
  const writes = appRoutes.api.filter(({ method }) => method !== 'get');
  expect(writes.length).toBeGreaterThan(15);
  const jobs = () => stack.api.producer.queue('upkeep').getJobCountByTypes('waiting');
  await stack.api.producer.queue('upkeep').add('upkeep', { version: 1 }, { jobId: 'stays' });
  for (const { method, route } of writes) {
    const path = [route].flat()[0]?.replace(':queueName', 'upkeep').replace(':jobId', 'stays');
    const response = await client.json([method].flat()[0]?.toUpperCase() as string, PATH + path, {});
    expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    // No GET writes anything either.
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

test('shows all queues as read-only', async () => {
  const { body } = await client.get(`${PATH}/api/queues`);
  const queues = body.queues as { name: string; readOnlyMode: boolean }[];
  expect(queues.map(({ name }) => name)).toEqual(allQueues());
  expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
});

test('errors have the error body of the API', async () => {
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

test('serves its own files only', async () => {
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

test('is loaded at the first request', () => {
  const sources = (readdirSync('api', { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && !name.startsWith('dashboard/'))
    .map((name) => join('api', name));
  const taking = sources.filter((file) =>
    importsOf(file).some(({ target }) => target.startsWith('api/dashboard/')),
  );
  expect(taking).toEqual(['api/routes/operations/dashboard.ts']);
  expect(readFileSync('api/routes/operations/dashboard.ts', 'utf8')).not.toMatch(/^import .*dashboard\//m);
});

test('responds with 503 while Redis is unavailable', async () => {
  const other = await startStack({ worker: false });
  const admin = await Client.of(other, 'admin');
  expect((await admin.get(`${PATH}/api/queues`)).status).toBe(200);
  other.api.redis.disconnect();
  await until('Redis is unavailable', () => other.api.redis.status === 'end');
  const startedAt = Date.now();
  const { status, headers } = await admin.get(`${PATH}/api/queues`);
  expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  expect(Date.now() - startedAt).toBeLessThan(IN_TIME_MS);
  expect((await admin.get(PATH)).status).toBe(200);
  await other.stop();
});

test('a Redis that hangs does not delay its responses', async () => {
  const redis = await startFreezableRedis();
  const other = await startStack({ worker: false, env: { REDIS_URL: redis.url } });
  try {
    const admin = await Client.of(other, 'admin');
    expect((await admin.get(`${PATH}/api/queues`)).status).toBe(200);
    redis.freeze();
    const startedAt = Date.now();
    const reads = ['queues?activeQueue=upkeep', 'queues/upkeep/nobody', 'job-schedulers', 'redis/stats'];
    const responses = await Promise.all(reads.map((read) => admin.get(`${PATH}/api/${read}`)));
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(Date.now() - startedAt).toBeLessThan(IN_TIME_MS);
  } finally {
    await other.stop();
    redis.stop();
  }
});
