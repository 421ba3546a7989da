import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { DEFAULT_PREFIX } from '../../workers/queues/connection.js';
import { InterruptedJobs } from '../support/api/interrupted-jobs.js';
import { loseLock } from '../support/faults/broken-off.js';
import { shortOrLong, timeLimit, times, whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import {
  FREEZES,
  freeze,
  KILLS,
  type Kill,
  setAppendfsync,
  startAgain,
  strike,
  timesFrozen,
} from '../support/faults/process-faults.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

/** How long after its start a job is interrupted, at most, in milliseconds: less than it usually takes. */
const LATEST_MS: Record<string, number> = { import: 500, mirror: 500, revert: 500, export: 40, remap: 100 };

/** What the short form provokes. `import-kill.test.ts` kills the worker in many more ways. */
const SHORT = ['SIGKILL of MariaDB', 'SIGKILL of Redis', 'SIGKILL of all processes'];
const KINDS_OF_KILLS = KILLS.filter(({ name }) => shortOrLong(SHORT.includes(name), true));
/** In the short form, other files freeze the servers. */
const KINDS_OF_FREEZES = FREEZES.filter(({ seconds }) => seconds > 3);

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

/** Provokes a fault while the job runs. Returns the moment at which it began. */
async function interrupt(id: string, latestMs: number, provoke: () => Promise<void>): Promise<Date> {
  await until('the job runs', async () => (await jobOf(id))?.state !== 'queued');
  await sleep(Math.random() * latestMs);
  const at = new Date();
  await provoke();
  return at;
}

/** Otherwise another worker would take over the job of a killed one after 10 to 15 s. */
async function takeOverSoon(id: string, { victims, signal }: Kill): Promise<void> {
  if (!victims.includes('worker') || signal === 'SIGTERM') return;
  await loseLock(fleet.servers.redis.url, DEFAULT_PREFIX, ((await jobOf(id)) as Job).queue, id);
}

/** Continues with the next kind of job in each round. */
let round = 0;

/**
 * Provokes a fault in the middle of jobs, a number of times. Faults after the end of a job do not count.
 * @param provoke gets the id of the job, and resolves when the fault is over
 * @param resume starts what the fault has ended
 */
async function interruptJobs(
  { name, count }: { name: string; count: number },
  provoke: (id: string) => Promise<void>,
  resume: () => Promise<void> = async () => {},
): Promise<void> {
  const fault = new Fault(`${name} in the middle of jobs`, 'rows');
  while (fault.times < count) {
    const kind = round++;
    const { id, outcome } = await kindOf(kind)();
    const at = await interrupt(id, LATEST_MS[nameOf(kind)] as number, () => provoke(id));
    const job = await fault.recovery(async () => {
      await resume();
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
    if ((job.finishedAt as Date) <= at) fault.missed();
    else fault.add(balance);
  }
  fault.report();
}

test.each(KINDS_OF_KILLS)(
  '$name in the middle of imports, mirrors, reverts, exports and remaps does not change their results',
  async (kill) => {
    await setAppendfsync(fleet, kill.appendfsync);
    const provoke = async (id: string) => {
      await strike(fleet, kill);
      await takeOverSoon(id, kill);
    };
    await interruptJobs({ name: kill.name, count: times(1) }, provoke, () => startAgain(fleet, kill));
  },
  timeLimit(180_000),
);

testUnless(whyNotShort).each(KINDS_OF_FREEZES)(
  '$name in the middle of imports, mirrors, reverts, exports and remaps does not change their results',
  async (frozen) => {
    await interruptJobs({ name: frozen.name, count: timesFrozen(frozen) }, () => freeze(fleet, frozen));
  },
  timeLimit(180_000),
);
