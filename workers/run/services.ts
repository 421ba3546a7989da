import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import type { ReadDatabase } from '../../db/client/replica/replica.js';
import type { FileStore } from '../../db/files/index.js';
import type { ClockWatch } from '../clocks/clock-watch.js';
import type { OutboundClient } from '../outbound/outbound-client.js';
import type { RedisConnection } from '../queues/connection.js';
import type { Producer } from '../queues/producer.js';
import type { WorkerMetrics } from './metrics.js';
import type { WorkerSettings } from './settings.js';

/** What the handlers use. `workers/start-worker.ts` opens it once per process. */
export interface WorkerServices {
  settings: WorkerSettings;
  database: Database;
  /** For exports: a replica that may be read, see `ReadDatabase`, otherwise the primary. */
  reading: ReadDatabase;
  redis: RedisConnection;
  /** Compares this host's clock with those of Redis and the database. */
  clock: ClockWatch;
  files: FileStore;
  producer: Producer;
  metrics: WorkerMetrics;
  /** The program of the thread that stores the rows of large uploads, see `RunWriter`. */
  runWriter: URL;
  /** Requests to other hosts, with the limits that the operator sets. */
  outbound: OutboundClient;
  /** Says that changes of alerts were committed of which destinations are to be told. */
  wakeOutbox(): void;
  /** Fires when the process shuts down. A handler then stops at its next safe point with a `WorkerClosing`. */
  closing: AbortSignal;
  log: Logger;
}
