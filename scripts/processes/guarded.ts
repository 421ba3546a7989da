import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { asRunning, type RunningProcess, recordIdentity } from './running.js';

export interface GuardedOptions {
  /** Output and errors are appended here: the process never waits for, or breaks with, its reader. */
  logFile: string;
  /** Gets the process's identity, so that a next start can wait for it to let go. */
  pidFile: string;
  /** What it gets when this process dies without stopping it. Default `TERM`. */
  orphanSignal?: 'TERM' | 'KILL';
  /** Removed once the orphan is gone: throw-away data. */
  removeOrphaned?: string;
}

/**
 * A pipe from this process closes when this process dies, however it dies. A subshell waits for that and then
 * ends the program. The program itself replaces the outer shell, so its process id and exit are seen directly.
 * A line through the pipe means that it is gone already and that its id may be somebody else's by now.
 */
const guardian = `
signal=$1 folder=$2; shift 2
exec 3<&0 </dev/null
( trap '' HUP INT
  read -r line <&3 && exit
  kill -"$signal" $$
  [ -n "$folder" ] || exit
  while kill -0 $$; do sleep 0.1; done
  rm -rf "$folder"
) >/dev/null 2>&1 &
exec 3<&-
exec "$@"`;

/**
 * Starts a program that cannot outlive this process, in a session of its own: a Ctrl-C must reach a server only
 * after those who use it.
 * @param command the program's absolute path, and its arguments
 */
export function spawnGuarded(command: readonly string[], options: GuardedOptions): RunningProcess {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn('sh', shellArguments(command, options), { detached: true, stdio: ['pipe', log, log] });
  closeSync(log);
  child.once('exit', () => child.stdin?.end('gone\n'));
  const running = asRunning(child, options.logFile);
  recordIdentity(running, options.pidFile);
  return running;
}

function shellArguments(command: readonly string[], options: GuardedOptions): string[] {
  const { orphanSignal = 'TERM', removeOrphaned = '' } = options;
  return ['-c', guardian, 'muster-guardian', orphanSignal, removeOrphaned, ...command];
}
