import { setImmediate as nextTurn } from 'node:timers/promises';

/** BullMQ renews a job's lock, and a worker beats, from the same event loop; neither minds 10 ms. */
const HOLD_MS = 10;

/**
 * @returns a function to await between two pieces of work: it gives the event loop a turn once 10 ms have passed; null
 *   when there is nothing to wait for, so that small pieces need not
 */
export function pacer(): () => Promise<void> | null {
  let since = performance.now();
  const turn = async () => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since < HOLD_MS ? null : turn());
}
