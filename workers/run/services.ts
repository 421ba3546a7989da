import type { Job as QueuedJob } from 'bullmq';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import type { ReadDatabase } from '../../db/client/replica.js';
import type { FileStore } from '../../db/files/index.js';
import type { Job } from '../../db/jobs/jobs.js';
import type { RedisConnection } from '../queues/connection.js';
import type { Producer } from '../queues/producer.js';
import type { Outcome } from './job-outcome.js';
import type { WorkerMetrics } from './metrics.js';
import type { WorkerSettings } from './settings.js';

/** What the handlers work with; made once in `main.ts`. */
export interface Services {
  settings: WorkerSettings;
  database: Database;
  /** For exports: a replica that is near enough, else the same database. */
  reading: ReadDatabase;
  redis: RedisConnection;
  files: FileStore;
  producer: Producer;
  metrics: WorkerMetrics;
  /** Fires when the process should end: a handler then stops at its next safe point with a `WorkerClosing`. */
  closing: AbortSignal;
  log: Logger;
}

/** Does what a job of a queue asks for. `token` is the lock that this worker holds on it. */
export type QueueHandler = (
  queued: QueuedJob,
  token: string | undefined,
  services: Services,
) => Promise<Outcome>;

/** Does one kind of job, from its row to its outcome; may be called again for a job that was broken off. */
export type JobHandler = (job: Job, services: Services) => Promise<JobResult>;

/** What a job that went well leaves behind. */
export interface JobResult {
  state: 'completed' | 'completed_with_errors';
  counts: Record<string, number>;
  warnings?: Job['warnings'];
  progress?: NonNullable<Job['progress']>;
  resultKey?: string;
  rejectedKey?: string;
  expiresAt?: Date;
}
