import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { toUuidBinary } from '../../db/bulk/uuid-binary.js';
import { makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { shortOrLong, timeLimit } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { type Received, Receiver } from '../support/outbox/receiver.js';
import { Draw } from '../support/series/sent-events.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const KEYS = 12;
/** The number of workers. They pass lanes on to each other, also those of killed ones. */
const WORKERS = 2;
/** How often each fault is provoked. */
const ROUNDS = shortOrLong(1, 12);
const SEED = Number(process.env.DELIVERIES_SEED ?? Date.now() % 1_000_000);
const MAPPING = {
  fields: {
    title: { template: '{{webhook.title}}' },
    severity: { template: '{{webhook.severity}}' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

let fleet: Fleet;
let receiver: Receiver;
let webhook: TestWebhook;
/** The destination that is told of the ends of jobs. */
let callback: string;
const draw = new Draw(SEED);
const destinations: { [Mode in 'every' | 'latest']: string } = { every: '', latest: '' };
const client = () => (fleet.apis[0] as Fleet['apis'][0]).client;

beforeAll(async () => {
  receiver = await Receiver.start();
  fleet = await startFleet({ workers: WORKERS, env: { OUTBOUND_ALLOW: receiver.host } });
  webhook = await makeWebhook(client(), { template: null, driftSeverity: null });
  await client().json('PUT', `/v2/webhooks/${webhook.id}/mapping`, MAPPING);
  for (const mode of ['every', 'latest'] as const) {
    const url = `${receiver.url}/${mode}`;
    const webhookIds = [webhook.id];
    const body = { name: mode, preset: 'webhook', url, mode, ratePerMinute: null, webhookIds };
    destinations[mode] = (await client().json('POST', '/v2/destinations', body)).body.data.id;
  }
  const jobs = {
    name: 'jobs',
    preset: 'webhook',
    url: `${receiver.url}/jobs`,
    ratePerMinute: null,
    types: [],
  };
  callback = (await client().json('POST', '/v2/destinations', jobs)).body.data.id;
  // Workers know of a first destination after a second.
  await sleep(1_500);
}, 120_000);
afterAll(async () => {
  await fleet?.stop();
  await receiver?.stop();
}, 60_000);

/** What the receiver does while faults are provoked: responds late, fails, or closes the connection, with the message or without it. */
function respondBadly(): void {
  receiver.respond = (response) => {
    const chance = draw.below(10);
    const respond = () => {
      if (response.destroyed) return;
      if (chance === 0) response.destroy();
      else response.writeHead(chance < 3 ? 503 : 204).end();
    };
    setTimeout(respond, draw.below(4) * 40);
  };
}

/**
 * Sends events about some keys until it is stopped, each after the one before it about its key is stored. So none is stored late, which would change
 * earlier alerts. After an event of which that is not known, its key is not used again.
 */
function startSending(): () => Promise<void> {
  let isStopped = false;
  let keys = 0;
  const sendOne = async (key: string): Promise<boolean> => {
    const event = {
      title: key,
      key,
      status: draw.from(['firing', 'firing', 'resolved']),
      severity: draw.from(['critical', 'error', 'warning']),
    };
    const sent = await client()
      .json('POST', webhook.path, event)
      .catch(() => null);
    const before = flushes;
    while (sent?.status === 202 && !isStopped && flushes === before) {
      const found = await client()
        .get(`/v2/events/${sent.body.eventId}`)
        .catch(() => null);
      if (found?.status === 200) return true;
      await sleep(20);
    }
    await sleep(20);
    return false;
  };
  const sending = Array.from({ length: KEYS }, async () => {
    while (!isStopped) {
      const key = `key ${keys++}`;
      while (!isStopped && (await sendOne(key)));
    }
  });
  return async () => {
    isStopped = true;
    await Promise.all(sending);
  };
}

/** Makes jobs that name a destination, of which some fail and some are canceled, until it is stopped. */
function startImporting(): () => Promise<void> {
  let isStopped = false;
  const importing = (async () => {
    while (!isStopped) {
      const email = draw.below(5) === 0 ? 'nobody' : 'ann@example.com';
      const file = `email,integrationId,identity\n${email},1,a\n`;
      const { jobId } =
        (await client()
          .upload(file, `?callback=${callback}`, { prefer: 'respond-async' })
          .then(({ body }) => body)
          .catch(() => null)) ?? {};
      if (jobId && draw.below(3) === 0) await cancel(jobId);
      await sleep(draw.below(100));
    }
  })();
  return async () => {
    isStopped = true;
    await importing;
  };
}

const cancel = (id: string) =>
  client()
    .send('POST', `/v2/jobs/${id}/cancel`)
    .catch(() => null);

/** Returns the jobs that have ended, and of which ends the receiver was told. Those that a failed request withdrew are no jobs. */
async function endsOfJobs(): Promise<{ expected: string[]; found: string[] }> {
  const rows = await fleet
    .database('jobs')
    .whereNotNull('finished_at')
    .whereNot('type', 'message-replay')
    .whereNot((withdrawn) => withdrawn.where('state', 'canceled').whereNull('cancel_requested_at'))
    .select('id');
  const told = new Map(
    receiver.accepted
      .filter(({ path }) => path === '/jobs')
      .map(({ headers, text }) => [headers['webhook-id'], JSON.stringify(JSON.parse(text).data.job)]),
  );
  const jobs = await Promise.all(rows.map(({ id }) => client().get(`/v2/jobs/${id}`)));
  return { expected: jobs.map(({ body }) => JSON.stringify(body.data)), found: [...told.values()] };
}

/** Makes due what waits for its next attempt, which would take minutes. Fails while the database is unavailable. */
async function hurry(): Promise<void> {
  const past = new Date(Date.now() - 1_000);
  const { database } = fleet;
  await database('messages').where('state', 'waiting').where('due_at', '>', past).update({ due_at: past });
  await database('lanes').whereNotNull('due_at').update({ due_at: past, probe_at: null });
}

/** Ends all leases: those of a killed worker last for ten seconds. A living worker may not write any more either, once another one has its lane. */
const endLeases = () =>
  fleet
    .database('lanes')
    .whereNotNull('lease')
    .update({ lease_until: new Date(Date.now() - 1_000) });

async function killWorker(): Promise<void> {
  const index = draw.below(WORKERS);
  await end(fleet.workers[index] as Fleet['workers'][0], 'SIGKILL');
  fleet.workers[index] = fleet.startWorker();
}

/** How often what Redis held was lost, events that were not stored included. */
let flushes = 0;

async function emptyRedis(): Promise<void> {
  flushes += 1;
  const redis = new Redis(fleet.servers.redis.url.slice('unix://'.length));
  await redis.flushall();
  redis.disconnect();
}

const told = (received: readonly Received[], mode: string) =>
  received
    .filter(({ path }) => path === `/${mode}`)
    .map(({ headers, text }) => {
      const { type, data } = JSON.parse(text);
      return { id: String(headers['webhook-id']), text, type, sequence: data.sequence, alert: data.alert };
    });

async function countOf(query: PromiseLike<unknown>): Promise<number> {
  const [row] = (await query) as { count: number }[];
  return Number(row?.count);
}

/** Nothing is left in the outbox, and no message waits, for as long as a sweep takes. */
async function allIsTold(): Promise<void> {
  let quietSince = Date.now();
  const { database } = fleet;
  await until(
    'all is told',
    async () => {
      await hurry();
      const left =
        (await countOf(database('outbox').count({ count: '*' }))) +
        (await countOf(database('messages').where('state', 'waiting').count({ count: '*' })));
      if (left > 0) quietSince = Date.now();
      await sleep(200);
      return Date.now() - quietSince > 3_000;
    },
    40_000,
  );
}

test(
  'a replay whose workers are killed hands over the rest, and no message twice',
  async () => {
    const fault = new Fault('SIGKILL of workers in the middle of a replay', 'messages');
    const sender = await makeWebhook(client(), { template: null, driftSeverity: null });
    await client().json('PUT', `/v2/webhooks/${sender.id}/mapping`, MAPPING);
    const { id } = (
      await client().json('POST', '/v2/destinations', {
        name: 'replayed',
        preset: 'webhook',
        url: `${receiver.url}/replayed`,
        ratePerMinute: null,
        webhookIds: [sender.id],
      })
    ).body.data;
    const path = `/v2/destinations/${id}`;
    const own = Array.from({ length: 50 }, (_, number) => ({
      title: 'replayed',
      key: `replayed ${number}`,
      status: 'firing',
    }));
    await Promise.all(own.map((event) => client().json('POST', sender.path, event)));
    const messages = async () =>
      (await client().get(`${path}/messages?state=delivered&pageSize=1000`)).body.data;
    await until('all are told', async () => (await messages()).length === own.length);
    await client().json('PATCH', path, { ratePerMinute: 1_200 });
    receiver.clear();
    const replay = { states: ['delivered'], asNew: true };
    const { jobId } = (await client().json('POST', `${path}/replay`, replay, { prefer: 'respond-async' }))
      .body;
    const sent = () => new Set(told(receiver.accepted, 'replayed').map((message) => message.id));
    await until('some are sent', () => sent().size > 0);
    await Promise.all(fleet.workers.map((worker) => end(worker, 'SIGKILL')));
    const before = sent().size;
    fault.provoked();
    for (const index of fleet.workers.keys()) fleet.workers[index] = fleet.startWorker();
    const job = async () => (await client().get(`/v2/jobs/${jobId}`)).body.data;
    await until('the job has ended', async () => (await job()).finishedAt !== null, 60_000);
    await allIsTold();
    const { state, counts, attempts } = await job();
    expect([state, attempts]).toEqual(['completed', 2]);
    expect(counts).toMatchObject({ total: own.length, replayed: own.length, skipped: 0 });
    expect(before).toBeLessThan(own.length);
    const expected: string[] = (await messages()).map((message: { id: string }) => message.id);
    expect(expected.every((one) => one.endsWith('_1'))).toBe(true);
    expect(fault.add(balanceOf(expected, [...sent()]))).toMatchObject({ lost: 0, doubled: 0 });
    fault.report();
  },
  timeLimit(90_000),
);

test(
  'with workers and servers that are killed, every change of an alert and every end of a job is delivered, in order for each key',
  async () => {
    const fault = new Fault('SIGKILL of workers, MariaDB and Redis while messages are sent', 'alerts');
    respondBadly();
    const stopSending = startSending();
    const stopImporting = startImporting();
    const ends = new Fault('SIGKILL of workers, MariaDB and Redis while jobs end', 'jobs');
    const timer = setInterval(() => void hurry().catch(() => {}), 300);
    const faults = [
      () => fleet.restart('mariadb'),
      killWorker,
      () => fleet.restart('redis'),
      killWorker,
      emptyRedis,
      () => Promise.all([killWorker(), fleet.restart('mariadb')]),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      for (const provoke of faults) {
        await sleep(500 + draw.below(1_000));
        await provoke();
        fault.provoked();
        ends.provoked();
        await until('the leases end', () =>
          endLeases().then(
            () => true,
            () => false,
          ),
        );
      }
    }
    // On a busy machine, workers may have spent most of the time starting.
    const own = { webhook_id: toUuidBinary(webhook.id) };
    await until(
      'there are alerts enough',
      async () => (await countOf(fleet.database('alerts').where(own).count({ count: '*' }))) > KEYS,
    );
    await Promise.all([stopSending(), stopImporting()]);
    clearInterval(timer);
    receiver.respond = (response) => void response.writeHead(204).end();
    await until('the API is ready', async () => (await client().get('/readyz')).status === 200);
    // Those that Redis has lost would be taken again only after a minute.
    for (const { id } of await fleet.database('jobs').whereNull('finished_at').select('id')) await cancel(id);
    await endLeases();
    await allIsTold();

    try {
      const { body } = await client().get(`/v2/alerts?webhookId=${webhook.id}&pageSize=1000`);
      const alerts: { id: string; dedupKey: string; status: string; severity: string; createdAt: string }[] =
        body.data;
      expect(alerts.length).toBeGreaterThanOrEqual(KEYS);
      const ids = new Set(alerts.map(({ id }) => id));
      for (const mode of ['every', 'latest'] as const) {
        const all = told(receiver.all, mode);
        expect(all.filter(({ alert }) => !ids.has(alert.id))).toEqual([]);
        const texts = new Map<string, string>();
        for (const { id, text } of all) {
          expect(text).toBe(texts.get(id) ?? text);
          texts.set(id, text);
        }
        const accepted = told(receiver.accepted, mode);
        for (const key of new Set(alerts.map(({ dedupKey }) => dedupKey))) {
          // A receiver may take to heart what it does not accept.
          const own = all.filter(({ alert }) => alert.dedupKey === key);
          const seen = new Set<string>();
          const first = own.filter(({ id }) => !seen.has(id) && seen.add(id));
          const sequences = first.map(({ sequence }) => sequence);
          expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
          const last = first.at(-1)?.alert;
          const latest = alerts.find(({ dedupKey }) => dedupKey === key);
          expect([mode, key, last?.status ?? 'resolved']).toEqual([mode, key, latest?.status]);
          if (latest?.status === 'firing')
            expect([last?.id, last?.severity]).toEqual([latest.id, latest.severity]);
        }
        const delivered = await fleet
          .database('messages')
          .where({ destination_id: destinations[mode], state: 'delivered' })
          .select('transition_id');
        const arrived = new Set(accepted.map(({ sequence }) => sequence));
        expect(delivered.filter(({ transition_id }) => !arrived.has(Number(transition_id)))).toEqual([]);
      }
      const lines = told(receiver.accepted, 'every').map(({ type, alert }) => `${type} ${alert.id}`);
      const expected = alerts.flatMap(({ id, status }) => [
        `alert.fired ${id}`,
        ...(status === 'resolved' ? [`alert.resolved ${id}`] : []),
      ]);
      const found = [...new Set(lines)].filter((line) => !line.startsWith('alert.changed'));
      const balance = fault.add(balanceOf(expected, found));
      expect(balance).toMatchObject({ lost: 0, doubled: 0 });
      const states = await fleet.database('messages').distinct('state').orderBy('state');
      // With few events, nothing may be superseded.
      expect(['delivered', 'superseded']).toEqual(expect.arrayContaining(states.map(({ state }) => state)));
      // A job that still ran may end only now.
      await until('the ends of jobs are told', async () => {
        const { expected, found } = await endsOfJobs();
        return found.length === expected.length;
      });
      const jobs = await endsOfJobs();
      expect(jobs.expected.length).toBeGreaterThan(ROUNDS);
      expect(ends.add(balanceOf(jobs.expected, jobs.found))).toMatchObject({ lost: 0, doubled: 0 });
    } catch (error) {
      throw new Error(`DELIVERIES_SEED=${SEED}`, { cause: error });
    }
    fault.report();
    ends.report();
  },
  timeLimit(120_000),
);
