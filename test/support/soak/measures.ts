import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { WRITTEN_TABLES } from '../../../db/access/grants.js';
import type { IntakeQueue } from '../api/intake-queue.js';
import type { Fleet } from '../servers/fleet.js';
import { openDescriptors, rssMb } from '../servers/process-usage.js';
import type { Measure } from './samples.js';

/** Tables that keep what happened: rows come with each event, job or saved mapping, and go after their retention. */
const GROWING = [
  'alerts',
  'events',
  'identity_history',
  'import_changes',
  'job_steps',
  'jobs',
  'mapping_revisions',
  'series_alerts',
  'series_items',
];

/** Returns what must be flat while a service works, and some numbers that show how much it does. */
export function soakMeasures(fleet: Fleet, redis: Redis, queue: IntakeQueue): Record<string, Measure> {
  const processes: Record<string, () => number | undefined> = {
    API: () => fleet.apis[0]?.child.pid,
    worker: () => fleet.workers[0]?.pid,
    Redis: () => fleet.servers.redis.pid,
    MariaDB: () => fleet.servers.mariadb.pid,
  };
  // MariaDB fills its buffer pool.
  const memory = Object.entries(processes).map(([name, pid]): [string, Measure] => [
    `memory of ${name} (MB)`,
    { read: () => rssMb(pid()), slack: name === 'MariaDB' ? null : 15 },
  ]);
  const descriptors = Object.entries(processes).map(([name, pid]): [string, Measure] => [
    `descriptors of ${name}`,
    { read: () => openDescriptors(pid()), slack: 10 },
  ]);
  const files = (folder: string) => () =>
    readdirSync(join(fleet.dir, 'data'), { recursive: true }).filter((file) =>
      `/${String(file)}`.includes(`/${folder}/`),
    ).length;
  const rows = async (tables: readonly string[]) => {
    const counts = tables.map(async (table) =>
      Number((await fleet.database(table).count({ rows: '*' }).first())?.rows),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
  const openJobs = async () =>
    (await fleet.database('jobs').whereIn('state', ['queued', 'running']).select('id')).length;
  // They are kept for a retry, for 7 days.
  const uploadsOfFailedJobs = async () =>
    (await fleet.database('jobs').where({ state: 'failed' }).whereNotNull('source_key').select('id')).length;
  return {
    ...Object.fromEntries([...memory, ...descriptors]),
    'data of Redis (MB)': {
      read: async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]) / 2 ** 20,
      slack: 4,
    },
    'keys in Redis': { read: () => redis.dbsize(), slack: 50 },
    'batches of events that wait': { read: () => queue.count(), slack: 20 },
    'open jobs': { read: openJobs, slack: 2 },
    'stored uploads, but those of failed jobs': {
      read: async () => files('uploads')() - (await uploadsOfFailedJobs()),
      slack: 10,
    },
    'spools of imports': { read: files('import-spools'), slack: 10 },
    'rows of tables that keep no history': {
      read: () => rows(WRITTEN_TABLES.filter((table) => !GROWING.includes(table))),
      slack: 50,
    },
    'rows of tables that do': { read: () => rows(GROWING), slack: null },
  };
}
