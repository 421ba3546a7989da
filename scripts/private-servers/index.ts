import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunningProcess } from '../processes/running.js';
import { type DatabasePrograms, findServers } from './find.js';
import { type MariadbOptions, type RunningMariadb, startMariadb } from './mariadb.js';
import type { DatabaseUser } from './passwords.js';
import { type RedisOptions, type RunningRedis, startRedis } from './redis.js';

export type PrivateServersOptions = {
  /** Contains data, sockets and passwords. Created if missing, for this user only. */
  dir: string;
  /** Folder of `mariadb.log` and `redis.log`. Default `DIR/logs`. */
  logDir?: string;
} & Pick<
  MariadbOptions,
  'durable' | 'bufferPoolMb' | 'redoLogMb' | 'maxConnections' | 'localInfile' | 'throwAway'
> &
  Pick<RedisOptions, 'maxMemoryMb'>;

/** Both servers, running. They stop when this process exits, for whatever reason. */
export interface PrivateServers {
  redisUrl: string;
  databaseUrls: Record<DatabaseUser, string>;
  processes: { mariadb: RunningProcess; redis: RunningProcess };
  /** Stops both cleanly. */
  stop(): Promise<void>;
}

/** How long a server may take to write its data before it is killed. */
export const stopGraceMs = 30_000;

/**
 * Starts a private MariaDB and a private Redis at the same time, reachable by sockets only.
 * @throws Error if a program is missing or a server does not start. No server is left running then
 */
export async function startPrivateServers(options: PrivateServersOptions): Promise<PrivateServers> {
  const launch = privateServerLauncher(options);
  const [mariadb, redis] = await Promise.allSettled([launch.mariadb(), launch.redis()]);
  if (mariadb.status === 'fulfilled' && redis.status === 'fulfilled') return pair(mariadb.value, redis.value);
  for (const started of [mariadb, redis]) {
    if (started.status === 'fulfilled') await started.value.stop(stopGraceMs);
  }
  throw mariadb.status === 'rejected' ? mariadb.reason : (redis as PromiseRejectedResult).reason;
}

/** Returns a start function for each server. After a crash it can be called again, with the same data and socket. */
export function privateServerLauncher(options: PrivateServersOptions): {
  mariadb(stop?: AbortSignal): Promise<RunningMariadb>;
  redis(stop?: AbortSignal): Promise<RunningRedis>;
} {
  const { dir: given, logDir, ...rest } = options;
  const dir = resolve(given);
  const logs = resolve(logDir ?? join(dir, 'logs'));
  for (const folder of [dir, logs]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const mariadb = { ...rest, dir, logFile: join(logs, 'mariadb.log') };
  const redis = { ...rest, dir, logFile: join(logs, 'redis.log') };
  return {
    mariadb: async (stop) => startMariadb({ ...mariadb, programs: databasePrograms() }, stop),
    redis: async (stop) => startRedis({ ...redis, program: redisProgram() }, stop),
  };
}

function databasePrograms(): DatabasePrograms {
  const { database } = findServers();
  if (!database) throw new Error('no mariadbd or mysqld found: install MariaDB');
  return database;
}

function redisProgram(): string {
  const { redis } = findServers();
  if (!redis) throw new Error('no redis-server or valkey-server found: install Redis');
  return redis;
}

function pair(mariadb: RunningMariadb, redis: RunningRedis): PrivateServers {
  return {
    redisUrl: redis.url,
    databaseUrls: mariadb.urls,
    processes: { mariadb, redis },
    stop: async () => {
      await Promise.all([redis.stop(stopGraceMs), mariadb.stop(stopGraceMs)]);
    },
  };
}
