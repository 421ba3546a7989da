import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFaketime } from '../../../scripts/find-faketime.js';
import { findServers } from '../../../scripts/private-servers/find.js';
import { onMysql } from '../servers/on-mysql.js';

/** Returns why this machine cannot set clocks of single processes; null if it can. */
export const whyNoClocks = (): string | null =>
  findFaketime() ? null : 'libfaketime is not installed (Debian: apt-get install libfaketime)';

/** Returns why this machine cannot set the clocks of the servers; null if it can. */
export const whyNoServerClocks = (): string | null =>
  onMysql() ? 'the programs of MySQL are not started with libfaketime' : whyNoClocks();

/** How long a process may use the previous time after its clock was set. */
export const CLOCK_SET_WITHIN_MS = 1_500;

/** A clock that processes can have in place of the machine's. */
export interface Clock {
  /** The environment of a process that has it. */
  env: Record<string, string>;
  /** Sets it to the time of the machine plus that many seconds, also for processes that run. Measured time goes on as before. */
  set(seconds: number): void;
  remove(): void;
}

/** Creates a clock that is right. */
export function createClock(): Clock {
  const folder = mkdtempSync(join(tmpdir(), 'muster-clock-'));
  const file = join(folder, 'offset');
  const set = (seconds: number) => {
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`);
    // A process that reads an empty file keeps the previous time for another second.
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    env: {
      LD_PRELOAD: findFaketime() as string,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Writes programs of the servers that run with these clocks into a folder.
 * @returns the folder, for `MUSTER_SERVER_PATH`
 */
export function serversWithClocks(folder: string, clocks: Record<'mariadb' | 'redis', Clock>): string {
  const { database, redis } = findServers();
  if (!database || !redis) throw new Error('no MariaDB or no Redis found');
  const write = (name: string, program: string, env: Clock['env'] = {}) => {
    const words = Object.entries(env).map(([key, value]) => `${key}='${value}'`);
    const line = `exec env ${words.join(' ')} '${program}' "$@"`;
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  };
  write('mariadbd', database.server, clocks.mariadb.env);
  write('mariadb-install-db', database.installer);
  // The binary behaves according to its name.
  mkdirSync(join(folder, 'programs'));
  symlinkSync(redis, join(folder, 'programs/redis-server'));
  // Its own memory allocator asks for the time before libfaketime is ready, and hangs. That of the C library does not.
  const preload = `${clocks.redis.env.LD_PRELOAD}:libc.so.6`;
  write('redis-server', join(folder, 'programs/redis-server'), { ...clocks.redis.env, LD_PRELOAD: preload });
  return folder;
}
