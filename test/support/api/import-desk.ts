import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { uuidv7 } from 'uuidv7';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { openReadDatabase } from '../../../db/client/replica/replica.js';
import { openFileStore } from '../../../db/files/index.js';
import { findJob, insertJob, type Job } from '../../../db/jobs/jobs.js';
import { ClockWatch } from '../../../workers/clocks/clock-watch.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import { connectProducer } from '../../../workers/queues/connection.js';
import { identityApply } from '../../../workers/queues/contracts/identity-apply.js';
import {
  type ImportParams,
  identityImport,
  importQueue,
} from '../../../workers/queues/contracts/identity-import.js';
import { identityRevert, type RevertParams } from '../../../workers/queues/contracts/identity-revert.js';
import type { JobName } from '../../../workers/queues/index.js';
import { Producer } from '../../../workers/queues/producer.js';
import { handlers } from '../../../workers/registry.js';
import { WorkerMetrics } from '../../../workers/run/metrics.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { readWorkerSettings } from '../../../workers/run/settings.js';
import { runWriter } from '../run-writer.js';
import { scratchParent } from '../scratch.js';
import { createTestDatabase } from '../servers/database.js';
import { recordedJob, runJob } from './run-job.js';

/** An upload as the API passes it on. */
export interface DeskUpload {
  content: string | Buffer;
  format: ImportParams['format'];
  action: ImportParams['action'];
  onError: ImportParams['onError'];
  dryRun: boolean;
  mirror?: ImportParams['mirror'];
}

export type ImportDesk = Awaited<ReturnType<typeof openImportDesk>>;

/** Accepts uploads and processes them as a worker does, but when and as often as the test decides. */
export async function openImportDesk() {
  const testDatabase = await createTestDatabase();
  const folder = mkdtempSync(join(scratchParent(), 'muster-desk-'));
  const env = {
    DATABASE_URL: testDatabase.url,
    REDIS_URL: process.env.TEST_REDIS_URL as string,
    DATA_DIR: folder,
  };
  // Several deliveries with several lanes each: none should have to wait for a connection.
  const database = connectDatabase(testDatabase.url, { poolMax: 40, acquireTimeoutMs: 10_000 });
  const settings = readWorkerSettings(env);
  const files = openFileStore(settings.storageUrl);
  const log = pino({ level: 'silent' });
  const redis = connectProducer(env.REDIS_URL);
  const producer = new Producer(redis, settings.redisPrefix);
  let accepted = 0;
  return {
    database,
    files,
    settings,
    /** Stores and numbers an upload. Returns the id of its job. */
    accept: async ({ content, ...params }: DeskUpload): Promise<string> => {
      const id = uuidv7();
      const sourceKey = `uploads/${id}`;
      const { bytes } = await files.write(sourceKey, Readable.from([Buffer.from(content as string)]));
      await insertJob(database, {
        id,
        type: identityImport.name,
        queue: importQueue(bytes, 8_000_000),
        apiKeyId: randomUUID(),
        requestId: id,
        acceptance: 1_700_000_000_000_000 + ++accepted,
        params: { version: 1, ...params, bytes, maxBytes: 2 ** 30, maxRows: 1e6 } satisfies ImportParams,
        sourceKey,
      });
      return id;
    },
    /** Accepts a revert of a job. Returns the id of its job. */
    acceptRevert: async (jobId: string, dryRun = false): Promise<string> => {
      const id = uuidv7();
      const { acceptance, params } = (await findJob(database, jobId)) as Job;
      const { format } = params as RevertParams;
      await insertJob(database, {
        id,
        type: identityRevert.name,
        queue: identityRevert.queues[0],
        apiKeyId: randomUUID(),
        requestId: id,
        acceptance: acceptance as number,
        params: { version: 1, jobId, format, dryRun } satisfies RevertParams,
      });
      return id;
    },
    /** Accepts that the plan of a dry run is applied. Returns the id of its job. */
    acceptApply: async (jobId: string, onConflict: 'skip' | 'abort' = 'skip'): Promise<string> => {
      const id = uuidv7();
      const plan = (await findJob(database, jobId)) as Job;
      const isRevert = plan.type === identityRevert.name;
      await insertJob(database, {
        id,
        type: identityApply.name,
        queue: identityApply.queues[0],
        apiKeyId: randomUUID(),
        requestId: id,
        acceptance: isRevert ? (plan.acceptance as number) : 1_700_000_000_000_000 + ++accepted,
        params: { version: 1, jobId, isRevert, format: 'json', onConflict },
      });
      return id;
    },
    /** Delivers a job once to a separate worker. Resolves when the job has ended or the worker was interrupted. */
    deliver: async (id: string, worker: Partial<WorkerServices> = {}): Promise<void> => {
      const { signal } = new AbortController();
      const reading = openReadDatabase(database, undefined);
      const clock = new ClockWatch({ redis: async () => Date.now(), database: async () => Date.now() });
      const services = {
        settings,
        database,
        reading,
        redis,
        clock,
        files,
        producer,
        metrics: new WorkerMetrics(new Registry(), redis, clock),
        log,
        runWriter,
        outbound: new OutboundClient(),
        wakeOutbox: () => {},
        closing: signal,
        ...worker,
      };
      const { type } = (await findJob(database, id)) as Job;
      await runJob(handlers[type as JobName], recordedJob(id), services);
    },
    find: async (id: string): Promise<Job> => (await findJob(database, id)) as Job,
    close: async () => {
      await producer.close();
      await database.destroy();
      await testDatabase.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where a worker is interrupted: in which of its transactions, and how far that transaction got. */
export interface Crash {
  transaction: number;
  at: 'before' | 'rolled back' | 'committed' | 'closing' | 'deadlock' | 'lost';
}

export class Crashed extends Error {}

/** Returns the database and the shutdown signal of a worker that is interrupted at the given point. */
export function crashing(database: Database, { transaction: which, at }: Crash): Partial<WorkerServices> {
  const closing = new AbortController();
  let count = 0;
  const transact: Database['transaction'] = async (work: never, ...rest: never[]) => {
    const isHit = count++ === which;
    if (isHit && at === 'before') throw new Crashed();
    if (isHit && at === 'closing') closing.abort();
    const wrapped = async (transaction: never) => {
      const result = await (work as (transaction: never) => Promise<unknown>)(transaction);
      if (isHit && at === 'rolled back') throw new Crashed();
      if (isHit && at === 'deadlock') throw Object.assign(new Error('deadlock'), { errno: 1213 });
      return result;
    };
    const result = await database.transaction(wrapped as never, ...rest);
    if (isHit && at === 'committed') throw new Crashed();
    if (isHit && at === 'lost') throw Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' });
    return result as never;
  };
  const wrapped = new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transact : Reflect.get(target, name)),
  });
  return { database: wrapped, closing: closing.signal };
}
