import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { fingerprintOf, largeUpload } from '../support/api/large-upload.js';
import { loseLock } from '../support/faults/broken-off.js';
import { whyNotShort } from '../support/faults/effort.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

jest.setTimeout(150_000);

/** A little more than four times the number of rows that are stored at a time. */
const ROWS = 600_000;

const prefix = `{first-pass-${randomUUID().slice(0, 8)}}`;

let processes: Processes;
let worker: ChildProcess;
beforeAll(async () => {
  processes = await startProcesses({ env: { REDIS_PREFIX: prefix, LOG_LEVEL: 'error' } });
  worker = processes.workers[0] as ChildProcess;
});
afterAll(() => processes.stop());

const jobOf = async (id: string): Promise<Job> => (await findJob(processes.database, id)) as Job;
const spools = (): string => join(processes.folder, 'import-spools');

type Stored = number | 'nothing' | 'all';

/** Returns the byte up to which an upload need not be read again. */
function storedUpTo(id: string): Stored {
  const manifest = join(spools(), id, 'manifest.json');
  if (!existsSync(manifest)) return 'nothing';
  const { surveyed } = JSON.parse(readFileSync(manifest, 'utf8'));
  return surveyed.next?.offset ?? 'all';
}

async function untilStarted(id: string, times: number): Promise<void> {
  await until(`start ${times}`, async () => (await jobOf(id)).attempts >= times, 30_000);
}

async function killAndReplace(id: string): Promise<void> {
  await end(worker, 'SIGKILL');
  await loseLock(process.env.TEST_REDIS_URL as string, prefix, (await jobOf(id)).queue, id);
  worker = processes.start('workers');
}

/** Kills the worker each time it has stored another run and recorded that. Returns what was stored each time. */
async function killAtEachPart(id: string, fault: Fault): Promise<Stored[]> {
  const stored: Stored[] = ['nothing'];
  for (let start = 1; stored.at(-1) !== 'all'; start++) {
    await untilStarted(id, start);
    await until('another part is stored', () => storedUpTo(id) !== stored.at(-1), 30_000);
    await until('that is on record', async () => (await jobOf(id)).startsWithoutProgress === 0);
    await sleep(Math.random() * 100);
    stored.push(storedUpTo(id));
    await killAndReplace(id);
    fault.provoked();
  }
  return stored;
}

testUnless(whyNotShort)(
  'a worker that is killed repeatedly, long before it has read the upload, completes it',
  async () => {
    const upload = largeUpload(ROWS);
    const seeded = await processes.client.upload(upload.seed, '', { prefer: 'wait=60' });
    expect(seeded.body.counts.created).toBe(seeded.body.counts.total);
    const response = await processes.client.upload(upload.csv, '', { prefer: 'respond-async' });
    const id: string = response.body.jobId;

    const fault = new Fault('SIGKILL of the worker in the validation of one import, repeatedly', 'rows');
    const stored = await killAtEachPart(id, fault);
    for (let kills = 0; kills < 2; kills++) {
      await untilStarted(id, stored.length + kills);
      await sleep(1_200);
      await killAndReplace(id);
      fault.provoked();
    }
    await until('the job has ended', async () => (await jobOf(id)).finishedAt !== null, 60_000);

    const job = await jobOf(id);
    expect({ state: job.state, error: job.error }).toEqual({ state: 'completed', error: null });
    expect(job.counts).toEqual(upload.counts);
    expect(job.warnings).toMatchObject([{ code: 'repeated_keys', count: upload.repeated }]);
    const found = await fingerprintOf(processes.database);
    fault.add(balanceOfCounts(upload.fingerprint.rows, found.rows));
    fault.report();
    expect(found).toEqual(upload.fingerprint);
    const parts = stored.filter((one) => typeof one === 'number');
    expect(parts.length).toBeGreaterThanOrEqual(2);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    await until('the spool is removed', () => readdirSync(spools()).length === 0);
  },
);
