import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { drainBacklog, fillQueue } from '../backlog.js';
import { type BenchContext, type Benchmark, median } from '../benchmark.js';
import { fillArrived } from '../filled-tables.js';
import { ALERT } from '../load.js';
import { GENERIC, makeWebhook } from './drain.js';
import { empty } from './write-groups.js';

const TABLES = ['events', 'alerts'];
const HOUR_MS = 3_600_000;
/** The stored rows arrived within this time, which ended an hour ago, so none of them expires. */
const STORED_WITHIN_MS = 20 * 24 * HOUR_MS;

/**
 * Measures how fast one worker stores a backlog when many events and alerts are stored already. Floor: the same with empty tables. Each side has
 * a database of its own on the same server, so that they take turns.
 */
export const drainFull: Benchmark = async (context) => {
  const emptyUrl = new URL(context.databaseUrl);
  emptyUrl.pathname = '/empty_tables';
  const [full, bare] = [context, { ...context, databaseUrl: emptyUrl.href }];
  const admin = connectDatabase(context.databaseUrl);
  await admin.raw('CREATE DATABASE empty_tables').finally(() => admin.destroy());
  const [fullDatabase, bareDatabase] = [await prepare(full), await prepare(bare)];
  try {
    const webhooks = {
      full: await makeWebhook(fullDatabase, GENERIC.mapping),
      bare: await makeWebhook(bareDatabase, GENERIC.mapping),
    };
    await fill(fullDatabase, context);
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let run = 0; run < context.runs; run++) {
      await empty(bareDatabase, TABLES);
      floor.push(await drain(bare, webhooks.bare, 'empty tables'));
      ours.push(await drain(full, webhooks.full, `${context.stored} stored`));
    }
    const rates = { ours: median(ours), floor: median(floor) };
    return { name: 'drain-full', ratio: rates.ours / rates.floor, ...rates, unit: 'events/s' };
  } finally {
    await Promise.all([fullDatabase.destroy(), bareDatabase.destroy()]);
  }
};

async function prepare({ databaseUrl }: BenchContext): Promise<Database> {
  const database = connectDatabase(databaseUrl);
  await migrate(database);
  return database;
}

async function fill(database: Database, { stored, say }: BenchContext): Promise<void> {
  const startedAt = performance.now();
  const everyMs = Math.max(1, Math.floor(STORED_WITHIN_MS / stored));
  await fillArrived(database, stored, Date.now() - HOUR_MS - stored * everyMs, everyMs);
  say(`filled with ${stored} events and alerts in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}

async function drain(context: BenchContext, webhookId: string, what: string): Promise<number> {
  context.say(`${what}:`);
  await fillQueue(context, webhookId, () => ALERT);
  return (await drainBacklog(context)).rate;
}
