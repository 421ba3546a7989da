import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { connectWorker, DEFAULT_PREFIX } from '../../workers/queues/connection.js';
import { upkeep } from '../../workers/queues/contracts/upkeep.js';
import { fingerprintOf, largeUpload } from '../support/api/large-upload.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { timeLimit, times, whyNotShort } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const later = { prefer: 'respond-async' };
/** Bytes before a job that the cut also destroys: several batches of events. */
const CUT_BEFORE = 20_000;
const upload = largeUpload(30_000);

let fleet: Fleet;
let path: string;
let ledger: LedgerClient;
const api = () => fleet.apis[0] as Fleet['apis'][0];

beforeAll(async () => {
  fleet = await startFleet({ workers: 0, env: { IMPORT_CHUNK_ROWS: '300' } });
  ({ path } = await makeWebhook(api().client));
}, 60_000);
beforeEach(async () => {
  for (const table of ['alerts', 'events', 'identities']) await fleet.database(table).delete();
  ledger = new LedgerClient();
});
afterEach(() => ledger.stop());
afterAll(() => fleet?.stop(), 60_000);

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
    await api().client.upload(upload.seed);
    const { jobId } = (await api().client.upload(upload.csv, '', later)).body;
    const chunks = async () => (await fleet.database('job_steps').where({ job_id: jobId })).length;
    ledger.start(() => api().url + path, 4);
    const fault = new Fault('kill -9 of MariaDB during a burst and an import, all tables checked', 'events');
    for (let kill = 1; kill <= times(3); kill++) {
      const written = await chunks();
      const isWritten = async () => (await chunks()) > written || (await chunks()) >= 100;
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
