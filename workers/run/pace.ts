import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** The renewal of a job's lock and the heartbeat share the event loop. A delay of 10 ms does not harm them. */
const HOLD_MS = 10;

/**
 * Returns a function to call between two pieces of work. Once 10 ms have passed, it returns a promise that resolves after the
 * event loop has run other work; before that it returns null, so that small pieces of work need not await anything.
 */
export function pacer(): () => Promise<void> | null {
  let since = performance.now();
  const pause = async () => {
    await yieldToOthers();
    since = performance.now();
  };
  return () => (performance.now() - since < HOLD_MS ? null : pause());
}
