import { setTimeout as sleep } from 'node:timers/promises';
import { identify, livingPid } from '../../scripts/processes/identity.js';

/** Far above the usual time, because the machine may run Chromium and another test file on two cores. */
const PATIENCE_MS = 60_000;

/** Each check takes CPU time, also of the server, so what takes long is checked less often. */
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;
const pauseAfter = (waitedMs: number): number =>
  Math.min(Math.max(SHORTEST_PAUSE_MS, waitedMs / 10), LONGEST_PAUSE_MS);

/**
 * Polls a condition until it is true.
 * @throws Error that names the condition, after `timeoutMs`
 */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  const start = Date.now();
  while (!(await isTrue())) {
    const waitedMs = Date.now() - start;
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs / 1_000} s in vain: ${what}`);
    await sleep(pauseAfter(waitedMs));
  }
}

/**
 * Checks for a time that a condition stays true, for what must not happen.
 * @throws Error that names the condition, as soon as it is false
 */
export async function staysTrue(
  what: string,
  ms: number,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const start = Date.now();
  do {
    if (!(await isTrue())) throw new Error(`after ${Date.now() - start} ms no longer true: ${what}`);
    await sleep(Math.min(20, ms));
  } while (Date.now() - start < ms);
}

/** Returns whether a process with that id runs. A zombie process does not count. */
export function isAlive(pid: number): boolean {
  return livingPid(identify(pid)) !== undefined;
}
