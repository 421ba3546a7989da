import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { format } from 'mysql2';
import { uuidv7 } from 'uuidv7';
import { keptRequest } from '../../api/intake/request/kept-request.js';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { runReady } from '../../db/client/statement.js';
import { alertId } from '../../db/events/alert-id.js';
import { migrate } from '../../db/migrations/index.js';
import { NO_SIGNATURE } from '../../db/webhooks/webhook-signature.js';
import { insertWebhook } from '../../db/webhooks/webhooks.js';
import { type CatalogueSource, findSource } from '../../workers/mapping/catalogue/index.js';
import { connectProducer, connectWorker } from '../../workers/queues/connection.js';
import { alertIntake, type IntakeEvent } from '../../workers/queues/contracts/alert-intake.js';
import { areEmpty, queueDepths } from '../../workers/queues/depth.js';
import { Producer } from '../../workers/queues/producer.js';
import { nodeOptions } from '../processes/node-options.js';
import { ALERT } from './alert.js';
import { type BenchContext, type Benchmark, median } from './benchmark.js';
import { endProgram, startProgram } from './children.js';
import { cpuSeconds, peakRssMb } from './process-cost.js';

const genericAlert = findSource('generic-alert') as CatalogueSource;

const PREFIX = '{bench}';
const BATCH = 200;
/** Rows per statement and connections: the fastest of those tried (200 rows over 4, 500 and 1,000 rows over 2). */
const FLOOR_ROWS = 1_000;
const FLOOR_CONNECTIONS = 2;

/**
 * Measures how fast one worker stores a backlog. Floor: a program that only inserts the same rows, events and alerts,
 * into the same tables with multi-row statements.
 */
export const drain: Benchmark = async (context) => {
  const { rows } = context;
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  const webhookId = await makeWebhook(database);
  const [ours, floor]: [number[], number[]] = [[], []];
  let memory = 0;
  for (let run = 0; run < context.runs; run++) {
    await empty(database);
    await fillQueue(context, webhookId);
    const { rate, rssMb } = await drainOnce(context);
    ours.push(rate);
    memory = Math.max(memory, rssMb);
    floor.push(rows / (await insertAgain(database, context)));
  }
  await database.destroy();
  const rates = { ours: median(ours), floor: median(floor) };
  return { name: 'drain', ratio: rates.ours / rates.floor, ...rates, unit: 'alerts/s', rssMb: memory };
};

async function makeWebhook(database: Database): Promise<string> {
  const id = uuidv7();
  await insertWebhook(database, {
    id,
    name: 'bench',
    description: '',
    template: genericAlert.name,
    mapping: JSON.stringify(genericAlert.mapping),
    author: { id: uuidv7(), name: 'bench' },
    ...NO_SIGNATURE,
    eventsPerMinute: null,
    overLimitStatus: 503,
    challenge: null,
    token: { hash: createHash('sha256').update(id).digest(), sealed: Buffer.of(0) },
  });
  return id;
}

async function empty(database: Database): Promise<void> {
  for (const table of ['events', 'alerts']) await database.raw(`TRUNCATE TABLE ${table}`);
}

async function fillQueue({ redisUrl, rows }: BenchContext, webhookId: string): Promise<void> {
  const redis = connectProducer(redisUrl);
  await new Promise((resolve) => redis.once('ready', resolve));
  const producer = new Producer(redis, PREFIX);
  for (let done = 0; done < rows; done += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, rows - done) }, () => newEvent(webhookId));
    await producer.enqueue(alertIntake, uuidv7(), { version: 1, events });
  }
  await producer.close();
}

/** The request as the API stores it with an event. */
const REQUEST = keptRequest({
  method: 'POST',
  url: '/api/v1/webhook/token',
  headers: { 'content-type': 'application/json', 'user-agent': 'Alertmanager/0.27.0' },
  rawHeaders: ['Content-Type', 'application/json', 'User-Agent', 'Alertmanager/0.27.0'],
});

const newEvent = (webhookId: string): IntakeEvent => ({
  id: alertId(uuidv7(), -1),
  webhookId,
  receivedAt: Date.now(),
  raw: ALERT,
  request: REQUEST,
});

/** Measures from the first row to the last, without the start of the process. Polls the queue, which costs nothing. */
async function drainOnce({ databaseUrl, redisUrl, pids, rows, say }: BenchContext) {
  const redis = connectWorker(redisUrl);
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, REDIS_PREFIX: PREFIX, LOG_LEVEL: 'warn' };
  const worker = startProgram('../../workers/main.js', env, nodeOptions.worker);
  const spent = spending({ worker: worker.pid as number, MariaDB: pids.mariadb, Redis: pids.redis }, rows);
  let startedAt = 0;
  for (;;) {
    if (worker.exitCode !== null) throw new Error('the worker ended');
    const depths = await queueDepths(redis, PREFIX, alertIntake.queues);
    if (startedAt === 0 && depths.some(({ active }) => active > 0)) startedAt = performance.now();
    if (startedAt > 0 && areEmpty(depths)) break;
    await sleep(startedAt === 0 ? 2 : 20);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`ours  ${Math.round(rows / seconds)} alerts/s; CPU: ${spent()} an event`);
  const rssMb = peakRssMb(worker.pid as number);
  await endProgram(worker);
  redis.disconnect();
  return { rate: rows / seconds, rssMb };
}

/** Returns a function that reports what processes spend per event from now on. */
function spending(pids: Record<string, number>, events: number): () => string {
  const before = Object.values(pids).map(cpuSeconds);
  return () =>
    Object.entries(pids)
      .map(([name, pid], i) => {
        const micros = ((cpuSeconds(pid) - (before[i] as number)) * 1e6) / events;
        return `${name} ${micros.toFixed(1)} µs`;
      })
      .join(', ');
}

/** Writes the existing rows again and returns the seconds. Reading them does not count. */
async function insertAgain(database: Database, { pids, rows, say }: BenchContext): Promise<number> {
  const tables = ['events', 'alerts'] as const;
  const chunks = await Promise.all(tables.map((table) => readChunks(database, table)));
  await empty(database);
  const spent = spending({ program: process.pid, MariaDB: pids.mariadb }, rows);
  const startedAt = performance.now();
  let next = 0;
  const count = chunks[0]?.length ?? 0;
  const lane = async () => {
    for (let chunk = next++; chunk < count; chunk = next++) {
      await database.transaction(async (transaction) => {
        for (const [i, table] of tables.entries()) {
          await runReady(transaction, format(`INSERT INTO ${table} VALUES ?`, [chunks[i]?.[chunk] as never]));
        }
      });
    }
  };
  await Promise.all(Array.from({ length: FLOOR_CONNECTIONS }, lane));
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`floor ${Math.round(rows / seconds)} alerts/s; CPU: ${spent()} an event`);
  return seconds;
}

async function readChunks(database: Database, table: string): Promise<unknown[][][]> {
  const rows = (await database(table).orderBy(['received_at', 'id'])).map((row) => Object.values(row));
  const chunks: unknown[][][] = [];
  for (let at = 0; at < rows.length; at += FLOOR_ROWS) chunks.push(rows.slice(at, at + FLOOR_ROWS));
  return chunks;
}
