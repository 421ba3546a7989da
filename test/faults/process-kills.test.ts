import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { connectWorker, DEFAULT_PREFIX } from '../../workers/queues/connection.js';
import { upkeep } from '../../workers/queues/contracts/upkeep.js';
import { IntakeQueue } from '../support/api/intake-queue.js';
import { InterruptedJobs } from '../support/api/interrupted-jobs.js';
import { fingerprintOf, largeUpload } from '../support/api/large-upload.js';
import { LedgerClient, storedBodies } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { loseLock } from '../support/faults/broken-off.js';
import { isLong, LATEST_MS, shortOrLong, timeLimit, times, whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import {
  FREEZES,
  type Freeze,
  freeze,
  KILLS,
  type Kill,
  mayLose,
  setAppendfsync,
  startAgain,
  strike,
  timesFrozen,
} from '../support/faults/process-faults.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

let fleet: Fleet;
let queue: IntakeQueue;
const api = () => fleet.apis[0] as Fleet['apis'][0];

beforeAll(async () => {
  fleet = await startFleet({ env: { IMPORT_CHUNK_ROWS: '100' } });
  queue = new IntakeQueue(fleet.servers.redis.url);
}, 180_000);
afterAll(async () => {
  await queue?.close();
  await fleet?.stop();
}, 180_000);

const untilNoBatchWaits = () => until('no batch waits', async () => (await queue.count()) === 0, 60_000);

describe('in a burst of events', () => {
  /**
   * With `everysec`, Redis acknowledges writes that it keeps in its memory for up to 2 s while an fsync is in progress. A kill -9 loses them. The
   * rest is for a busy machine.
   */
  const EVERYSEC_LOSS_MS = 3_000;
  /** Work resumes within this time of the return of a server. */
  const RESUMED_WITHIN_MS = 5_000;

  let path: string;
  let ledger: LedgerClient;

  beforeAll(async () => {
    ({ path } = await makeWebhook(api().client));
  });
  beforeEach(async () => {
    // An event that was not acknowledged may be stored late.
    await untilNoBatchWaits();
    for (const table of ['alerts', 'events']) await fleet.database(table).delete();
    ledger = new LedgerClient();
    ledger.start(here, 16);
    await acknowledgeMore(100);
  });
  /** A failed test may have left a worker frozen. */
  afterEach(async () => {
    await ledger.stop();
    for (const worker of fleet.workers) worker.kill('SIGCONT');
  });
  const here = () => (fleet.apis[0]?.url ?? '') + path;

  /** Waits until the given number of further events is acknowledged. */
  const acknowledgeMore = (count: number) => {
    const wanted = ledger.acknowledged + count;
    return until(`${count} more are acknowledged`, () => ledger.acknowledged >= wanted, 60_000);
  };

  const countStored = async (): Promise<number> =>
    Number((await fleet.database('events').count({ events: '*' }).first())?.events);

  /** Resolves once further events are acknowledged and stored. */
  async function isBack(): Promise<void> {
    const before = await countStored();
    await acknowledgeMore(1);
    await until('further events are stored', async () => (await countStored()) > before, 60_000);
  }

  /** P5. A single time would depend on the other work of the machine, so the long form checks their median. */
  function expectSoon(fault: Fault): void {
    if (isLong) expect(fault.medianRecoveryMs).toBeLessThan(RESUMED_WITHIN_MS);
  }

  /** Stops sending, and checks that what was acknowledged is stored once. */
  async function settle(fault: Fault): Promise<void> {
    await ledger.stop();
    await ledger.settle(fleet.database, { fault });
  }

  /** Counts what Redis lost because it was killed with `everysec`, at these moments. Nothing older may be lost. */
  async function forgetLost(fault: Fault, killedAt: readonly number[]): Promise<void> {
    await ledger.stop();
    await untilNoBatchWaits();
    const stored = await storedBodies(fleet.database);
    const isYoung = (at: number) => killedAt.some((kill) => Math.abs(at - kill) < EVERYSEC_LOSS_MS);
    const lost = ledger.forget((id, at) => !stored.has(id) && isYoung(at));
    fault.add({ acknowledged: lost, stored: 0, lost, doubled: 0 });
  }

  /** What the short form provokes. SIGKILL of all processes demands most; a test below ends MariaDB, and other files freeze the servers. */
  const SHORT = [
    'SIGKILL of all processes',
    'SIGKILL of Redis',
    'SIGKILL of Redis (everysec)',
    'SIGTERM of the API',
  ];
  const KINDS_OF_KILLS = KILLS.filter(({ name }) => isLong || SHORT.includes(name));

  const isOfServers = ({ victims }: Kill) => !victims.includes('api') && !victims.includes('worker');

  test.each(KINDS_OF_KILLS)(
    '$name during a burst: acknowledged events are stored once, and the intake resumes by itself',
    async (kill) => {
      const fault = new Fault(`${kill.name} in a burst`, 'events');
      await setAppendfsync(fleet, kill.appendfsync);
      const killedAt: number[] = [];
      while (fault.times < times(1)) {
        killedAt.push(performance.now());
        await strike(fleet, kill);
        // Otherwise its batches wait for up to 15 s.
        if (kill.victims.includes('worker') && kill.signal === 'SIGKILL') await queue.expireLocks();
        await fault.recovery(async () => {
          await startAgain(fleet, kill);
          await isBack();
        });
        await acknowledgeMore(50);
      }
      if (mayLose(kill)) await forgetLost(fault, killedAt);
      await settle(fault);
      if (isOfServers(kill)) expectSoon(fault);
      if (kill.victims.includes('redis')) expect(ledger.longestMs).toBeLessThan(LATEST_MS);
    },
    timeLimit(120_000),
  );

  /** Runs `during` at the start and at the end of an outage. Sending all the time would prove no more. */
  async function outage(seconds: number, during: () => Promise<void>): Promise<void> {
    await during();
    await ledger.stop();
    await sleep(seconds * 1_000);
    ledger.start(here, 16);
    await during();
  }

  test(
    'MariaDB killed and unavailable during a burst: the intake continues, and everything is stored afterwards',
    async () => {
      // In the long form longer than the lock of a job and every other time limit of the intake.
      const seconds = shortOrLong(2, 12);
      const fault = new Fault(`MariaDB unavailable for ${seconds} s in a burst`, 'events');
      while (fault.times < times(1)) {
        await fleet.endServer('mariadb');
        const before = ledger.outcomes.length;
        await outage(seconds, () => acknowledgeMore(200));
        expect(ledger.outcomes.slice(before).filter(({ status }) => status !== 202)).toEqual([]);
        await fleet.startServer('mariadb');
        await fault.recovery(isBack);
      }
      await settle(fault);
      expectSoon(fault);
    },
    timeLimit(120_000),
  );

  const rejected = (): number => ledger.outcomes.filter(({ status }) => status === 503).length;

  /** Waits until further events are rejected. */
  const rejectMore = (count: number) => {
    const wanted = rejected() + count;
    return until(`${count} more are rejected`, () => rejected() >= wanted);
  };

  /** While Redis is frozen, events are rejected. While MariaDB is, they are acknowledged as before. */
  const whileFrozen = ({ server }: Freeze) => (server === 'redis' ? rejectMore(20) : acknowledgeMore(20));

  testUnless(whyNotShort).each(FREEZES)(
    '$name during a burst: every request gets a response within about 2 s, and the intake resumes by itself',
    async (frozen) => {
      const fault = new Fault(`${frozen.name} in a burst`, 'events');
      while (fault.times < timesFrozen(frozen)) {
        await freeze(fleet, frozen, () => outage(frozen.seconds, () => whileFrozen(frozen)));
        await fault.recovery(isBack);
      }
      await settle(fault);
      expectSoon(fault);
      expect(ledger.longestMs).toBeLessThan(LATEST_MS);
    },
    timeLimit(120_000),
  );

  testUnless(whyNotShort)(
    'a worker that is stopped for longer than its lock, while another one takes over: each event is stored once',
    async () => {
      const fault = new Fault('SIGSTOP of a worker beyond its lock in a burst', 'events');
      while (fault.times < times(1)) {
        const [worker] = fleet.workers as [Fleet['workers'][0]];
        worker.kill('SIGSTOP');
        await acknowledgeMore(100);
        const held = await queue.expireLocks();
        const second = fleet.startWorker();
        await fault.recovery(isBack);
        if (held === 0) fault.missed();
        worker.kill('SIGCONT');
        await acknowledgeMore(100);
        await end(second);
      }
      await settle(fault);
    },
    timeLimit(120_000),
  );
});

describe('in the middle of jobs', () => {
  /** How long after its start a job is interrupted, at most, in milliseconds: less than it usually takes. */
  const MOST_MS: Record<string, number> = {
    import: 500,
    table: 500,
    revert: 500,
    mirror: 500,
    export: 40,
    remap: 100,
  };

  /** What the short form provokes. `import-kill.test.ts` kills the worker, and the bursts above all processes at once. */
  const SHORT = ['SIGKILL of MariaDB', 'SIGKILL of Redis'];
  const KINDS_OF_KILLS = KILLS.filter(({ name }) => shortOrLong(SHORT.includes(name), true));
  /** In the short form, other files freeze the servers. */
  const KINDS_OF_FREEZES = FREEZES.filter(({ seconds }) => seconds > 3);

  let jobs: InterruptedJobs;
  beforeAll(async () => {
    await untilNoBatchWaits();
    for (const table of ['alerts', 'events']) await fleet.database(table).delete();
    jobs = new InterruptedJobs(fleet);
    await ended((await kindOf(0)()).id);
  }, 180_000);

  const kinds = () => Object.keys(jobs.kinds);
  const nameOf = (round: number) => kinds()[round % kinds().length] as string;
  const kindOf = (round: number) => jobs.kinds[nameOf(round)] as InterruptedJobs['kinds'][string];

  /** Returns null while the database is unavailable. */
  const jobOf = (id: string): Promise<Job | null> => findJob(fleet.database, id).catch(() => null);

  async function ended(id: string): Promise<Job> {
    await until('the job has ended', async () => Boolean((await jobOf(id))?.finishedAt), 120_000);
    return (await jobOf(id)) as Job;
  }

  const isReady = async () => (await api().client.get('/readyz')).status === 200;

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

  /** Continues with the next kind of job in each round. In the short form with tables and reverts: `import-kill*.test.ts` have imports and mirrors. */
  let round = shortOrLong(1, 0);

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
      const at = await interrupt(id, MOST_MS[nameOf(kind)] as number, () => provoke(id));
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
    '$name in the middle of imports, tables, reverts, mirrors, exports and remaps does not change their results',
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
    '$name in the middle of imports, tables, reverts, mirrors, exports and remaps does not change their results',
    async (frozen) => {
      await interruptJobs({ name: frozen.name, count: timesFrozen(frozen) }, () => freeze(fleet, frozen));
    },
    timeLimit(180_000),
  );
});

