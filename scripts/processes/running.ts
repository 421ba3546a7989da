import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a process ended: an exit code, or the signal that killed it. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that was started and not yet waited for. */
export interface RunningProcess {
  pid: number;
  /** What it says goes here. */
  logFile: string;
  exited: Promise<Exit>;
  /** SIGTERM, then SIGKILL after `graceMs`. Resolves when it is gone; may be called again. */
  stop(graceMs: number): Promise<Exit>;
}

/** Gives a child the face of a running process. A program that cannot be started ends with 127. */
export function asRunning(child: ChildProcess, logFile: string): RunningProcess {
  // Writing to a child that just died is no fault of ours.
  child.stdin?.on('error', () => undefined);
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return { pid: child.pid ?? 0, logFile, exited, stop: (graceMs) => stop(child, exited, graceMs) };
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
