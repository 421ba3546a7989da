import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long to wait before the next try, in milliseconds: 1, 2, 4, 8 s and so on up to `mostMs`, and never less than
 * the service asked for.
 * @param failures how many tries have failed in a row, from 1
 */
export function pauseMs(failures: number, retryAfterMs: number, mostMs: number): number {
  return Math.max(retryAfterMs, Math.min(mostMs, 1_000 * 2 ** Math.min(failures - 1, 20)));
}

/** Waits; throws at once when `stop` is aborted. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  // Node's timers count to 2^31 ms only.
  await sleep(Math.min(ms, 2_000_000_000), undefined, { signal: stop });
}
