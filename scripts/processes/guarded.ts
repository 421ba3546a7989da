import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { asRunning, type RunningProcess, recordIdentity } from './running.js';

export interface GuardedOptions {
  /** Output and errors are appended here, so that the process never depends on a reader. */
  logFile: string;
  /** Receives the process's identity, so that the next start can wait until it has exited. */
  pidFile: string;
  /** The signal that it receives when this process exits without stopping it. Default `TERM`. */
  orphanSignal?: 'TERM' | 'KILL';
  /** A folder with temporary data, removed once the orphan has exited. */
  removeOrphaned?: string;
}

/**
 * A pipe from this process closes when this process exits, for whatever reason. A subshell waits for that and then signals the
 * program. The program replaces the outer shell, so its process id and exit are seen directly. A line through the pipe means that
 * the program has exited already and that its id may belong to another process by now.
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
 * Starts a program that cannot outlive this process, in a separate session, because Ctrl-C must not reach a server before the
 * programs that use it.
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
