import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { sumSteps } from '../../db/jobs/job-steps.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { loseLock } from '../support/faults/broken-off.js';
import { whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const STORED = 40_000;
const CHUNK_ROWS = 100;
const prefix = `{mirror-${randomUUID().slice(0, 8)}}`;

let processes: Processes;
let worker: ChildProcess;
beforeAll(async () => {
  const env = { REDIS_PREFIX: prefix, IMPORT_CHUNK_ROWS: String(CHUNK_ROWS), LOG_LEVEL: 'error' };
  processes = await startProcesses({ env });
  worker = processes.workers[0] as ChildProcess;
});
afterAll(() => processes.stop());

/** Every second account is in account system 2. The file names every third one of both, with another owner, and new ones. */
const accounts = Array.from(
  { length: STORED },
  (_, at) => `${1 + (at % 2)},account-${(at * 48_271) % 2_147_483_647}`,
);
const named = accounts.filter((_, at) => at % 3 === 0);
const added = Array.from({ length: 5_000 }, (_, at) => `2,new-${at}`);
const csv = (email: string, keys: string[]) =>
  `email,integrationId,identity\n${keys.map((key) => `${email},${key}\n`).join('')}`;

const jobOf = async (id: string): Promise<Job> => (await findJob(processes.database, id)) as Job;
const hasEnded = async (id: string): Promise<boolean> => (await jobOf(id)).finishedAt !== null;
const removedOf = async (id: string): Promise<number> => {
  const { removed = 0 } = await sumSteps(processes.database, id);
  return removed;
};

testUnless(whyNotShort)(
  'repeated kill -9 of the worker while it removes what a file does not name removes and counts each account once',
  async () => {
    const seeded = await processes.client.upload(csv('old@example.com', accounts));
    const seedId = seeded.body.jobId;
    await until('the accounts are stored', () => hasEnded(seedId), 60_000);
    const query = '?mode=mirror&integrationIds=1,2&maxRemovals=30000';
    const response = await processes.client.upload(csv('new@example.com', [...named, ...added]), query, {
      prefer: 'respond-async',
    });
    expect([response.status, response.body.message]).toEqual([202, expect.any(String)]);
    const id = response.body.jobId;
    const fault = new Fault('SIGKILL of the worker in one mirror, repeatedly', 'rows');
    let removing = 0;
    for (let kills = 0; kills < 6; kills++) {
      const removed = await removedOf(id);
      if (kills > 1)
        await until(
          'more is removed',
          async () => (await removedOf(id)) > removed + 1_000 || hasEnded(id),
          60_000,
        );
      else await sleep(200);
      if (await hasEnded(id)) break;
      if ((await removedOf(id)) > removed) removing += 1;
      await end(worker, 'SIGKILL');
      fault.provoked();
      await loseLock(process.env.TEST_REDIS_URL as string, prefix, (await jobOf(id)).queue, id);
      worker = processes.start('workers');
    }
    expect(removing).toBeGreaterThanOrEqual(3);
    await until('the job has ended', () => hasEnded(id), 60_000);
    const job = await jobOf(id);
    const removed = STORED - named.length;
    expect({ state: job.state, error: job.error }).toEqual({ state: 'completed', error: null });
    expect(job.counts).toEqual({
      total: named.length + added.length,
      created: added.length,
      updated: named.length,
      unchanged: 0,
      removed,
      superseded: 0,
      rejected: 0,
    });
    const live = await processes
      .database('identities')
      .whereNotNull('email')
      .select('integration_id', 'identity');
    const [expected, found] = [
      [...named, ...added],
      live.map((row) => `${row.integration_id},${row.identity}`),
    ];
    fault.add(balanceOf(expected, found));
    fault.report();
    expect(found.sort()).toEqual(expected.sort());
    const { text } = await processes.client.get(`/v2/jobs/${id}/changes`);
    const removals = text.split('\n').filter((line) => line.endsWith(',,removed,'));
    expect(new Set(removals).size).toBe(removed);
    expect(removals).toHaveLength(removed);
  },
);
