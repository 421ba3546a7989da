import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { DEFAULT_PREFIX } from '../../workers/queues/connection.js';
import { InterruptedJobs } from '../support/api/interrupted-jobs.js';
import { loseLock } from '../support/faults/broken-off.js';
import { shortOrLong, timeLimit, times } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { KILLS, type Kill, setAppendfsync, startAgain, strike } from '../support/faults/process-kills.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { until } from '../support/until.js';

/** How long after its start a job is interrupted, at most, in milliseconds: less than it usually takes. */
const LATEST_MS: Record<string, number> = { import: 500, mirror: 500, revert: 500, export: 40, remap: 100 };

/** What the short form provokes. `import-kill.test.ts` kills the worker in many more ways. */
const SHORT = ['SIGKILL of MariaDB', 'SIGTERM of MariaDB', 'SIGKILL of Redis', 'SIGKILL of all processes'];
const KINDS_OF_KILLS = KILLS.filter(({ name }) => shortOrLong(SHORT.includes(name), true));

let fleet: Fleet;
let jobs: InterruptedJobs;
beforeAll(async () => {
  fleet = await startFleet({ env: { IMPORT_CHUNK_ROWS: '100' } });
  jobs = new InterruptedJobs(fleet);
  await ended((await kindOf(0)()).id);
}, 180_000);
afterAll(() => fleet?.stop(), 180_000);

const kinds = () => Object.keys(jobs.kinds);
const nameOf = (round: number) => kinds()[round % kinds().length] as string;
const kindOf = (round: number) => jobs.kinds[nameOf(round)] as InterruptedJobs['kinds'][string];

/** Returns null while the database is unavailable. */
const jobOf = (id: string): Promise<Job | null> => findJob(fleet.database, id).catch(() => null);

async function ended(id: string): Promise<Job> {
  await until('the job has ended', async () => Boolean((await jobOf(id))?.finishedAt), 120_000);
  return (await jobOf(id)) as Job;
}

async function isReady(): Promise<boolean> {
  const [{ client }] = fleet.apis as [Fleet['apis'][0]];
  return (await client.get('/readyz')).status === 200;
}

/** Kills while the job runs. Returns the moment. */
async function interrupt(id: string, latestMs: number, kill: Kill): Promise<Date> {
  await until('the job runs', async () => (await jobOf(id))?.state !== 'queued');
  const { queue } = (await jobOf(id)) as Job;
  await sleep(Math.random() * latestMs);
  const at = new Date();
  await strike(fleet, kill);
  if (!kill.victims.includes('worker') || kill.signal === 'SIGTERM') return at;
  await loseLock(fleet.servers.redis.url, DEFAULT_PREFIX, queue, id);
  return at;
}

/** Continues with the next kind of job in each test. */
let round = 0;

test.each(KINDS_OF_KILLS)(
  '$name in the middle of imports, mirrors, reverts, exports and remaps does not change their results',
  async (kill) => {
    const fault = new Fault(`${kill.name} in the middle of jobs`, 'rows');
    await setAppendfsync(fleet, kill.appendfsync);
    while (fault.times < times(1)) {
      const kind = round++;
      const { id, outcome } = await kindOf(kind)();
      const killedAt = await interrupt(id, LATEST_MS[nameOf(kind)] as number, kill);
      const job = await fault.recovery(async () => {
        await startAgain(fleet, kill);
        await until('the API is ready', isReady);
        return ended(id);
      });
      const { expected, found } = await outcome();
      const balance = balanceOf(expected, found);
      expect({ kind: nameOf(kind), state: job.state, error: job.error, balance }).toEqual({
        kind: nameOf(kind),
        state: 'completed',
        error: null,
        balance: { acknowledged: expected.length, stored: expected.length, lost: 0, doubled: 0 },
      });
      // It had ended before: the fault does not count.
      if ((job.finishedAt as Date) <= killedAt) fault.missed();
      else fault.add(balance);
    }
    fault.report();
  },
  timeLimit(180_000),
);
