import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify } from './identity.js';

/** How a process ended: an exit code, or the signal that killed it. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that was started. */
export interface RunningProcess {
  pid: number;
  /** Receives its output. */
  logFile: string;
  exited: Promise<Exit>;
  /** Sends SIGTERM, then SIGKILL after `graceMs`. Resolves when it has exited; may be called again. */
  stop(graceMs: number): Promise<Exit>;
}

/** Wraps a child process. A program that cannot be started exits with 127. */
export function asRunning(child: ChildProcess, logFile: string): RunningProcess {
  // Writing to a child that just exited is not an error.
  child.stdin?.on('error', () => undefined);
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return { pid: child.pid ?? 0, logFile, exited, stop: (graceMs) => stop(child, exited, graceMs) };
}

/**
 * Writes a process's identity to a file for the next start, and stops the process if that fails.
 * @throws Error if the file cannot be written, for example because the disk is full
 */
export function recordIdentity(running: RunningProcess, file: string): void {
  try {
    writeFileSync(file, identify(running.pid), { mode: 0o600 });
  } catch (error) {
    void running.stop(0);
    throw error;
  }
}

async function stop(child: ChildProcess, exited: Promise<Exit>, graceMs: number): Promise<Exit> {
  child.kill('SIGTERM');
  const ended = new AbortController();
  const killing = sleep(graceMs, undefined, { signal: ended.signal }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  const exit = await exited;
  ended.abort();
  await killing;
  return exit;
}

/** `exit code 1` or `SIGKILL`. */
export function describeExit({ code, signal }: Exit): string {
  return signal ?? `exit code ${code}`;
}
