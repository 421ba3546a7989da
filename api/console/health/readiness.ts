/** The body of `GET /readyz`: which services Muster reaches. */
export interface Readiness {
  redis: boolean;
  database: boolean;
  /** Absent from an API of an earlier release. */
  storage?: boolean;
  worker: boolean;
  /** Whether enough replicas of Redis confirm writes; absent if writes do not wait for replicas. */
  replicas?: boolean;
}

export interface Outage {
  title: string;
  /** What does not work now, and what to do. */
  text: string;
}

/** Returns the services that are unavailable, each with the consequence and what to do. */
export function describeOutages({ redis, database, storage, worker, replicas }: Readiness): Outage[] {
  const all: (Outage | false)[] = [
    !redis && {
      title: 'Redis is unavailable',
      text: 'Events and uploads are rejected; senders are asked to retry later. Start Redis, or check REDIS_URL and the network.',
    },
    redis &&
      replicas === false && {
        title: 'Too few replicas of Redis',
        text: 'Events and uploads are rejected, because a failover would lose them; senders are asked to retry later. Start the replicas of Redis, or lower REDIS_WAIT_REPLICAS.',
      },
    !database && {
      title: 'The database is unavailable',
      text: 'Events are still accepted and wait in the queue. Nothing else can be read or written. Start MariaDB or MySQL, or check DATABASE_URL.',
    },
    storage === false && {
      title: 'The file store is unavailable',
      text: 'Uploads are rejected, and files cannot be downloaded. Imports and exports wait until it is available. Check STORAGE_URL and the network.',
    },
    // Redis knows which workers run, so without it that is unknown.
    redis &&
      !worker && {
        title: 'No worker is running',
        text: 'Accepted work is safe, but nothing is stored, imported or exported until a worker runs. Start one with node dist/workers/main.js (npm start does this for you). If one is running, check its log.',
      },
  ];
  return all.filter((one) => one !== false);
}
