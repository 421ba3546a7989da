import type { Logger } from 'pino';
import type { Database } from '../db/client/connect.js';
import type { DatabaseProbe } from '../db/client/probe.js';
import type { ReadDatabase } from '../db/client/replica/replica.js';
import type { FileStore, StoreProbe } from '../db/files/index.js';
import type { ClockWatch } from '../workers/clocks/clock-watch.js';
import type { OutboundClient } from '../workers/outbound/outbound-client.js';
import type { Send } from '../workers/outbox/send.js';
import type { RedisConnection } from '../workers/queues/connection.js';
import type { Producer } from '../workers/queues/producer.js';
import type { Replication } from '../workers/queues/replication.js';
import type { Authenticator } from './access/auth.js';
import type { FeedWaiter } from './change-feed/feed-waiter.js';
import type { Prebuilt } from './http/prebuilt.js';
import type { Intake } from './intake/intake.js';
import type { JobWaiter } from './jobs/job-waiter.js';
import type { FiringAlerts } from './metrics/firing-alerts.js';
import type { Metrics } from './metrics/metrics.js';
import type { ApiSettings } from './settings.js';
import type { SnsCertificates } from './sns/sns-certificates.js';

/** The services that handlers use. `start-api.ts` creates them once per process. */
export interface ApiServices {
  settings: ApiSettings;
  database: Database;
  /** For lists: a replica that may be read, see `ReadDatabase`, otherwise the primary over separate connections. */
  reading: ReadDatabase;
  /** What the exports of a request get besides their own parameters. */
  exportParams?: { readFrom: 'primary' };
  /** Checks whether the database responds, even if all connections of the two pools above are busy. */
  probe: DatabaseProbe;
  redis: RedisConnection;
  /** Compares this host's clock with those of Redis and the database, and knows the right time. */
  clock: ClockWatch;
  producer: Producer;
  /** Whether replicas of Redis have what the producer added. */
  replication: Replication;
  files: FileStore;
  storeProbe: StoreProbe;
  authenticator: Authenticator;
  waiter: JobWaiter;
  feedWaiter: FeedWaiter;
  intake: Intake;
  firing: FiringAlerts;
  metrics: Metrics;
  /** Sends requests to other hosts. Only an operator's action or a signature that needs a certificate may cause one. */
  https: OutboundClient;
  /** Sends a message to a destination. */
  send: Send;
  snsCertificates: SnsCertificates;
  /** Resolves to the OpenAPI document. */
  openapiDocument: () => Promise<Prebuilt>;
  /** The folder of the built console. */
  consoleFolder: string;
  /** Aborted once this process is shutting down. It still responds, but load balancers should send no more requests. */
  closing: AbortSignal;
  log: Logger;
}
