import { spawn } from 'node:child_process';
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
}

/**
 * Starts one of Muster's programs in this process group. Its standard input is a pipe that closes when this process exits;
 * because of `MUSTER_SUPERVISED` the program stops then.
 */
export function spawnNodeChild({ nodeOptions = [], ...options }: NodeChildOptions): RunningProcess {
  const { script, env, logFile, pidFile } = options;
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, ['--enable-source-maps', ...nodeOptions, script], {
    env: { ...env, MUSTER_SUPERVISED: '1' },
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  const running = asRunning(child, logFile);
  recordIdentity(running, pidFile);
  return running;
}
