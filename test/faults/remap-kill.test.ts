import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import type { Knex } from 'knex';
import { toUuidBinary } from '../../db/bulk/uuid-binary.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { buildEvent } from '../../workers/events/store/build-event.js';
import { CurrentMappings } from '../../workers/events/store/current-mappings.js';
import { storePayloads } from '../support/api/stored-events.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { loseLock } from '../support/faults/broken-off.js';
import { whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { foldAll, seriesTables, storedAlerts } from '../support/series/model.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const prefix = `{remap-${randomUUID().slice(0, 8)}}`;
let processes: Processes;
let worker: ChildProcess;
let fault: Fault;
beforeAll(async () => {
  processes = await startProcesses({ env: { REDIS_PREFIX: prefix, LOG_LEVEL: 'error' } });
  worker = processes.workers[0] as ChildProcess;
});
afterAll(() => processes.stop());

const field = (template: string) => ({ template });
const FIELDS = {
  severity: field('{{webhook.level}}'),
  description: field('d'),
  source: field('{{webhook.from}}'),
};
const ALONE = { fields: FIELDS };
const KEYED = {
  fields: { ...FIELDS, dedupKey: field('{{webhook.key}}'), status: field('{{webhook.status}}') },
};
const MOVED = {
  fields: { ...FIELDS, dedupKey: field('{{webhook.from}}'), status: field('{{webhook.status}}') },
};

/** One key has a third of the events, the others have a few each. */
const EVENTS = 1_500;
const PAYLOADS = Array.from({ length: EVENTS }, (_, number) => ({
  key: number % 3 === 0 ? 'storm' : `key ${number % 40}`,
  from: `host ${number % 70}`,
  level: number % 5 ? 'high' : null,
  status: number % 4 === 1 ? 'resolved' : 'firing',
}));

const jobOf = async (id: string): Promise<Job> => (await findJob(processes.database, id)) as Job;
const hasEnded = async (id: string): Promise<boolean> => (await jobOf(id)).finishedAt !== null;

async function save(id: string, mapping: object): Promise<void> {
  const { status, text } = await processes.client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping);
  if (status !== 201) throw new Error(text);
}

/** Kills the worker once the remap waits for a row that this test has locked, and starts another one. */
async function killWaiting(jobId: string, held: Knex.Transaction, reached: () => Promise<boolean>) {
  await until('the remap waits', reached, 30_000);
  await end(worker, 'SIGKILL');
  fault.provoked();
  await held.rollback();
  await loseLock(process.env.TEST_REDIS_URL as string, prefix, (await jobOf(jobId)).queue, jobId);
  worker = processes.start('workers');
}

const countMarked = async (): Promise<number> => {
  const row = await processes.database('series').whereNotNull('refold_from').count({ marked: '*' }).first();
  return Number(row?.marked);
};

/** MySQL cannot show the transaction that waits in information_schema, because its statement has bytes. */
const waitsForLock = async (): Promise<boolean> => {
  const sql = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";
  const [[{ Value: waiting }]] = await processes.database.raw(sql);
  return Number(waiting) > 0;
};

const REMAPS: readonly [name: string, before: object, after: object][] = [
  ['keys change', KEYED, MOVED],
  ['stand-alone alerts get keys', ALONE, KEYED],
  ['keys go away', MOVED, ALONE],
  ['identical events are counted', ALONE, { ...ALONE, repeatWindowSeconds: 86_400 }],
];

testUnless(whyNotShort).each(REMAPS)(
  'a remap whose worker is killed while it writes and while it folds is complete, and counts once: %s',
  async (what, before, after) => {
    fault = new Fault(`SIGKILL of the worker in one remap: ${what}`, 'alerts');
    const { database, client } = processes;
    for (const table of ['events', 'alerts', 'series', 'series_items', 'series_alerts'])
      await database(table).delete();
    const { id } = await makeWebhook(client, { template: null });
    await save(id, before);
    const eventIds = await storePayloads(database, id, PAYLOADS);
    await save(id, after);

    const writing = await database.transaction();
    await writing('events')
      .where('id', toUuidBinary(eventIds[EVENTS / 2] as string))
      .forUpdate()
      .select('id');
    const { jobId } = (await client.json('POST', `/v2/webhooks/${id}/remap`, {})).body;
    await killWaiting(jobId, writing, waitsForLock);
    // The second worker goes on, and is killed while it folds a series. The lock is taken as soon as some series is marked.
    let folding: Knex.Transaction | null = null;
    await until(
      'the last events are mapped',
      async () => {
        const row = await database('events')
          .where({ webhook_id: toUuidBinary(id), revision: 1 })
          .count({ left: '*' })
          .first();
        return Number(row?.left) === 0 || hasEnded(jobId);
      },
      60_000,
    );
    const last = await database('series')
      .whereNotNull('refold_from')
      .orderBy('refold_from', 'desc')
      .first('id');
    if (last) {
      folding = await database.transaction();
      await folding('series').where('id', last.id).forUpdate().select('id');
      const before = await countMarked();
      await killWaiting(
        jobId,
        folding,
        async () => (await waitsForLock()) || (await countMarked()) < before - 1 || hasEnded(jobId),
      );
    }
    await until('the job has ended', () => hasEnded(jobId), 60_000);

    const job = await jobOf(jobId);
    expect(job).toMatchObject({ state: 'completed', error: null });
    expect(job.counts).toMatchObject({
      events: EVENTS,
      alerts: EVENTS,
      changed: EVENTS,
      unchanged: 0,
      regrouped: EVENTS,
    });
    const mapping = (await new CurrentMappings(database).of([id])).get(id);
    const rows = await database('events').orderBy(['received_at', 'id']);
    const built = rows.map(({ received_at, raw }, number) =>
      buildEvent(
        {
          id: eventIds[number] as string,
          webhookId: id,
          receivedAt: received_at.getTime(),
          raw: raw.toString(),
        },
        mapping,
      ),
    );
    const [expected, found] = [foldAll(built.flatMap(({ items }) => items)), await storedAlerts(database)];
    const lines = (alerts: typeof found) => alerts.map((alert) => JSON.stringify(alert));
    fault.add(balanceOf(lines(expected), lines(found)));
    fault.report();
    expect(found).toEqual(expected);
    const alone = await database('alerts').whereNull('dedup_key').count({ count: '*' }).first();
    expect(Number(alone?.count)).toBe(built.flatMap(({ alerts }) => alerts).length);
    const tables = await seriesTables(database);
    expect(tables.starts).toEqual(tables.alerts);
    expect(tables.latest).toEqual(tables.newest);
    expect(await countMarked()).toBe(0);
  },
);
