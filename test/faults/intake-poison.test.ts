import type { ChildProcess } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EventRows } from '../../db/events/event-rows.js';
import type { IntakeEvent } from '../../workers/queues/contracts/alert-intake.js';
import { IntakeQueue, intakeEvent } from '../support/api/intake-queue.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { ALERT, makeWebhook, receiptOf } from '../support/api/webhooks.js';
import { isLong, shortOrLong, timeLimit, whyNotShort } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const CRASHES = 5;

let fleet: Fleet;
let queue: IntakeQueue;
let webhook: { id: string; path: string };
const workers: ChildProcess[] = [];
beforeAll(async () => {
  fleet = await startFleet({ workers: 0 });
}, 60_000);
afterAll(() => fleet?.stop(), 60_000);
beforeEach(async () => {
  queue = new IntakeQueue(fleet.servers.redis.url);
  webhook = await makeWebhook(client());
});
afterEach(async () => {
  await letGo();
  await Promise.all(workers.splice(0).map((worker) => end(worker, 'SIGKILL')));
  await queue.clear();
  await queue.close();
  for (const table of ['alerts', 'events']) await fleet.database(table).delete();
});

const client = () => (fleet.apis[0] as Fleet['apis'][0]).client;
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
  await until(what, condition, 30_000);
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
  // The last two crashes before the batch is suspected are real.
  await queue.setCrashes(batch, CRASHES - 2);
  for (let crash = CRASHES - 2; crash < CRASHES; crash++) {
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
  // In the short form, only the first and the last two of these crashes are real.
  if (!isLong) await queue.setProgress(batch, { at: 5, count: 1, starts: CRASHES - 2 });
  for (let crash = shortOrLong(CRASHES - 1, 2); crash <= CRASHES; crash++) await crashAlone(crash);
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
  await until('the start is no longer counted, long before the grace period ends', isAt(0), 10_000);
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
