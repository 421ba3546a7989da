import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSilent } from '../errors.js';
import type { DatabaseProbe } from '../probe.js';

/** Most lookups are done by then and cost no second statement. */
const FIRST_AFTER_MS = 150;
const THEN_EVERY_MS = 500;

/**
 * Waits for work that may take longer than other statements, as long as the database responds to the probe. Without the
 * probe, a frozen database would look like slow work until that work's own deadline.
 * @throws DatabaseSilent if the database does not respond to the probe
 */
export async function whileAlive<T>(probe: DatabaseProbe, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  return Promise.race([work, silence(probe, done.signal)]).finally(() => done.abort());
}

/** Never resolves. Rejects when the database does not respond to the probe, or when the signal fires. */
async function silence(probe: DatabaseProbe, signal: AbortSignal): Promise<never> {
  let pauseMs = FIRST_AFTER_MS;
  for (;;) {
    await sleep(pauseMs, undefined, { signal });
    await probe.check().catch((cause) => {
      throw new DatabaseSilent('the database does not respond', { cause });
    });
    pauseMs = THEN_EVERY_MS;
  }
}
