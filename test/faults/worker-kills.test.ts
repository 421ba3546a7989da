import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { eventIdOf } from '../../db/events/alerts/alert-id.js';
import { EventRows } from '../../db/events/event-rows.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { DEFAULT_PREFIX } from '../../workers/queues/connection.js';
import type { IntakeEvent } from '../../workers/queues/contracts/alert-intake.js';
import { IntakeQueue, intakeEvent } from '../support/api/intake-queue.js';
import { fingerprintOf, largeUpload } from '../support/api/large-upload.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { ALERT, makeWebhook, receiptOf } from '../support/api/webhooks.js';
import { loseLock } from '../support/faults/broken-off.js';
import { isLong, shortOrLong, timeLimit, times, whyNotShort } from '../support/faults/effort.js';
import { balanceOf, balanceOfCounts, Fault } from '../support/faults/fault.js';
import { HeldLoop } from '../support/faults/held-loop.js';
import { MAPPINGS, type OracleAlert, oracle, type TestMapping } from '../support/series/oracle.js';
import { Draw, inBatches, sentEvents } from '../support/series/sent-events.js';
import { shownAlerts } from '../support/series/shown-alerts.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { onMysql } from '../support/servers/on-mysql.js';
import { end } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

let fleet: Fleet;
let queue: IntakeQueue;
const api = () => fleet.apis[0] as Fleet['apis'][0];
const client = () => api().client;
beforeAll(async () => {
  fleet = await startFleet({ workers: 0, env: { IMPORT_CHUNK_ROWS: '200' } });
  queue = new IntakeQueue(fleet.servers.redis.url);
}, 120_000);
afterAll(async () => {
  await queue?.close();
  await fleet?.stop();
}, 120_000);

