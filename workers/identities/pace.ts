import { setImmediate as nextTurn } from 'node:timers/promises';

/** BullMQ renews a job's lock, and a worker beats, from the same event loop; neither minds 10 ms. */
const HOLD_MS = 10;

/** @returns a function to await between two pieces of work: it gives the event loop a turn once 10 ms have passed */
export function pacer(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HOLD_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
