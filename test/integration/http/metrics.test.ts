import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FiringAlerts } from '../../../api/metrics/firing-alerts.js';
import { connectDatabase } from '../../../db/client/connect.js';
import { ReadDatabase } from '../../../db/client/replica/replica.js';
import { serveMetrics } from '../../../workers/process/metrics-server.js';
import { allQueues } from '../../../workers/queues/index.js';
import { Client } from '../../support/api/client.js';
import { type Metrics, parseMetrics } from '../../support/api/metrics.js';
import { ALERT, makeWebhook, sendEvent } from '../../support/api/webhooks.js';
import { startFreezableRedis } from '../../support/faults/frozen-redis.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

/** A scrape waits 1 s for Redis; the rest is for a busy machine. */
const IN_TIME_MS = 15_000;

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

async function scraped(from = client): Promise<Metrics> {
  const { status, text } = await from.get('/metrics');
  expect(status).toBe(200);
  return parseMetrics(text);
}

const REQUESTS = 'muster_http_request_duration_seconds_count';

test('a key with the scope admin reads the metrics in the text format of Prometheus', async () => {
  const response = await client.get('/metrics');
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const metrics = parseMetrics(response.text);
  for (const name of metrics.types.keys()) expect(name).toMatch(/^(muster|process|nodejs)_[a-z0-9_]+$/);
  const counters = [...metrics.types].filter(([, type]) => type === 'counter').map(([name]) => name);
  for (const name of counters) expect(name).toMatch(/_total$/);
  expect(metrics.of('nodejs_eventloop_lag_seconds')).toHaveLength(1);
  expect(metrics.sum('process_resident_memory_bytes')).toBeGreaterThan(1e6);
});

test('other keys cannot read the metrics, and other methods are rejected', async () => {
  const asked = async (from: Client, method = 'GET') => {
    const { status, headers, body } = await from.send(method, '/metrics');
    return [status, body?.code, headers.get('www-authenticate') ?? headers.get('allow')];
  };
  expect(await asked(new Client(stack.url, null))).toEqual([401, 'missing_api_key', 'ApiKey, Bearer']);
  expect(await asked(await Client.of(stack, 'alerts:read'))).toEqual([403, 'missing_scope', null]);
  expect(await asked(client, 'POST')).toEqual([405, 'method_not_allowed', 'HEAD, GET']);
});

test('the OpenAPI document describes the route', async () => {
  const { body } = await client.get('/openapi.json');
  expect(body.paths['/metrics'].get).toMatchObject({ 'x-scopes': ['admin'] });
  expect(Object.keys(body.paths['/metrics'].get.responses[200].content)).toEqual(['text/plain']);
});

test('counts requests by method, route pattern and status', async () => {
  const before = await scraped();
  const missing = '/v2/jobs/01890a5d-ac96-774b-bcce-b302099a8057';
  await client.get('/v2/keys');
  await client.get(missing);
  await client.get(missing);
  await client.json('PATCH', '/v2/developers/identities', []);
  const after = await scraped();
  const more = (labels: Record<string, string>) => after.sum(REQUESTS, labels) - before.sum(REQUESTS, labels);
  expect(more({ method: 'GET', route: '/v2/keys', status: '200' })).toBe(1);
  expect(more({ method: 'GET', route: '/v2/jobs/{id}', status: '404' })).toBe(2);
  expect(more({ method: 'PATCH', route: '/v2/developers/identities', status: '400' })).toBe(1);
  expect(more({ method: 'GET', route: '/metrics', status: '200' })).toBe(1);
  const took = after.sum('muster_http_request_duration_seconds_sum', { route: '/v2/keys' });
  expect(took).toBeGreaterThan(0);
  expect(took).toBeLessThan(60);
});

test('values invented by clients add no time series', async () => {
  await client.get('/nowhere');
  await client.send('PROPFIND', '/nowhere');
  const webhook = await makeWebhook(client);
  await sendEvent(stack.url, `${webhook.path}x`, ALERT);
  await client.get('/v2/alerts?severity=a');
  const before = await scraped();
  for (let i = 0; i < 30; i++) {
    await client.get(`/nowhere/${i}?${i}=${i}`);
    await client.send(['PROPFIND', 'MKCOL', 'SEARCH'][i % 3] as string, `/nowhere/${i}`);
    await client.get(`/v2/jobs/${i}`, { 'x-request-id': `r${i}` });
    await client.get(`/v2/alerts?severity=${i}`);
    await sendEvent(stack.url, `${webhook.path}${i}`, ALERT);
  }
  const after = await scraped();
  const unmatched = { route: 'unmatched' };
  expect(after.sum(REQUESTS, unmatched) - before.sum(REQUESTS, unmatched)).toBe(60);
  const series = ({ samples }: Metrics) =>
    samples
      .filter(({ name }) => name.startsWith('muster_'))
      .map((one) => JSON.stringify([one.name, one.labels]));
  const added = series(after).filter((one) => !series(before).includes(one));
  // This route has had no request before, and clocks are compared every few seconds.
  const own = /\/v2\/jobs\/\{id\}|muster_clock_offset_seconds/;
  expect(added.filter((one) => !own.test(one))).toEqual([]);
  expect(added.length).toBeLessThan(15);
});

