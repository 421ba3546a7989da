import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '../children.js';

const REST_MS = 3_000;
/** CPU seconds in such a rest. More than that is work. */
const IDLE = 0.1;
/** A server that is never idle has other clients. */
const MOST_RESTS = 40;

/**
 * Rests until the server is idle: until it has purged what the previous run replaced or deleted. After LOAD DATA … REPLACE that takes it
 * 5.8 µs of CPU per row, which would be charged to the next run.
 * @throws Error if it is still busy after two minutes
 */
export async function rest(pid: number): Promise<void> {
  for (let rests = 0; rests < MOST_RESTS; rests++) {
    const before = cpuSeconds(pid);
    await sleep(REST_MS);
    if (cpuSeconds(pid) - before < IDLE) return;
  }
  throw new Error(
    `MariaDB (process ${pid}) is still busy after ${(MOST_RESTS * REST_MS) / 60_000} minutes of rest`,
  );
}
