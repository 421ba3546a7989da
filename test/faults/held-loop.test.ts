import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { IntakeQueue } from '../support/api/intake-queue.js';
import { fingerprintOf, largeUpload } from '../support/api/large-upload.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { shortOrLong, timeLimit, times } from '../support/faults/effort.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { HeldLoop } from '../support/faults/held-loop.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { onMysql } from '../support/servers/on-mysql.js';
import { end } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const ROUNDS = times(1);
/** A lock of 10 s, checks every 5 s, a transaction that the database ends after 10 s, and a busy machine. */
const TAKEN_OVER_WITHIN_MS = 60_000;
/** Connections that send events. */
const LANES = shortOrLong(2, 8);
const upload = largeUpload(shortOrLong(12_000, 40_000));

let folder: string;
let fleet: Fleet;
let heldLoop: HeldLoop;
let held: ChildProcess;
let queue: IntakeQueue;
const api = () => fleet.apis[0] as Fleet['apis'][0];

/** Set while the event loop is held. */
let release: (() => void) | null = null;
async function hold(): Promise<void> {
  release = await heldLoop.hold(held);
}
function letGo(): void {
  release?.();
  release = null;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-held-'));
  heldLoop = new HeldLoop(folder);
  fleet = await startFleet({ workers: 0, env: { IMPORT_CHUNK_ROWS: '200' } });
  queue = new IntakeQueue(fleet.servers.redis.url);
}, 60_000);
beforeEach(() => {
  held = fleet.startWorker(heldLoop.env);
});
afterEach(async () => {
  letGo();
  await end(held);
});
afterAll(async () => {
  await queue?.close();
  await fleet?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

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
      await events.recovery(() => untilStored(inHand));
      await rows.recovery(() => until('another worker has it', () => isStarted(id, 2), TAKEN_OVER_WITHIN_MS));
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
const isStarted = async (id: string, times: number): Promise<boolean> => (await jobOf(id)).attempts >= times;
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
