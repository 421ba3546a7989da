import type { Logger } from 'pino';
import type { Database } from '../db/client/connect.js';
import type { DatabaseProbe } from '../db/client/probe.js';
import type { ReadDatabase } from '../db/client/replica.js';
import type { FileStore } from '../db/files/index.js';
import type { RedisConnection } from '../workers/queues/connection.js';
import type { Producer } from '../workers/queues/producer.js';
import type { Authenticator } from './access/auth.js';
import type { Prebuilt } from './http/prebuilt.js';
import type { Intake } from './intake/intake.js';
import type { JobWaiter } from './jobs/job-waiter.js';
import type { Metrics } from './metrics/metrics.js';
import type { ApiSettings } from './settings.js';

/** What the routes work with; made once in `main.ts`, handed to every handler. */
export interface Services {
  settings: ApiSettings;
  database: Database;
  /** For lists: a replica that is near enough, else the same database by connections of its own. */
  reading: ReadDatabase;
  /** Tells whether the database responds, however busy the connections of the two above are. */
  probe: DatabaseProbe;
  redis: RedisConnection;
  producer: Producer;
  files: FileStore;
  authenticator: Authenticator;
  waiter: JobWaiter;
  intake: Intake;
  metrics: Metrics;
  /** Resolves to the OpenAPI document. */
  openapiDocument: () => Promise<Prebuilt>;
  /** Where the built console lies. */
  consoleFolder: string;
  log: Logger;
}
