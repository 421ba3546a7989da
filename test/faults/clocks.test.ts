import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Queue } from 'bullmq';
import { findPartitions } from '../../scripts/doctor/database/partitions.js';
import { freePort } from '../../scripts/processes/free-port.js';
import { connectProducer } from '../../workers/queues/connection.js';
import { Producer } from '../../workers/queues/producer.js';
import { Client } from '../support/api/client.js';
import { countRows, insertOldRows } from '../support/api/old-rows.js';
import { ALERT, makeWebhook, sendEvent, type TestWebhook } from '../support/api/webhooks.js';
import { daysAgo } from '../support/days-ago.js';
import { type Clock, createClock, whyNoClocks } from '../support/faults/clock.js';
import { shortOrLong, timeLimit } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const PREFIX = '{clocks}';
const SECRET = Buffer.from('the secret of the signed events.');
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** How far the time of an event may be from when it was sent, on a machine with much other work. */
const NEAR_MS = 10_000;
/** Rows that are kept: neither 20 days for events nor for alerts are too long. */
const KEPT = 50;
const testWithClocks = testUnless(whyNoClocks());

type Host = 'API' | 'worker';
interface Step {
  offsetS: number;
  when: 'at the start' | 'in the middle';
}
/** What happens to the clocks of two hosts, one step after the other. */
interface Case {
  wrong: readonly Host[];
  steps: readonly Step[];
}
const nameOf = ({ offsetS, when }: Step): string => `by ${offsetS / HOUR_S} h ${when}`;

const OFFSETS = [HOUR_S, -HOUR_S, 500 * DAY_S, -500 * DAY_S];
const everything: Case[] = ([['API'], ['worker'], ['API', 'worker']] as const).flatMap((wrong) =>
  OFFSETS.flatMap((offsetS) =>
    (['at the start', 'in the middle'] as const).map((when) => ({ wrong, steps: [{ offsetS, when }] })),
  ),
);
const cases = shortOrLong<Case[]>(
  [
    {
      wrong: ['API', 'worker'],
      steps: [
        { offsetS: 500 * DAY_S, when: 'at the start' },
        { offsetS: -500 * DAY_S, when: 'in the middle' },
      ],
    },
  ],
  everything,
);

let muster: Processes;
let producer: Producer;
let queue: Queue;
let clock: Clock;
/** An API and a worker whose clocks are set. */
let api: { url: string; client: Client };
let hook: TestWebhook;
const started: ReturnType<Processes['start']>[] = [];

beforeAll(async () => {
  // The only worker is the one of the case.
  muster = await startProcesses({ workers: 0, env: { REDIS_PREFIX: PREFIX, LOG_LEVEL: 'error' } });
  const redis = connectProducer(process.env.TEST_REDIS_URL as string);
  await new Promise((resolve) => redis.once('ready', resolve));
  producer = new Producer(redis, PREFIX);
  queue = producer.queue('upkeep');
  hook = await makeWebhook(muster.client);
  await insertOldRows(muster.database, { count: KEPT, from: daysAgo(20) });
}, 120_000);
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => end(child)));
  clock?.remove();
}, 120_000);
afterAll(async () => {
  await producer?.close();
  await muster?.stop();
}, 120_000);

/** Starts an API and a worker, each with the clock that is set if it is one of the wrong hosts. */
async function startHosts(wrong: readonly Host[]): Promise<void> {
  const port = await freePort();
  const env = (host: Host) => (wrong.includes(host) ? clock.env : {});
  started.push(
    muster.start('api', { PORT: String(port), ...env('API') }),
    muster.start('workers', env('worker')),
  );
  const url = `http://127.0.0.1:${port}`;
  api = { url, client: new Client(url, muster.key) };
  await until(
    'it accepts events',
    async () => (await fetch(`${url}/readyz/intake`).catch(() => null))?.status === 200,
    90_000,
  );
}

const workers = async (): Promise<{ held: string | null }[]> =>
  (await muster.client.get('/v2/health')).body.data.workers;
const untilHeld = (held: boolean) =>
  until(
    held ? 'the worker takes no jobs' : 'the worker takes jobs',
    async () => {
      const found = await workers();
      return found.length > 0 && found.every((worker) => (worker.held !== null) === held);
    },
    60_000,
  );

/** The clocks that the API of the case believes to be wrong. */
const wrongClocks = async (): Promise<string[]> =>
  (await api.client.get('/v2/health')).body.data.clocks.wrong;

interface Sent {
  id: string;
  from: number;
  to: number;
}

/** Sends events through both APIs in turn. */
async function send(count: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (let event = 0; event < count; event++) {
    const from = Date.now();
    const response = await sendEvent(event % 2 === 0 ? api.url : muster.url, hook.path, ALERT);
    expect(response.status).toBe(202);
    const { eventId } = (await response.json()) as { eventId: string };
    sent.push({ id: eventId, from, to: Date.now() });
  }
  return sent;
}

