import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns the backoff before the next attempt, in milliseconds: 1, 2, 4, 8 s and so on up to `maxMs`, and never less than the
 * service asked for.
 * @param failures attempts that failed in a row, from 1
 */
export function pauseMs(failures: number, retryAfterMs: number, maxMs: number): number {
  return Math.max(retryAfterMs, Math.min(maxMs, 1_000 * 2 ** Math.min(failures - 1, 20)));
}

/** Waits. Throws immediately when `stop` is aborted. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  // Node's timers are limited to 2^31 ms.
  await sleep(Math.min(ms, 2_000_000_000), undefined, { signal: stop });
}
