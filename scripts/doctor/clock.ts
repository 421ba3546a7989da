import { APART_MS } from '../../workers/clocks/compare-clocks.js';
import { type Finding, failure, ok, warning } from './finding.js';

/** Above this, expiry times and the order of events become wrong. In milliseconds. */
const TOLERATED_MS = 2_000;

/** Returns this host's time. Tests shift it. */
export type Clock = () => number;

/**
 * Compares the clock of a server with that of this host. The time that the question took does not count.
 * @param ask returns the server's time in milliseconds
 */
export async function compareClocks(
  check: string,
  clock: Clock,
  ask: () => Promise<number>,
): Promise<Finding> {
  const askedAt = clock();
  const theirs = await ask();
  const receivedAt = clock();
  const early = askedAt - theirs;
  const late = theirs - receivedAt;
  const difference = Math.max(early, late, 0);
  if (difference <= TOLERATED_MS)
    return ok(check, `differs from this host's by less than ${TOLERATED_MS / 1_000} s`);
  const direction = early > 0 ? 'behind' : 'ahead of';
  return (difference > APART_MS ? failure : warning)(
    check,
    `${(difference / 1_000).toFixed(1)} s ${direction} this host's`,
    difference > APART_MS
      ? 'Synchronize the clocks of all hosts with NTP. Until then upkeep removes nothing, and workers on hosts with a wrong clock take no jobs.'
      : 'Synchronize the clocks of all hosts with NTP: signatures and the order of events compare them.',
  );
}
