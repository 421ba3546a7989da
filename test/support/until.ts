import { setTimeout as sleep } from 'node:timers/promises';
import { identify, livingPid } from '../../scripts/processes/identity.js';

/** Far above the usual time, because the machine may run Chromium and another test file on two cores. */
const PATIENCE_MS = 30_000;

/**
 * Polls a condition until it is true.
 * @throws Error that names the condition, after `timeoutMs`
 */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1_000} s in vain: ${what}`);
    await sleep(20);
  }
}

/** Returns whether a process with that id runs. A zombie process does not count. */
export function isAlive(pid: number): boolean {
  return livingPid(identify(pid)) !== undefined;
}
