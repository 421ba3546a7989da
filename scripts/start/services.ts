import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { LogStyle } from '../logs/complaint.js';
import { lastComplaint } from '../logs/tail.js';
import { privateServerLauncher, stopGraceMs } from '../private-servers/index.js';
import type { RunningMariadb } from '../private-servers/mariadb.js';
import type { RunningRedis } from '../private-servers/redis.js';
import { spawnNodeChild } from '../processes/node-child.js';
import { nodeOptions } from '../processes/node-options.js';
import type { RunningProcess } from '../processes/running.js';
import type { OutsideCause, Service } from '../processes/supervisor.js';
import { blamesFullDisk, fullDisk } from './disk-space.js';
import type { ProgramProcess } from './processes.js';

/** Returns the log format of a service. Its name is also the name of its log file. */
export const logStyleOf = (name: string): LogStyle =>
  name === 'mariadb' || name === 'redis' ? name : 'pino';

/** Muster's own programs finish their current work: the last chunk of an upload, a batch of events. */
const programGraceMs = 20_000;

/** Returns the two private servers of a data directory, durable, as services. */
export function privateServices(
  dir: string,
  options: { bufferPoolMb: number; maxConnections: number },
): {
  mariadb: Service<RunningMariadb>;
  redis: Service<RunningRedis>;
} {
  const launch = privateServerLauncher({ dir, durable: true, ...options });
  return {
    mariadb: service('mariadb', dir, stopGraceMs, launch.mariadb),
    redis: service('redis', dir, stopGraceMs, launch.redis),
  };
}

/** Node restarts the program when a module that it has loaded changes. */
const watching = ['--watch', '--watch-preserve-output'];

export interface ProgramOptions {
  script: string;
  env: NodeJS.ProcessEnv;
  /** Whether Node restarts it when its code changes. */
  watch: boolean;
  /** Whether it shares its port with other processes of its program. */
  sharesPorts: boolean;
}

/** Returns a process of the built API or worker as a service. */
export function programService(
  { program, name }: ProgramProcess,
  dir: string,
  { watch, ...options }: ProgramOptions,
): Service {
  // The API first responds for that long without being ready. The environment has been checked.
  const drainMs = program === 'api' ? Number(options.env.DRAIN_S || 0) * 1_000 : 0;
  return service(name, dir, programGraceMs + drainMs, async () =>
    spawnNodeChild({
      ...options,
      nodeOptions: watch ? [...nodeOptions[program], ...watching] : nodeOptions[program],
      logFile: logFileOf(dir, name),
      pidFile: pidFileOf(dir, name),
    }),
  );
}

function service<Running extends RunningProcess>(
  name: string,
  dir: string,
  graceMs: number,
  launch: (stop: AbortSignal) => Promise<Running>,
): Service<Running> {
  let logStart = 0;
  return {
    name,
    graceMs,
    start: (stop) => {
      logStart = statSync(logFileOf(dir, name), { throwIfNoEntry: false })?.size ?? 0;
      return launch(stop);
    },
    lastWords: ({ logFile }) => lastComplaint(logFile, logStyleOf(name), logStart),
    outsideCause: (reason) => diskCause(dir, reason),
  };
}

/**
 * Returns the cause if the disk of the data directory is or was full. Redis, for example, exits when it cannot write what it is
 * about to acknowledge, and its log may not say so, because it is on the same disk.
 */
function diskCause(dir: string, reason: string): OutsideCause | null {
  const full = fullDisk(dir);
  if (full === '' && !blamesFullDisk(reason)) return null;
  return { why: full || 'the disk was full, and has space again', lasts: () => fullDisk(dir) !== '' };
}

/** `DATA_DIR/logs/NAME.log` */
export function logFileOf(dir: string, name: string): string {
  return join(dir, 'logs', `${name}.log`);
}

/** Returns the file that identifies the process of a program, for the next start. */
export function pidFileOf(dir: string, name: string): string {
  return join(dir, 'run', `${name}.pid`);
}
