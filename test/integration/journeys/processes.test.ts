import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { livingPidIn } from '../../../scripts/processes/identity.js';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook } from '../../support/api/webhooks.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type Access, nodeStart, type Started, untilRunning } from '../../support/servers/muster.js';
import { until } from '../../support/until.js';

/** Two processes of the API and two workers, started as a user would, on the servers of the run. */
const NAMES = ['api', 'api-2', 'worker', 'worker-2'];
const EVENTS = 300;
const SENDERS = 16;
const ROWS = 6_000;
/** Far from the ports that the system hands out. */
const METRICS_PORT = 18_464;

let own: TestDatabase;
let dataDir: string;
let run: Started;
let access: Access;
let client: Client;

beforeAll(async () => {
  own = await createTestDatabase();
  dataDir = join(mkdtempSync(join(tmpdir(), 'muster-processes-')), 'data');
  run = nodeStart({
    DATA_DIR: dataDir,
    PORT: '0',
    METRICS_PORT: String(METRICS_PORT),
    API_PROCESSES: '2',
    WORKER_PROCESSES: '2',
    DATABASE_URL: own.url,
    REDIS_URL: process.env.TEST_REDIS_URL as string,
    REDIS_PREFIX: '{processes}',
  });
  access = await untilRunning(run);
  client = new Client(access.address, access.apiKey);
}, 120_000);

afterAll(async () => {
  run.child.kill('SIGTERM');
  await run.ended;
  await own.drop();
  rmSync(join(dataDir, '..'), { recursive: true });
});

const pidOf = (name: string): number | undefined => livingPidIn(join(dataDir, 'run', `${name}.pid`));

/** Returns a counter of each process, in the order of `NAMES`; null for one that does not serve its metrics. */
const counters = (metric: string): Promise<(number | null)[]> =>
  Promise.all(
    NAMES.map(async (_, i) => {
      const response = await fetch(`http://127.0.0.1:${METRICS_PORT + i}/metrics`).catch(() => null);
      const text = await response?.text();
      const value = text && new RegExp(`^${metric}(?:{.*})? (\\d+)$`, 'm').exec(text)?.[1];
      return value ? Number(value) : null;
    }),
  );

/** Sends an event until it is accepted. Each attempt has its own connection. Returns the id in the response. */
async function deliver(path: string, delivery: number): Promise<string> {
  for (;;) {
    const response = await fetch(access.address + path, {
      method: 'POST',
      headers: { 'webhook-id': String(delivery), connection: 'close', 'content-type': 'application/json' },
      body: JSON.stringify(ALERT),
    }).catch(() => null);
    if (response?.status === 202) return ((await response.json()) as { eventId: string }).eventId;
    await response?.arrayBuffer().catch(() => {});
  }
}

/** Delivers events with several senders, each once or more. Returns the ids of the events. */
async function deliverAll(path: string, onAccepted: (count: number) => void): Promise<Set<string>> {
  const ids = new Set<string>();
  let next = 0;
  const sender = async () => {
    while (next < EVENTS) {
      ids.add(await deliver(path, next++));
      onAccepted(ids.size);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return ids;
}

const countOf = async (table: string): Promise<number> =>
  Number((await own.database(table).count({ count: '*' }).first())?.count);

test('each process has its own log and metrics, and all APIs have one port', async () => {
  expect(run.output()).toMatch(/^ {2}2 APIs and 2 workers +[\d.]+ s$/m);
  expect(NAMES.map((name) => existsSync(join(dataDir, 'logs', `${name}.log`)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  await until(
    'all serve their metrics',
    async () => !(await counters('process_start_time_seconds')).includes(null),
  );
  expect(await counters('muster_intake_accepted_events_total')).toEqual([0, 0, null, null]);
  expect(await counters('muster_events_stored_total')).toEqual([null, null, 0, 0]);
});

test('events and uploads are stored exactly once while an API is killed', async () => {
  const { path } = await makeWebhook(client);
  const csv = (owner: string) =>
    `email,integrationId,identity\n${Array.from({ length: ROWS }, (_, i) => `${owner}@example.com,7,user${i}\n`).join('')}`;
  const jobs: string[] = [];
  for (const owner of ['first', 'second', 'third']) {
    const { body } = await client.upload(csv(owner), '', { prefer: 'respond-async' });
    jobs.push(body.jobId);
  }
  let accepted: (number | null)[] = [];
  let killed: Promise<unknown> | undefined;
  const killAt = async () => {
    accepted = await counters('muster_intake_accepted_events_total');
    process.kill(pidOf('api-2') as number, 'SIGKILL');
  };
  const ids = await deliverAll(path, (count) => {
    if (count >= EVENTS / 2) killed ??= killAt();
  });
  await killed;
  expect(accepted.map((count) => (count ?? 0) > 0)).toEqual([true, true, false, false]);
  expect(ids.size).toBe(EVENTS);

  const ends = await Promise.all(jobs.map((id) => client.jobEnd(id)));
  const counts = ends.map(({ body }) => body.data.counts as Record<string, number>);
  expect(ends.map(({ body }) => body.data.state)).toEqual(['completed', 'completed', 'completed']);
  expect(counts.map(({ total }) => total)).toEqual([ROWS, ROWS, ROWS]);
  expect(counts.reduce((created, count) => created + (count.created ?? 0), 0)).toBe(ROWS);
  await until('all events are stored', async () => (await countOf('events')) === EVENTS);
  expect(await countOf('alerts')).toBe(EVENTS);
  const owners = await own.database('identities').distinct('email');
  expect(owners).toEqual([{ email: 'third@example.com' }]);
  expect(await countOf('identities')).toBe(ROWS);
}, 120_000);

test('a killed process is restarted alone, and works again', async () => {
  const pids = NAMES.map(pidOf);
  process.kill(pids[3] as number, 'SIGKILL');
  await until('worker-2 runs again', () => ![undefined, pids[3]].includes(pidOf('worker-2')));
  expect(NAMES.slice(0, 3).map(pidOf)).toEqual(pids.slice(0, 3));
  for (const name of ['api-2', 'worker-2'])
    await until('that is said', () => run.output().includes(`${name} exited (SIGKILL); restarting`));
  await until(
    'all serve their metrics',
    async () => !(await counters('process_start_time_seconds')).includes(null),
  );
  const { path } = await makeWebhook(client);
  await until('api-2 has accepted an event', async () => {
    await Promise.all(Array.from({ length: 8 }, () => deliver(path, Math.random())));
    return ((await counters('muster_intake_accepted_events_total'))[1] ?? 0) > 0;
  });
});

test('all stop on SIGTERM', async () => {
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
  expect(NAMES.map(pidOf)).toEqual([undefined, undefined, undefined, undefined]);
});
