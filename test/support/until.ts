import { setTimeout as sleep } from 'node:timers/promises';
import { identify, livingPid } from '../../scripts/processes/identity.js';

/** Far above what it takes: the machine may have two cores, and Chromium and another test file on them. */
const PATIENCE_MS = 30_000;

/**
 * Asks again and again until the answer is true.
 * @throws Error naming what was waited for, after `timeoutMs`
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

/** Whether a process of that id runs. One that has ended and waits to be noticed by its parent does not. */
export function isAlive(pid: number): boolean {
  return livingPid(identify(pid)) !== undefined;
}
