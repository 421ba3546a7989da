import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { spawnGuarded } from '../processes/guarded.js';
import { endPrevious } from '../processes/previous.js';
import type { RunningProcess } from '../processes/running.js';
import { waitUntilReady } from './ready.js';
import { socketFolder } from './sockets.js';
import { dropTornTransaction } from './torn-transaction.js';

export interface RedisOptions {
  /** Contains `redis/`. Created if missing. Absolute. */
  dir: string;
  /** `redis-server`, `valkey-server`, or the same binary under another name. Absolute. */
  program: string;
  logFile: string;
  /** Whether a write is on disk before it is acknowledged. With false nothing is kept on disk. */
  durable: boolean;
  /** MiB. A full Redis rejects writes and evicts nothing. Default 512. */
  maxMemoryMb?: number;
  /** Removes the data when this process exits without stopping the server. Default false. */
  throwAway?: boolean;
}

/** A running private Redis and its address. */
export interface RunningRedis extends RunningProcess {
  /** `unix:///abs/path/redis.sock` */
  url: string;
}

/**
 * Starts a private Redis that listens on a socket only, after an earlier one has released the data.
 * @param stop aborts the wait and stops the server
 * @throws Error with the server's last log line if it does not start
 */
export async function startRedis(options: RedisOptions, stop?: AbortSignal): Promise<RunningRedis> {
  const home = join(options.dir, 'redis');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  await endPrevious(join(home, 'server.pid'));
  const socketPath = join(socketFolder(options.dir), 'redis.sock');
  rmSync(socketPath, { force: true });
  if (options.durable) dropTornTransaction(home, options.logFile);
  const server = spawnGuarded(
    [serverName(options.program, home), ...serverOptions(home, socketPath, options)],
    {
      logFile: options.logFile,
      pidFile: join(home, 'server.pid'),
      ...(options.throwAway ? { orphanSignal: 'KILL' as const, removeOrphaned: home } : {}),
    },
  );
  await waitUntilReady(server, { socketPath, ask: 'PING\r\n', isReady: isPong }, stop);
  return { ...server, url: `unix://${socketPath}` };
}

/** It responds with `-LOADING` while it loads its data. */
function isPong(response: Buffer): boolean {
  return response.toString('latin1').startsWith('+PONG');
}

/** The binary decides by the name that it is called with whether it is the server. */
function serverName(program: string, home: string): string {
  if (basename(program).endsWith('-server')) return program;
  const link = join(home, 'redis-server');
  rmSync(link, { force: true });
  symlinkSync(program, link);
  return link;
}

function serverOptions(home: string, socketPath: string, options: RedisOptions): string[] {
  const { durable, maxMemoryMb = 512 } = options;
  const settings: Record<string, string> = {
    port: '0',
    unixsocket: socketPath,
    unixsocketperm: '700',
    dir: home,
    daemonize: 'no',
    save: '',
    appendonly: durable ? 'yes' : 'no',
    appendfsync: durable ? 'always' : 'no',
    maxmemory: `${maxMemoryMb}mb`,
    'maxmemory-policy': 'noeviction',
    loglevel: 'notice',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}
