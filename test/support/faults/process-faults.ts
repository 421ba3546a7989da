import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Fleet, ServerName } from '../servers/fleet.js';
import { end } from '../servers/processes.js';
import { times } from './effort.js';

type Victim = 'api' | 'worker' | ServerName;

/** Which processes of a fleet end at the same moment, and how. */
export interface Kill {
  name: string;
  victims: readonly Victim[];
  signal: 'SIGKILL' | 'SIGTERM';
  /** When Redis writes its log to the disk. */
  appendfsync: 'always' | 'everysec';
}

const EVERYTHING: readonly Victim[] = ['api', 'worker', 'redis', 'mariadb'];
const TARGETS: readonly [name: string, victims: readonly Victim[], appendfsync?: Kill['appendfsync']][] = [
  ['the API', ['api']],
  ['the worker', ['worker']],
  ['Redis', ['redis']],
  ['Redis (everysec)', ['redis'], 'everysec'],
  ['MariaDB', ['mariadb']],
  ['all processes', EVERYTHING],
];

/** All kinds of kills: each target by each signal. */
export const KILLS: readonly Kill[] = (['SIGKILL', 'SIGTERM'] as const).flatMap((signal) =>
  TARGETS.map(([target, victims, appendfsync = 'always']) => ({
    name: `${signal} of ${target}`,
    victims,
    signal,
    appendfsync,
  })),
);

/** A server that does not respond for a while, although its connections stay open. */
export interface Freeze {
  name: string;
  server: ServerName;
  seconds: number;
}

/** All kinds of freezes. The longest is longer than the lock of a job, and than every time limit of a request. */
export const FREEZES: readonly Freeze[] = (['redis', 'mariadb'] as const).flatMap((server) =>
  [3, 10, 40].map((seconds) => ({
    name: `SIGSTOP of ${server === 'redis' ? 'Redis' : 'MariaDB'} for ${seconds} s`,
    server,
    seconds,
  })),
);

/** Returns how often a test provokes a freeze. 20 times 40 s would double the time of the long form: 5 times, one for each kind of job. */
export const timesFrozen = ({ seconds }: Freeze): number => (seconds < 40 ? times(1) : 5);

/** Freezes a server. Does `meanwhile` while it is frozen, which by default is nothing. */
export async function freeze(
  fleet: Fleet,
  { server, seconds }: Freeze,
  meanwhile = () => sleep(seconds * 1_000),
): Promise<void> {
  const { pid } = fleet.servers[server];
  process.kill(pid, 'SIGSTOP');
  try {
    await meanwhile();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Returns whether Redis may lose what it acknowledged just before. */
export const mayLose = ({ victims, signal, appendfsync }: Kill): boolean =>
  victims.includes('redis') && signal === 'SIGKILL' && appendfsync === 'everysec';

/**
 * Ends the victims at the same moment, and starts those of them that are servers again.
 * @throws Error if a process of Muster does not shut down within its grace period after SIGTERM: it exits with 1 then. If its servers end at
 * the same moment, it may be unable to end its work, so 1 is all right, but it must exit by itself
 */
export async function strike(fleet: Fleet, { victims, signal, appendfsync }: Kill): Promise<void> {
  const servers = (['redis', 'mariadb'] as const).filter((name) => victims.includes(name));
  const processes = [
    ...(victims.includes('api') ? fleet.apis.map(({ child }) => child) : []),
    ...(victims.includes('worker') ? fleet.workers : []),
  ];
  await Promise.all([
    ...processes.map((child) => end(child, signal)),
    ...servers.map((name) => fleet.endServer(name, signal)),
  ]);
  const isShutDown = (exitCode: number | null) => exitCode === 0 || (servers.length > 0 && exitCode === 1);
  const failed = processes.find(({ exitCode }) => signal === 'SIGTERM' && !isShutDown(exitCode));
  if (failed) throw new Error(`a process exited with ${failed.exitCode ?? failed.signalCode} after SIGTERM`);
  await Promise.all(servers.map((name) => fleet.startServer(name)));
  if (servers.includes('redis')) await setAppendfsync(fleet, appendfsync);
}

/** Starts the processes of Muster that `strike` ended. */
export async function startAgain(fleet: Fleet, { victims }: Kill): Promise<void> {
  if (victims.includes('worker')) {
    for (const index of fleet.workers.keys()) fleet.workers[index] = fleet.startWorker();
  }
  if (!victims.includes('api')) return;
  for (const [index, { port }] of fleet.apis.entries()) fleet.apis[index] = await fleet.startApi(port);
}

/** A restarted Redis is back at `always`. */
export async function setAppendfsync(fleet: Fleet, value: Kill['appendfsync']): Promise<void> {
  const redis = new Redis(fleet.servers.redis.url.slice('unix://'.length));
  try {
    await redis.config('SET', 'appendfsync', value);
  } finally {
    redis.disconnect();
  }
}
