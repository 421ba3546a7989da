import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { asRunning, type RunningProcess, recordIdentity } from './running.js';

export interface NodeChildOptions {
  /** The JavaScript file to run. */
  script: string;
  /** For Node itself. */
  nodeOptions?: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Gets the child's identity, so that a next start can wait for it to let go. */
  pidFile: string;
}

/**
 * Starts one of our own programs in this process group. Its standard input is a pipe that ends with this process;
 * `MUSTER_SUPERVISED` tells it to stop then.
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