testWithClocks.each(
  cases.map((one) => [`${one.wrong.join(' and ')} ${one.steps.map(nameOf).join(', then ')}`, one] as const),
)(
  'a wrong clock of %s loses nothing, and gives no event another time',
  async (_, { wrong, steps }) => {
    clock = createClock();
    for (const [at, step] of steps.entries()) {
      if (step.when === 'at the start') clock.set(step.offsetS);
      if (at === 0) await startHosts(wrong);
      await expectNoLoss(wrong, step);
    }
  },
  timeLimit(240_000),
);

/** Does everything that a clock could harm while it is wrong, and checks it once the clock is right. */
async function expectNoLoss(wrong: readonly Host[], step: Step): Promise<void> {
  const { offsetS, when } = step;
  const name = `${wrong.join(' and ')} ${nameOf(step)}`;
  const fault = new Fault(`wrong clock of ${name}`, 'events');
  const { database } = muster;
  const isHeld = wrong.includes('worker');
  const sent: Sent[] = [];
  if (when === 'in the middle') {
    await untilHeld(false);
    sent.push(...(await send(4)));
    clock.set(offsetS);
  }
  if (isHeld) await untilHeld(true);
  if (wrong.includes('API'))
    await until('the API knows', async () => (await wrongClocks()).join() === 'host');
  sent.push(...(await send(6)));
  await sendSigned();
  const last = await upload(name);
  await expectLimit();
  // If the worker took it, it would remove everything within a second.
  await queue.add('upkeep', { version: 1 }, { removeOnComplete: true, removeOnFail: true });
  if (isHeld) expect((await muster.client.get('/readyz')).body.worker).toBe(false);
  else await until('the events are stored', async () => (await storedTimes(sent)).length === sent.length);
  clock.set(0);
  await fault.recovery(async () => {
    await untilHeld(false);
    await until(
      'the events are stored',
      async () => (await storedTimes(sent)).length === sent.length,
      60_000,
    );
    await until(
      'the turn of upkeep has ended',
      async () => (await queue.getJobCountByTypes('active', 'waiting')) === 0,
      60_000,
    );
  });
  expect((await muster.client.jobEnd(last.jobId)).body.data.state).toBe('completed');
  const [stored] = (await muster.client.get('/v2/developers/identities')).body.data;
  expect(stored.email).toBe(last.email);
  for (const { id, receivedAt } of await storedTimes(sent)) {
    const { from, to } = sent.find((one) => one.id === id) as Sent;
    expect(receivedAt).toBeGreaterThan(from - NEAR_MS);
    expect(receivedAt).toBeLessThan(to + NEAR_MS);
  }
  for (const table of ['events', 'alerts'])
    expect(await countRows(database, table)).toBeGreaterThanOrEqual(KEPT);
  expect(await database('events').where('received_at', '<', daysAgo(10))).toHaveLength(KEPT);
  expect(await findPartitions('partitions', database)).toMatchObject({ level: 'ok' });
  fault.add({ acknowledged: sent.length, stored: sent.length, lost: 0, doubled: 0 });
  fault.report();
}

/** Expects that an event that has just been signed is verified by each host. */
async function sendSigned(): Promise<void> {
  const { path } = await makeWebhook(muster.client, {
    signature: { scheme: 'standard-webhooks', secret: `whsec_${SECRET.toString('base64')}` },
  });
  for (const url of [api.url, muster.url]) {
    const [id, timestamp, body] = [`delivery-${url}`, Math.floor(Date.now() / 1_000), JSON.stringify(ALERT)];
    const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    expect((await fetch(url + path, { method: 'POST', headers, body })).status).toBe(202);
  }
}

/** Uploads a row through each API, twice under the same key. Returns the upload that was accepted last, which is that of the right host. */
async function upload(name: string): Promise<{ jobId: string; email: string }> {
  let last = { jobId: '', email: '' };
  for (const [host, { client }] of Object.entries({ wrong: api, right: muster })) {
    const email = `${host}-${name.toLowerCase().replaceAll(/\W/g, '-')}@example.com`;
    const row = { email, integrationId: 1, identity: 'account' };
    const headers = { 'idempotency-key': email, prefer: 'respond-async' };
    const send = () => client.json('PATCH', '/v2/developers/identities', [row], headers);
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.body.jobId]).toEqual([202, 202, first.body.jobId]);
    last = { jobId: first.body.jobId, email };
  }
  return last;
}

/** Expects that an integration with a limit of one event a minute gets no second one, through any host. */
async function expectLimit(): Promise<void> {
  const { path } = await makeWebhook(muster.client, {
    rateLimit: { eventsPerMinute: 1, overLimitStatus: 429 },
  });
  expect((await sendEvent(muster.url, path, ALERT)).status).toBe(202);
  const over = await sendEvent(api.url, path, ALERT);
  expect(over.status).toBe(429);
  expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(60);
}

/** Returns when those of the events that are stored were received. */
async function storedTimes(sent: readonly Sent[]): Promise<{ id: string; receivedAt: number }[]> {
  const found = await Promise.all(sent.map(({ id }) => muster.client.get(`/v2/events/${id}`)));
  return found.flatMap(({ status, body }) =>
    status === 200 ? [{ id: body.data.id, receivedAt: Date.parse(body.data.receivedAt) }] : [],
  );
}
