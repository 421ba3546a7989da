import { type ChildProcess, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { closeSync, openSync } from 'node:fs';
import { asRunning, type RunningProcess, recordIdentity } from './running.js';

export interface NodeChildOptions {
  /** The JavaScript file to run. */
  script: string;
  /** Options of Node itself. */
  nodeOptions?: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Receives the child's identity, so that the next start can wait until it has exited. */
  pidFile: string;
  /** Whether it shares the ports that it listens on with the other children that do. Default false. */
  sharesPorts?: boolean;
}

/**
 * Starts one of Muster's programs in this process group. Its standard input is a pipe that closes when this process exits;
 * because of `MUSTER_SUPERVISED` the program stops then.
 */
export function spawnNodeChild({ sharesPorts = false, ...options }: NodeChildOptions): RunningProcess {
  const { logFile, pidFile } = options;
  const log = openSync(logFile, 'a', 0o600);
  const child = (sharesPorts ? forkSharing : spawnAlone)(options, log);
  closeSync(log);
  const running = asRunning(child, logFile);
  recordIdentity(running, pidFile);
  return running;
}

const argumentsOf = (nodeOptions: readonly string[]): string[] => ['--enable-source-maps', ...nodeOptions];

const supervised = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, MUSTER_SUPERVISED: '1' });

function spawnAlone({ script, nodeOptions = [], env }: NodeChildOptions, log: number): ChildProcess {
  return spawn(process.execPath, [...argumentsOf(nodeOptions), script], {
    env: supervised(env),
    stdio: ['pipe', log, log],
  });
}

/**
 * The children accept from one listening socket, so that a connection goes to a child that has time for it, and a killed child takes only its
 * own connections with it. When Node hands out connections in turn instead (SCHED_RR), the one on its way to a killed child hangs for ever.
 * SO_REUSEPORT needs Node 22.12 and does not exist on macOS. If this process is killed, the children exit at once.
 */
function forkSharing({ script, nodeOptions = [], env }: NodeChildOptions, log: number): ChildProcess {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: script,
    args: [],
    execArgv: argumentsOf(nodeOptions),
    stdio: ['pipe', log, log, 'ipc'],
  });
  return cluster.fork(supervised(env)).process;
}