describe('events that crash their workers', () => {
  const CRASHES = 5;

  let webhook: { id: string; path: string };
  const workers: ChildProcess[] = [];
  beforeEach(async () => {
    webhook = await makeWebhook(client());
  });
  afterEach(async () => {
    await letGo();
    await Promise.all(workers.splice(0).map((worker) => end(worker, 'SIGKILL')));
    await queue.clear();
    for (const table of ['alerts', 'events']) await fleet.database(table).delete();
  });

  const events = (count: number) => Array.from({ length: count }, () => intakeEvent(webhook.id, ALERT));

  /** Starts a worker, which is killed at the end of the test at the latest. */
  function startWorker(): ChildProcess {
    const worker = fleet.startWorker();
    workers.push(worker);
    return worker;
  }

  /** Starts a worker, and kills it with -9 as soon as the condition is met. */
  async function killOnce(what: string, condition: () => Promise<boolean>): Promise<void> {
    const worker = startWorker();
    await until(what, condition);
    await end(worker, 'SIGKILL');
    await queue.expireLocks();
  }

  /** Blocks every write of this event until `letGo` is called. */
  async function holdUp({ id, webhookId, receivedAt, raw }: IntakeEvent): Promise<void> {
    const held = await fleet.database.transaction();
    const row = { id, webhookId, receivedAt, raw, state: 'failed' as const, revision: 0 };
    await EventRows.of([{ ...row, request: null, faults: null, filter: null, alerts: [], items: [] }]).insert(
      held,
    );
    letGo = async () => {
      letGo = async () => {};
      await held.rollback().catch(() => {});
    };
  }
  let letGo = async () => {};

  test('an event that crashes its workers is found and isolated; the other events of its batch are stored; a remap maps it', async () => {
    const [guilty, others] = [events(12), events(5)];
    const poison = guilty[5] as IntakeEvent;
    const batch = await queue.add(guilty);
    await queue.add(others);
    await holdUp(poison);
    // In the short form, only the last crash before the batch is suspected is real.
    const before = CRASHES - shortOrLong(1, 2);
    await queue.setCrashes(batch, before);
    for (let crash = before; crash < CRASHES; crash++) {
      await killOnce('a worker holds the batch', async () => {
        const { crashes, progress } = await queue.look(batch);
        expect(progress).toBe(0);
        return crashes === crash && (await queue.isInHand(batch));
      });
    }
    // From now on no other batch is being processed. After this crash, the batch is processed event by event.
    await killOnce('a worker writes only the batch', async () =>
      isDeepStrictEqual((await queue.look(batch)).progress, { at: 0, count: 12, starts: 1 }),
    );
    const crashAlone = async (crash: number) => {
      await killOnce(`a worker writes only the event, attempt ${crash}`, async () =>
        isDeepStrictEqual((await queue.look(batch)).progress, { at: 5, count: 1, starts: crash }),
      );
      const stored = await fleet.database('events').whereNot({ state: 'failed' }).count({ n: '*' }).first();
      expect(Number(stored?.n)).toBeGreaterThanOrEqual(5);
    };
    await crashAlone(1);
    // In the short form, only the first and the last of these crashes are real.
    if (!isLong) await queue.setProgress(batch, { at: 5, count: 1, starts: CRASHES - 1 });
    for (let crash = shortOrLong(CRASHES, 2); crash <= CRASHES; crash++) await crashAlone(crash);
    await letGo();
    startWorker();
    const receipt = await receiptOf(client(), poison.id);
    expect(receipt).toMatchObject({
      state: 'failed',
      alertIds: [],
      raw: poison.raw,
      faults: [{ code: 'worker_died' }],
    });
    for (const { id } of [...guilty, ...others].filter((event) => event !== poison)) {
      expect(await receiptOf(client(), id)).toMatchObject({ state: 'normalized', faults: [] });
    }
    const remap = await client().json('POST', `/v2/webhooks/${webhook.id}/remap`, { onlyIncomplete: true });
    const { counts } = (await client().jobEnd(remap.body.jobId)).body.data;
    expect(counts).toMatchObject({ events: 1, added: 1 });
    expect(await receiptOf(client(), poison.id)).toMatchObject({ state: 'normalized', faults: [] });
  }, 180_000);

  testUnless(whyNotShort)(
    'an event is not blamed for crashes if the database is lost during a write and unavailable while workers die',
    async () => {
      const batch = events(3);
      const id = await queue.add(batch);
      await queue.setCrashes(id, CRASHES);
      await holdUp(batch[0] as IntakeEvent);
      const worker = startWorker();
      const progress = async () => (await queue.look(id)).progress;
      const isAt = (starts: number) => async () =>
        isDeepStrictEqual(await progress(), { at: 0, count: 3, starts });
      await until('a worker writes only the batch', isAt(1));
      let bringBack = () => {};
      const outage = new Promise<void>((resolve) => {
        bringBack = resolve;
      });
      const back = fleet.restart('mariadb', outage);
      await until('the start is taken back', isAt(0));
      await end(worker, 'SIGKILL');
      await queue.expireLocks();
      for (let crash = 0; crash < 3; crash++) {
        await killOnce('a worker holds the batch', () => queue.isInHand(id));
        expect(await progress()).toEqual({ at: 0, count: 3, starts: 0 });
      }
      bringBack();
      await back;
      startWorker();
      for (const { id: eventId } of batch) {
        expect(await receiptOf(client(), eventId)).toMatchObject({ state: 'normalized' });
      }
    },
    180_000,
  );

  test('a worker that shuts down does not count its start, even if a write is blocked beyond the grace period', async () => {
    const batch = events(3);
    const id = await queue.add(batch);
    await queue.setCrashes(id, CRASHES);
    await holdUp(batch[0] as IntakeEvent);
    const worker = startWorker();
    const isAt = (starts: number) => async () =>
      isDeepStrictEqual((await queue.look(id)).progress, { at: 0, count: 3, starts });
    await until('a worker writes only the batch', isAt(1));
    worker.kill('SIGTERM');
    await until('the start is no longer counted, long before the grace period ends', isAt(0), 15_000);
    await end(worker, 'SIGKILL');
    await queue.expireLocks();
    await letGo();
    startWorker();
    for (const { id: eventId } of batch) {
      expect(await receiptOf(client(), eventId)).toMatchObject({ state: 'normalized' });
    }
  }, 120_000);

  testUnless(whyNotShort)(
    'a batch is never discarded, however often its workers are lost',
    async () => {
      const [event] = events(1) as [IntakeEvent];
      const id = await queue.add([event]);
      await queue.setCrashes(id, 1_000_000);
      await holdUp(event);
      await killOnce('a worker holds the batch', () => queue.isInHand(id));
      await letGo();
      startWorker();
      expect(await receiptOf(client(), event.id)).toMatchObject({ state: 'normalized' });
    },
    120_000,
  );

  test(
    'no event is blamed when workers are killed repeatedly after bursts, even if every batch is in a crash loop',
    async () => {
      const ledger = new LedgerClient();
      const fault = new Fault('SIGKILL of the worker while every batch is in a crash loop', 'events');
      const stored = async () => Number((await fleet.database('events').count({ n: '*' }).first())?.n);
      let alone = 0;
      // A kill between two batches meets no event that is processed alone: again.
      for (let kill = 0; kill < shortOrLong(1, 20) || (alone === 0 && kill < 5); kill++) {
        // Sending all the time would be thousands of batches, each then processed alone, and prove no more.
        ledger.start(() => (fleet.apis[0]?.url ?? '') + webhook.path, 4);
        await until('batches wait', async () => (await queue.batches()).length > 100);
        await ledger.stop();
        await Promise.all((await queue.batches()).map((id) => queue.setCrashes(id, CRASHES)));
        const before = await stored();
        await killOnce(
          'events are stored, and others are processed alone',
          async () => (await stored()) > before && (await queue.isAnyAlone()),
        );
        fault.provoked();
        if (await queue.isAnyAlone()) alone += 1;
      }
      startWorker();
      await ledger.settle(fleet.database, { fault });
      expect(alone).toBeGreaterThan(0);
      expect(await fleet.database('events').where({ state: 'failed' }).select('id')).toEqual([]);
    },
    timeLimit(180_000),
  );
});

