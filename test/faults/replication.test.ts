import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../scripts/processes/free-port.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { ALERT, makeWebhook, sendEvent } from '../support/api/webhooks.js';
import { Fault } from '../support/faults/fault.js';
import { end, type Processes, START_WITHIN_MS, startProcesses } from '../support/servers/processes.js';
import { startSentinel } from '../support/servers/sentinel.js';
import { until } from '../support/until.js';

const CSV = 'email,integrationId,identity\nada@example.com,1,ada\n';
const LATER = { Prefer: 'respond-async' };

let sentinel: Awaited<ReturnType<typeof startSentinel>>;
let processes: Processes;
/** An API that waits for no replica. */
let otherUrl: string;
let path: string;
const ledger = new LedgerClient();
beforeAll(async () => {
  // The second replica confirms events after the failover.
  sentinel = await startSentinel({ replicas: 2 });
  const env = { REDIS_URL: sentinel.url, NODE_EXTRA_CA_CERTS: sentinel.ca, LOG_LEVEL: 'error' };
  processes = await startProcesses({ env });
  const port = await freePort();
  processes.start('api', { PORT: String(port), REDIS_WAIT_REPLICAS: '0' });
  otherUrl = `http://127.0.0.1:${port}`;
  path = (await makeWebhook(processes.client)).path;
  const isReady = async () => (await readinessOf(otherUrl))?.status === 200;
  await until('the other API is ready', isReady, START_WITHIN_MS);
  // What is accepted stays in Redis until the failover.
  for (const worker of processes.workers) await end(worker);
}, 240_000);
afterAll(async () => {
  await ledger.stop();
  await processes?.stop();
  await sentinel?.stop();
});

const readinessOf = (url: string) => fetch(`${url}/readyz`).catch(() => null);

test('while the replica does not respond, events and uploads are rejected; a repeated upload runs once', async () => {
  const { client, url } = processes;
  expect((await ledger.sendOne(url + path)).status).toBe(202);
  const headers = { ...LATER, 'Idempotency-Key': 'upload-1' };
  for (const replica of sentinel.replicas) replica.kill('SIGSTOP');

  expect((await ledger.sendOne(url + path)).status).toBe(503);
  const rejected = await client.upload(CSV, '', headers);
  expect([rejected.status, rejected.body.code]).toEqual([503, 'unavailable']);
  expect(rejected.headers.get('retry-after')).not.toBeNull();
  const readiness = await readinessOf(url);
  expect(readiness?.status).toBe(503);
  expect(await readiness?.json()).toMatchObject({
    redis: true,
    replicas: false,
    message: expect.stringMatching(
      /Fewer than 1 replicas of Redis .*: check them, or lower REDIS_WAIT_REPLICAS/,
    ),
  });

  for (const replica of sentinel.replicas) replica.kill('SIGCONT');
  await until('events are accepted', async () => (await ledger.sendOne(url + path)).status === 202);
  const repeated = await client.upload(CSV, '', headers);
  expect(repeated.status).toBe(202);
  const { body } = await client.get('/v2/jobs');
  expect(body.data.filter(({ state }: { state: string }) => state === 'queued')).toHaveLength(1);
});

test('a partition and a failover lose no event that was acknowledged, and others if the API does not wait; events and jobs are processed afterwards', async () => {
  const { client, url, database } = processes;
  ledger.start(() => url + path, 8);
  await until('many events are acknowledged', () => ledger.acknowledged > 500);
  await sentinel.partition();
  const rejected = () => ledger.outcomes.filter(({ status }) => status === 503).length;
  const before = rejected();
  await until('events are rejected', () => rejected() > before);
  const unsafe = await sendEvent(otherUrl, path, ALERT);
  expect(unsafe.status).toBe(202);
  const { eventId } = (await unsafe.json()) as { eventId: string };
  await ledger.stop();

  await sentinel.killMaster();
  const fault = new Fault('partition and failover of Redis with a Sentinel', 'events');
  const isTaken = async () => (await ledger.sendOne(url + path)).status === 202;
  await fault.recovery(() => until('a replica is the master, and another one confirms', isTaken, 60_000));
  processes.start('workers');
  await ledger.settle(database, { fault });
  expect((await client.get(`/v2/events/${eventId}`)).status).toBe(404);
  await until('an upload is written', async () => {
    const { status, body } = await client.upload(CSV);
    return status === 200 && body.counts.total === 1;
  });
});
