import { connectDatabase } from '../../../db/client/connect.js';
import { findOpenJobs } from '../../../db/jobs/jobs-upkeep.js';
import { jobKey } from '../../../workers/queues/bullmq-internals.js';
import type { RedisConnection } from '../../../workers/queues/connection.js';
import { livingWorkers } from '../../../workers/queues/heartbeat.js';
import { closed, type Finding, failure, ok } from '../finding.js';
import { primariesOf } from './nodes.js';

const WORKERS_KEY = /^(\{[a-z0-9-]+\}):workers$/;
const WITHIN_MS = 2_000;
/** Open jobs of the database that are looked for. */
const JOBS = 200;

/**
 * Reports whether workers with another prefix work on the same database: each side's upkeep then takes the other's jobs for
 * lost, and queues them again. Only prefixes in the same Redis are found, and only while a job is open.
 */
export async function findPrefixes(
  check: string,
  redis: RedisConnection,
  { redisPrefix, databaseUrl }: { redisPrefix: string; databaseUrl: string },
): Promise<Finding> {
  const others = await otherPrefixes(redis, redisPrefix);
  if (others.length === 0) return ok(check, `no worker in this Redis has another prefix than ${redisPrefix}`);
  const shared = await sharedPrefix(redis, others, databaseUrl);
  if (shared === undefined)
    return ok(check, `${others.join(', ')} in this Redis too, without a job of this database`);
  return failure(
    check,
    `${redisPrefix} and ${shared} work on the same database: each takes the other's jobs after a minute`,
    'Stop the API and the workers of one of them, and start them with the prefix of the other.',
  );
}

/** Returns the other prefixes with living workers, as far as they are found within 2 s. */
async function otherPrefixes(redis: RedisConnection, own: string): Promise<string[]> {
  const until = performance.now() + WITHIN_MS;
  const found = new Set<string>();
  for (const node of primariesOf(redis)) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', '{*}:workers', 'COUNT', 1_000);
      for (const key of keys) found.add(WORKERS_KEY.exec(key)?.[1] ?? own);
      cursor = next;
    } while (cursor !== '0' && performance.now() < until);
  }
  found.delete(own);
  const living = await Promise.all(
    [...found].map(async (prefix) => ((await livingWorkers(redis, prefix)).length > 0 ? [prefix] : [])),
  );
  return living.flat().sort();
}

/** Returns the prefix under which a job of this database is queued, if any. */
async function sharedPrefix(
  redis: RedisConnection,
  prefixes: readonly string[],
  databaseUrl: string,
): Promise<string | undefined> {
  const database = connectDatabase(databaseUrl, {
    poolMax: 1,
    acquireTimeoutMs: WITHIN_MS,
    statementTimeoutMs: WITHIN_MS,
  });
  try {
    const jobs = await findOpenJobs(database, new Date(Date.now() + WITHIN_MS), '', JOBS);
    for (const prefix of prefixes) {
      const queued = await Promise.all(jobs.map(({ queue, id }) => redis.exists(jobKey(prefix, queue, id))));
      if (queued.includes(1)) return prefix;
    }
    return undefined;
  } finally {
    await closed(database.destroy());
  }
}
