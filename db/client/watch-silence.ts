import type { Database } from './connect.js';
import { DatabaseSilent } from './errors.js';

/** How long a SELECT may send nothing before the server is probed. */
const SILENT_MS = 10_000;
const PROBE_WITHIN_MS = 2_000;
/** Longer than any sort takes. After this time the connection is dead, even if the server is alive. */
const MAX_SILENT_MS = 10 * 60_000;

/**
 * Watches a SELECT that streams rows. A frozen or disconnected server sends nothing and closes nothing, so the stream would
 * wait forever. A server that sorts millions of rows sends nothing either, but it responds to a probe.
 * @param isWaiting returns whether the reader is waiting for rows; silence only matters then
 * @param fail called once, with `DatabaseSilent`
 * @returns `heard`, to call for each row, and `stop`, to call at the end
 */
export function watchSilence(
  database: Database,
  isWaiting: () => boolean,
  fail: (error: Error) => void,
  silentMs = SILENT_MS,
): { heard: () => void; stop: () => void } {
  let silentSince = performance.now();
  // Rows set a flag, because reading the clock for each of them takes longer than the rest of this call.
  let hasHeard = false;
  const heard = (): void => {
    hasHeard = true;
  };
  let isProbing = false;
  const timer = setInterval(async () => {
    if (isProbing) return;
    if (hasHeard || !isWaiting()) silentSince = performance.now();
    hasHeard = false;
    const silence = performance.now() - silentSince;
    if (silence < silentMs) return;
    isProbing = true;
    const isAlive = silence < MAX_SILENT_MS && (await responds(database));
    isProbing = false;
    // Rows that arrived during the probe are a response too.
    if (!isAlive && !hasHeard) fail(new DatabaseSilent('the database stopped sending rows'));
  }, silentMs / 4);
  return { heard, stop: () => clearInterval(timer) };
}

const responds = (database: Database): Promise<boolean> =>
  database
    .raw('SELECT 1')
    .timeout(PROBE_WITHIN_MS)
    .then(
      () => true,
      () => false,
    );
