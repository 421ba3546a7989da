import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { NO_SIGNATURE } from '../../../db/webhooks/webhook-signature.js';
import { insertWebhook } from '../../../db/webhooks/webhooks.js';
import { type CatalogueSource, findSource } from '../../../workers/mapping/catalogue/index.js';
import type { Mapping } from '../../../workers/mapping/index.js';
import { drainBacklog, fillQueue } from '../backlog.js';
import { type BenchContext, type Benchmark, type BenchResult, median } from '../benchmark.js';
import { ALERT, keyedAlert } from '../load.js';
import { foldAgain, KEYED_TABLES } from './fold-again.js';
import { empty, insertAgain } from './write-groups.js';

export const GENERIC = findSource('generic-alert') as CatalogueSource;
const STAND_ALONE_TABLES = { events: KEYED_TABLES.events, alerts: KEYED_TABLES.alerts };

/**
 * Measures how fast one worker stores a backlog. Floor: a program that only inserts the same rows, events and alerts,
 * into the same tables with multi-row statements.
 */
export const drain: Benchmark = (context) =>
  measure(context, { name: 'drain', mapping: GENERIC.mapping, body: () => ALERT }, (database) =>
    insertAgain(database, context, STAND_ALONE_TABLES),
  );

/** Ten events in each series, and three of ten resolve it. */
const EVENTS_PER_SERIES = 10;
const RESOLVED = 0.3;

/**
 * The same with a key and a status. Floor: a program that only writes the same rows, and after each 1,000 events the states of their series
 * and alerts, see {@link foldAgain}.
 */
export const drainKeyed: Benchmark = (context) => {
  const body = keyedBodies(context);
  return measure(context, { name: 'drain-keyed', mapping: KEYED_MAPPING, body }, (database) =>
    foldAgain(database, context),
  );
};

/** Returns a function that returns the next body of a backlog with keys. */
export function keyedBodies({ rows }: BenchContext): () => string {
  const series = Math.ceil(rows / EVENTS_PER_SERIES);
  return () =>
    keyedAlert(
      `host-${Math.floor(Math.random() * series)}`,
      Math.random() < RESOLVED ? 'resolved' : 'firing',
    );
}

/** The same, and all events of the backlog have one key. */
export const drainOneKey: Benchmark = (context) => {
  const body = () => keyedAlert('host', Math.random() < RESOLVED ? 'resolved' : 'firing');
  return measure(context, { name: 'drain-one-key', mapping: KEYED_MAPPING, body }, (database) =>
    foldAgain(database, context),
  );
};

export const KEYED_MAPPING: Mapping = {
  ...GENERIC.mapping,
  fields: {
    ...GENERIC.mapping.fields,
    dedupKey: { template: '{{webhook.alert.key}}' },
    status: { template: '{{webhook.alert.status}}' },
  },
};

interface Backlog {
  name: string;
  mapping: Mapping;
  /** Returns the body of the next event. */
  body(): string;
}

/** @param writeAgain does what the worker must do at least, and returns the seconds */
async function measure(
  context: BenchContext,
  { name, mapping, body }: Backlog,
  writeAgain: (database: Database) => Promise<number>,
): Promise<BenchResult> {
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  const webhookId = await makeWebhook(database, mapping);
  const [ours, floor]: [number[], number[]] = [[], []];
  let memory = 0;
  for (let run = 0; run < context.runs; run++) {
    await empty(database, Object.keys(KEYED_TABLES));
    await fillQueue(context, webhookId, body);
    const { rate, rssMb } = await drainBacklog(context);
    ours.push(rate);
    memory = Math.max(memory, rssMb);
    floor.push(context.rows / (await writeAgain(database)));
  }
  await database.destroy();
  const rates = { ours: median(ours), floor: median(floor) };
  return { name, ratio: rates.ours / rates.floor, ...rates, unit: 'events/s', rssMb: memory };
}

/** Creates an integration that receives events. Returns its id. */
export async function makeWebhook(database: Database, mapping: Mapping): Promise<string> {
  const id = uuidv7();
  await insertWebhook(database, {
    id,
    name: 'bench',
    description: '',
    template: GENERIC.name,
    mapping: JSON.stringify(mapping),
    author: { id: uuidv7(), name: 'bench' },
    ...NO_SIGNATURE,
    eventsPerMinute: null,
    overLimitStatus: 503,
    challenge: null,
    resolveAfterSeconds: null,
    silence: null,
    driftSeverity: null,
    mutedUntil: null,
    managedBy: null,
    token: { hash: createHash('sha256').update(id).digest(), sealed: Buffer.of(0) },
  });
  return id;
}