describe('after a crash', () => {
  const later = { prefer: 'respond-async' };
  /** Bytes before a job that the cut also destroys: several batches of events. */
  const CUT_BEFORE = 20_000;

  let path: string;
  let ledger: LedgerClient;

  beforeAll(async () => {
    ({ path } = await makeWebhook(api().client));
  });
  beforeEach(async () => {
    for (const table of ['alerts', 'events', 'identities']) await fleet.database(table).delete();
    ledger = new LedgerClient();
  });
  afterEach(() => ledger.stop());

  const acknowledgeMore = (count: number) => {
    const wanted = ledger.acknowledged + count;
    return until(`${count} more are acknowledged`, () => ledger.acknowledged >= wanted);
  };

  /** Lets the next worker start upkeep at once, which queues lost jobs again. It would otherwise wait for its minute. */
  async function forgetUpkeep(): Promise<void> {
    const connection = connectWorker(fleet.servers.redis.url);
    const queue = new Queue(upkeep.queues[0], { connection, prefix: DEFAULT_PREFIX });
    await queue.removeJobScheduler(upkeep.name);
    await queue.close();
    connection.disconnect();
  }

  /** Kills Redis, cuts its append-only file off before the given text, and starts it. Returns the part of the file that was left then. */
  async function cutOff(text: string): Promise<string> {
    const folder = join(fleet.dir, 'redis/appendonlydir');
    const name = readdirSync(folder).find((file) => file.endsWith('.incr.aof')) as string;
    const file = join(folder, name);
    await fleet.endServer('redis');
    const whole = readFileSync(file, 'latin1');
    truncateSync(file, whole.indexOf(text) - CUT_BEFORE);
    await fleet.startServer('redis');
    // The rest of the command, or of the transaction, that the cut went through is gone too. New writes may follow.
    const present = readFileSync(file, 'latin1');
    let same = 0;
    while (same < present.length && present[same] === whole[same]) same += 1;
    return whole.slice(0, same);
  }

  test(
    'after the end of the append-only file is cut off, Redis starts, exactly the events in it are lost, and jobs are queued again',
    async () => {
      const fault = new Fault('end of the append-only file cut off (not counting what was in it)', 'events');
      for (let round = 0; round < times(1); round++) {
        for (const worker of fleet.workers.splice(0)) await end(worker);
        await forgetUpkeep();
        ledger.start(() => api().url + path, 8);
        await acknowledgeMore(300);
        await ledger.stop();
        const { body } = await api().client.upload(
          `email,integrationId,identity\na@b.com,9,r${round}\n`,
          '',
          later,
        );
        const left = await cutOff(body.jobId);
        expect(left).not.toContain(body.jobId);
        const lost = ledger.forget((id) => !left.includes(id));
        expect(lost).toBeGreaterThan(0);
        expect(lost).toBeLessThan(CUT_BEFORE / 100);
        // Jobs that are younger may still be about to enter their queue.
        await fleet
          .database('jobs')
          .where({ id: body.jobId })
          .update({ created_at: new Date(Date.now() - 60_000) });
        const isAccepted = async () => (await ledger.sendOne(api().url + path)).status === 202;
        await fault.recovery(() => until('Redis is available', isAccepted));
        fleet.workers.push(fleet.startWorker());
        const { data } = (await api().client.jobEnd(body.jobId, 90_000)).body;
        expect(data).toMatchObject({ state: 'completed', counts: { created: 1 } });
        await ledger.settle(fleet.database);
      }
      await ledger.settle(fleet.database, { fault });
    },
    timeLimit(180_000),
  );

  testUnless(whyNotShort)(
    'MariaDB recovers from repeated kill -9 during a burst and an import: no table is damaged, nothing is lost or doubled',
    async () => {
      if (fleet.workers.length === 0) fleet.workers.push(fleet.startWorker());
      const upload = largeUpload(30_000);
      await api().client.upload(upload.seed);
      const { jobId } = (await api().client.upload(upload.csv, '', later)).body;
      const chunks = async () => (await fleet.database('job_steps').where({ job_id: jobId })).length;
      ledger.start(() => api().url + path, 4);
      const fault = new Fault(
        'kill -9 of MariaDB during a burst and an import, all tables checked',
        'events',
      );
      for (let kill = 1; kill <= times(3); kill++) {
        const written = await chunks();
        const isWritten = async () => (await chunks()) > written || (await chunks()) >= 300;
        await Promise.all([until('a chunk is written', isWritten), acknowledgeMore(50)]);
        await fleet.restart('mariadb');
        fault.provoked();
      }
      await ledger.stop();
      expect((await api().client.jobEnd(jobId)).body.data).toMatchObject({
        state: 'completed',
        attempts: 1,
        counts: upload.counts,
      });
      await ledger.settle(fleet.database, { fault });
      expect(await fingerprintOf(fleet.database)).toEqual(upload.fingerprint);
      const [tables] = await fleet.database.raw('SHOW TABLES');
      for (const table of tables.flatMap(Object.values)) {
        const [found] = await fleet.database.raw('CHECK TABLE ??', [table]);
        expect([table, found.map(({ Msg_text }: { Msg_text: string }) => Msg_text)]).toEqual([table, ['OK']]);
      }
    },
    timeLimit(90_000),
  );
});
