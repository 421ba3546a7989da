import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../scripts/processes/free-port.js';
import { parseMetrics } from '../../support/api/metrics.js';
import { end, type Processes, startProcesses } from '../../support/servers/processes.js';
import { until } from '../../support/until.js';

let processes: Processes;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/metrics`;
  processes = await startProcesses({ env: { METRICS_PORT: String(port) } });
});
afterAll(() => processes.stop());

/** Returns the metrics of the process that holds the port; null if no process does. */
async function scraped() {
  const response = await fetch(url).catch(() => null);
  return response && parseMetrics(await response.text());
}

const isApi = async () => (await scraped())?.types.has('muster_intake_accepted_events_total') ?? false;
const isWorker = async () => (await scraped())?.types.has('muster_job_duration_seconds') ?? false;

test('each process serves its own metrics; one that finds the port in use still works, and serves them once the port is free', async () => {
  await until('one process serves metrics', async () => (await scraped()) !== null);
  const { body } = await processes.client.upload('email,integrationId,identity\nada@example.com,7,ada\n');
  expect(body.counts.created).toBe(1);
  const isApiFirst = await isApi();
  expect(await isWorker()).toBe(!isApiFirst);
  await end(isApiFirst ? processes.api : (processes.workers[0] as (typeof processes.workers)[0]));
  await until('the other process serves metrics', isApiFirst ? isWorker : isApi);
  expect((await scraped())?.sum('muster_redis_up')).toBe(1);
});

test.each([
  ['ready', {}, 200, { status: 'success', redis: true, database: true, storage: true, clock: true }],
  [
    'not ready without its database',
    { DATABASE_URL: 'mysql://muster@127.0.0.1:1/muster' },
    503,
    { status: 'error', redis: true, database: false, storage: true, clock: true },
  ],
])('a worker reports on the port of its metrics that it is alive and %s', async (_, env, status, body) => {
  const port = await freePort();
  const worker = processes.start('workers', { ...env, METRICS_PORT: String(port) });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  // Its first reports may be from before it has compared the clocks.
  await until('it reports that', async () => {
    const response = await get('/readyz').catch(() => null);
    return response?.status === status && isDeepStrictEqual(await response.json(), body);
  });
  expect((await get('/healthz')).status).toBe(200);
  await end(worker);
});