describe('a worker whose event loop is held', () => {
  const ROUNDS = times(1);
  /** A lock of 10 s, checks every 5 s, a transaction that the database ends after 10 s, and a busy machine. */
  const TAKEN_OVER_WITHIN_MS = 60_000;
  /** Connections that send events. */
  const LANES = shortOrLong(2, 8);
  const upload = largeUpload(shortOrLong(8_000, 40_000));

  let folder: string;
  let heldLoop: HeldLoop;
  let held: ChildProcess;

  /** Set while the event loop is held. */
  let release: (() => void) | null = null;
  async function hold(): Promise<void> {
    release = await heldLoop.hold(held);
  }
  function letGo(): void {
    release?.();
    release = null;
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-held-'));
    heldLoop = new HeldLoop(folder);
  });
  beforeEach(() => {
    held = fleet.startWorker(heldLoop.env);
  });
  afterEach(async () => {
    letGo();
    await end(held);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  testUnless(onMysql() ? 'MySQL does not end the transaction of a worker that is held' : null)(
    'a worker whose event loop is held beyond its locks: another one stores its events and completes its import, and nothing is done twice',
    async () => {
      const events = new Fault('event loop of a worker held beyond its locks in a burst', 'events');
      const rows = new Fault('event loop of a worker held beyond its lock in an import', 'rows');
      const ledger = new LedgerClient();
      const { path } = await makeWebhook(api().client);
      for (let round = 0; round < ROUNDS; ) {
        await fleet.database('identities').delete();
        await untilEnded((await api().client.upload(upload.seed)).body.jobId);
        ledger.start(() => api().url + path, LANES);
        const id = (await api().client.upload(upload.csv, '', { prefer: 'respond-async' })).body.jobId;
        await untilChunks(id, 10);
        await hold();
        const inHand = await queue.active();
        // It was held too late, or between two batches: again.
        if (inHand.length === 0 || (await jobOf(id)).finishedAt) {
          letGo();
          await ledger.stop();
          await untilEnded(id);
          continue;
        }
        const other = fleet.startWorker();
        // Sending all the time would be thousands of batches, and prove no more.
        await ledger.stop();
        await events.recovery(() => untilStored(inHand));
        await rows.recovery(() =>
          until('another worker has it', () => isStarted(id, 2), TAKEN_OVER_WITHIN_MS),
        );
        ledger.start(() => api().url + path, LANES);
        // In every second round both workers write at the same time.
        if (round % 2 === 0) await untilEnded(id);
        letGo();
        await untilEnded(id);
        await ledger.stop();
        // What it does with the job is over when it has shut down.
        await end(held);
        expect(held.exitCode).toBe(0);
        held = fleet.startWorker(heldLoop.env);
        const { state, error, counts, attempts } = await jobOf(id);
        expect({ state, error, counts, attempts }).toEqual({
          state: 'completed',
          error: null,
          counts: upload.counts,
          attempts: 2,
        });
        const found = await fingerprintOf(fleet.database);
        rows.add(balanceOfCounts(upload.fingerprint.rows, found.rows));
        expect(found).toEqual(upload.fingerprint);
        await end(other);
        round += 1;
      }
      await ledger.settle(fleet.database, { fault: events });
      rows.report();
    },
    timeLimit(180_000),
  );

  const jobOf = async (id: string): Promise<Job> => (await findJob(fleet.database, id)) as Job;
  const isStarted = async (id: string, times: number): Promise<boolean> =>
    (await jobOf(id)).attempts >= times;
  const untilEnded = (id: string) =>
    until('the job has ended', async () => (await jobOf(id)).finishedAt !== null, TAKEN_OVER_WITHIN_MS);

  const untilStored = (batches: readonly string[]) =>
    until(
      'its batches are stored',
      async () => {
        const left = await queue.batches();
        return !batches.some((id) => left.includes(id));
      },
      TAKEN_OVER_WITHIN_MS,
    );

  async function untilChunks(id: string, least: number): Promise<void> {
    const countChunks = async () => {
      const row = await fleet.database('job_steps').where({ job_id: id }).count({ chunks: '*' }).first();
      return Number(row?.chunks);
    };
    await until(`${least} chunks are written`, async () => (await countChunks()) >= least);
  }
});

describe('series', () => {
  /** Each series of a round is one case. */
  const ROUNDS = shortOrLong(1, 20);
  /** The number of worker processes in each round, then again from the start. */
  const WORKERS = shortOrLong([2], [3, 2, 4, 1]);
  const SERIES = shortOrLong(30, 90);
  const EVENTS = shortOrLong(150, 450);
  /** Kills of a worker in a round. */
  const KILLS = shortOrLong(1, 2);
  /** Events on one key. */
  const STORM = shortOrLong(1_500, 20_000);
  const SEED = Number(process.env.SERIES_SEED ?? Date.now() % 1_000_000);

  /** Muster's own alerts about an integration are series too. */
  const NO_DRIFT = { driftSeverity: null };
  const fault = new Fault('SIGKILL of a worker in bursts and remaps of series', 'alerts');
  afterAll(() => {
    if (fault.times > 0) fault.report();
  });

  test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'round %i: with workers that are killed, the alerts are those of a fold in acceptance order',
    async (round) => {
      const draw = new Draw(SEED + round);
      await haveWorkers(WORKERS[round % WORKERS.length] as number);
      const webhook = await makeWebhook(client(), NO_DRIFT);
      await saveMapping(webhook.id, MAPPINGS.byKey);
      const events = sentEvents(draw, { webhookId: webhook.id, count: EVENTS, series: SERIES });
      await sendWithKills(draw, webhook.id, events);
      try {
        await expectOracle(webhook.id, events, MAPPINGS.byKey);
        await saveMapping(webhook.id, MAPPINGS.byGroup);
        await remapWithKill(draw, webhook.id);
        await expectOracle(webhook.id, events, MAPPINGS.byGroup);
      } catch (error) {
        throw new Error(`SERIES_SEED=${SEED}`, { cause: error });
      }
    },
    180_000,
  );

  test(
    'a storm on one key, stored by several workers, becomes one alert that counts every event',
    async () => {
      await haveWorkers(shortOrLong(2, 3));
      const webhook = await makeWebhook(client(), NO_DRIFT);
      await saveMapping(webhook.id, MAPPINGS.byKey);
      const items = [{ key: 'disk', group: 'host', status: 'alarm', title: 'a', text: '91%' }];
      const events = Array.from({ length: STORM }, () => intakeEvent(webhook.id, { items }));
      while (events.length > 0) await queue.add(events.splice(0, 200));
      await areStored(webhook.id, STORM);
      const alerts = await shownAlerts(client(), webhook.id);
      expect(alerts).toEqual([
        expect.objectContaining({ dedupKey: 'disk', status: 'firing', eventCount: STORM }),
      ]);
    },
    timeLimit(180_000),
  );

  async function haveWorkers(count: number): Promise<void> {
    while (fleet.workers.length < count) fleet.workers.push(fleet.startWorker());
    for (const worker of fleet.workers.splice(count)) await end(worker, 'SIGTERM');
  }

  async function saveMapping(webhookId: string, { mapping }: TestMapping): Promise<void> {
    const saved = await client().json('PUT', `/v2/webhooks/${webhookId}/mapping`, mapping);
    expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
  }

  /** Kills a random worker with -9, and starts another one, which takes over its jobs at once. */
  async function killWorker(draw: Draw): Promise<void> {
    const index = draw.below(fleet.workers.length);
    await end(fleet.workers[index] as Fleet['workers'][0], 'SIGKILL');
    fault.provoked();
    fleet.workers[index] = fleet.startWorker();
    await queue.expireLocks();
  }

  async function sendWithKills(draw: Draw, webhookId: string, events: readonly IntakeEvent[]): Promise<void> {
    const batches = inBatches(draw, events);
    const kills = new Set(Array.from({ length: KILLS }, () => draw.below(batches.length)));
    for (const [index, batch] of batches.entries()) {
      await queue.add(batch);
      if (kills.has(index)) await killWorker(draw);
    }
    await areStored(webhookId, events.length);
  }

  async function areStored(webhookId: string, count: number): Promise<void> {
    const own = { webhook_id: binary(webhookId) };
    await until(
      'all batches are stored',
      async () => {
        const [row] = await fleet.database('events').where(own).count({ count: '*' });
        return Number(row?.count) >= count && (await queue.batches()).length === 0;
      },
      timeLimit(120_000),
    );
  }

  const binary = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

  async function remapWithKill(draw: Draw, webhookId: string): Promise<void> {
    const job = await client().json('POST', `/v2/webhooks/${webhookId}/remap`, {});
    expect(job.status).toBe(202);
    const path = `/v2/jobs/${job.body.jobId}`;
    await until('the remap writes', async () => {
      const { state, progress } = (await client().get(path)).body.data;
      return progress?.rowsRead > 0 || state === 'completed';
    });
    await killWorker(draw);
    // Otherwise another worker would take over after 10 to 15 s.
    const { queue: name } = (await findJob(fleet.database, job.body.jobId)) as Job;
    await loseLock(fleet.servers.redis.url, DEFAULT_PREFIX, name, job.body.jobId);
    await until(
      'the remap is done',
      async () => (await client().get(path)).body.data.state === 'completed',
      60_000,
    );
  }

  async function expectOracle(
    webhookId: string,
    events: readonly IntakeEvent[],
    mapping: TestMapping,
  ): Promise<void> {
    const expected = oracle(events, mapping);
    const shown = await shownAlerts(client(), webhookId);
    const alerts = expected.alerts.map(({ timeline, ...alert }) => alert);
    const lines = (list: object[]) => list.map((alert) => JSON.stringify(alert));
    fault.add(balanceOf(lines(alerts), lines(shown)));
    expect(shown).toEqual(alerts);
    await expectTimelines(expected.alerts);
    await expectOutcomes(events, expected);
    await expectNoLeftovers(webhookId, expected);
  }

  /** Checks every fifth timeline. */
  async function expectTimelines(alerts: readonly OracleAlert[]): Promise<void> {
    for (const { id, timeline } of alerts.filter(
      ({ dedupKey }, index) => dedupKey !== null && index % 5 === 0,
    )) {
      const { body } = await client().get(`/v2/alerts/${id}/events?pageSize=1000`);
      const entries = body.data.map((entry: { id: string; outcome: string }) => ({
        item: entry.id,
        outcome: entry.outcome,
      }));
      expect({ id, entries }).toEqual({ id, entries: timeline });
    }
  }

  /** Checks the receipt of every tenth event. */
  async function expectOutcomes(
    events: readonly IntakeEvent[],
    { alerts, nothing }: ReturnType<typeof oracle>,
  ): Promise<void> {
    const expected = new Map<string, { outcome: string; alertId: string | null }>(
      [...nothing].map(([item, outcome]) => [item, { outcome, alertId: null }]),
    );
    const standAlone = new Set<string>();
    for (const { id, dedupKey, timeline } of alerts) {
      if (dedupKey === null) standAlone.add(id);
      for (const { item, outcome } of timeline) expected.set(item, { outcome, alertId: id });
    }
    for (const { id } of events.filter((_, index) => index % 10 === 0)) {
      const { data } = (await client().get(`/v2/events/${id}`)).body;
      const own = [...expected].filter(([item]) => eventIdOf(item) === id && !standAlone.has(item)).sort();
      const ids = [...expected].filter(([item]) => eventIdOf(item) === id).map(([, { alertId }]) => alertId);
      expect({
        id,
        alertIds: [...data.alertIds].sort(),
        outcomes: data.outcomes.map(({ outcome, alertId }: { outcome: string; alertId: string }) => ({
          outcome,
          alertId,
        })),
      }).toEqual({
        id,
        alertIds: [...new Set(ids.filter((alert) => alert !== null))].sort(),
        outcomes: own.map(([, outcome]) => outcome),
      });
    }
  }

  /** Checks that the tables hold one row per item, alert and series, and nothing else. */
  async function expectNoLeftovers(
    webhookId: string,
    { alerts, nothing }: ReturnType<typeof oracle>,
  ): Promise<void> {
    const { database } = fleet;
    const own = { webhook_id: binary(webhookId) };
    const keyed = alerts.filter(({ dedupKey }) => dedupKey !== null);
    const ids = database('series').where(own).select('id');
    const count = async (query: Knex.QueryBuilder) => {
      const [row] = await query.count({ count: '*' });
      return Number(row?.count);
    };
    const items = keyed.reduce((sum, { timeline }) => sum + timeline.length, nothing.size);
    expect({
      items: await count(database('series_items').whereIn('series_id', ids)),
      starts: await count(database('series_alerts').whereIn('series_id', ids)),
      firing: await count(database('series').where({ ...own, firing: 1 })),
      unfolded: await count(database('series').where(own).whereNotNull('refold_from')),
    }).toEqual({
      items,
      starts: keyed.length,
      firing: keyed.filter(({ status }) => status === 'firing').length,
      unfolded: 0,
    });
  }
});