test('counts accepted events, rejected events by reason, batches and pending events', async () => {
  const [webhook, limited] = [
    await makeWebhook(client),
    await makeWebhook(client, { rateLimit: { eventsPerMinute: 1, overLimitStatus: 429 } }),
  ];
  const before = await scraped();
  const send = async (path: string, body: unknown) => (await sendEvent(stack.url, path, body)).status;
  expect(await Promise.all([1, 2, 3].map(() => send(webhook.path, ALERT)))).toEqual([202, 202, 202]);
  expect([await send(limited.path, ALERT), await send(limited.path, ALERT)]).toEqual([202, 429]);
  expect(await send(webhook.path, '{"broken":')).toBe(400);
  expect(await send('/api/v1/webhook/unknown', ALERT)).toBe(404);
  // The rejected body is recorded after the response.
  let after = await scraped();
  const more = (name: string, labels = {}) => after.sum(name, labels) - before.sum(name, labels);
  await until('the record is in the queue', async () => {
    after = await scraped();
    return more('muster_intake_batch_events_sum') === 5;
  });
  expect(more('muster_intake_accepted_events_total')).toBe(4);
  const rejected = (reason: string) => more('muster_intake_refused_events_total', { reason });
  expect(['over_limit', 'malformed_json', 'not_found'].map(rejected)).toEqual([1, 1, 1]);
  const batches = more('muster_intake_batch_events_count');
  expect(batches).toBeGreaterThanOrEqual(3);
  expect(batches).toBeLessThanOrEqual(5);
  expect(more('muster_intake_acknowledge_seconds_count')).toBe(batches);
  expect(more('muster_intake_acknowledge_seconds_sum')).toBeGreaterThan(0);
  expect(after.sum('muster_intake_buffer_bytes')).toBe(0);
  expect(after.sum('muster_intake_buffer_limit_bytes')).toBe(16 * 1024 * 1024);
  const waits = { queue: 'alert-intake', state: 'waiting' };
  expect(more('muster_queue_jobs', waits)).toBe(batches);
  expect(after.sum('muster_queue_oldest_waiting_seconds', { queue: 'alert-intake' })).toBeGreaterThan(0);
});

test('reports the same queues and workers as the health page', async () => {
  const { body } = await client.get('/v2/health');
  const metrics = await scraped();
  expect(body.data.queues.map(({ queue }: { queue: string }) => queue)).toEqual(allQueues());
  for (const { queue, waiting, active, delayed } of body.data.queues) {
    for (const [state, jobs] of Object.entries({ waiting, active, delayed })) {
      expect(metrics.of('muster_queue_jobs', { queue, state }).map(({ value }) => value)).toEqual([jobs]);
    }
  }
  expect(metrics.sum('muster_workers')).toBe(body.data.workers.length);
  expect(metrics.sum('muster_redis_up')).toBe(1);
});

test('reports the stores: whether the database responds, the memory of Redis, and the space on disks', async () => {
  const metrics = await scraped();
  expect(metrics.sum('muster_database_up')).toBe(1);
  const used = metrics.of('muster_redis_memory_bytes', { node: 'primary' }).map(({ value }) => value);
  expect(used).toEqual([expect.any(Number)]);
  expect(used[0]).toBeGreaterThan(500_000);
  const [, limit] = (await stack.api.redis.config('GET', 'maxmemory')) as string[];
  expect(metrics.sum('muster_redis_memory_limit_bytes')).toBe(Number(limit));
  for (const folder of ['data_dir', 'files']) {
    const [free, size] = ['free', 'size'].map((what) => metrics.sum(`muster_disk_${what}_bytes`, { folder }));
    expect(size).toBeGreaterThan(1e6);
    expect(free).toBeLessThanOrEqual(size as number);
  }
});

test('a separate port serves only the metrics, without a key', async () => {
  const address = { host: '127.0.0.1', port: 0 };
  const end = serveMetrics(address, stack.api.metrics, stack.api.log);
  const told = () =>
    stack.lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'metrics are served');
  await until('it listens', () => told() !== undefined);
  const url = `http://127.0.0.1:${told().port}`;
  expect(parseMetrics(await (await fetch(`${url}/metrics`)).text()).sum('muster_redis_up')).toBe(1);
  expect((await fetch(`${url}/metrics`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${url}/v2/keys`)).status).toBe(404);
  expect((await fetch(`${url}/readyz`)).status).toBe(404);
  end();
  await expect(fetch(`${url}/metrics`)).rejects.toThrow();
});

test.each(['gone', 'frozen'])(
  'a Redis that is %s does not delay a scrape, and its metrics are absent',
  async (how) => {
    const redis = await startFreezableRedis();
    const other = await startStack({ worker: false, env: { REDIS_URL: redis.url } });
    try {
      const asking = await Client.of(other);
      expect((await scraped(asking)).sum('muster_redis_up')).toBe(1);
      if (how === 'frozen') redis.freeze();
      else other.api.redis.disconnect();
      for (const _ of [1, 2]) {
        const startedAt = Date.now();
        const metrics = await scraped(asking);
        expect(Date.now() - startedAt).toBeLessThan(IN_TIME_MS);
        expect(metrics.of('muster_redis_up').map(({ value }) => value)).toEqual([0]);
        const absent = ['muster_queue_jobs', 'muster_workers', 'muster_redis_memory_bytes'];
        expect(absent.flatMap((name) => metrics.of(name))).toEqual([]);
        expect(metrics.sum('process_resident_memory_bytes')).toBeGreaterThan(0);
      }
    } finally {
      await other.stop();
      redis.stop();
    }
  },
);

test('a database that is gone before anything was counted gives no numbers of firing alerts, and no error', async () => {
  const lost = connectDatabase('mysql://nobody@127.0.0.1:1/none');
  try {
    expect(await new FiringAlerts(new ReadDatabase(lost, null)).count(IN_TIME_MS)).toBeNull();
  } finally {
    await lost.destroy();
  }
});
