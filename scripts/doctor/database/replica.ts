import type { Database } from '../../../db/client/connect.js';
import { MAX_LAG_MS, readBeat, readTime } from '../../../db/client/replica.js';
import { type Finding, ok, warning } from '../finding.js';
import { addressOf } from './server.js';

/** Reports how far a read replica is behind. */
export async function findReplica(
  check: string,
  { primary, replica, url }: { primary: Database; replica: Database; url: string },
): Promise<Finding> {
  const beatAt = await readBeat(replica);
  if (!beatAt) {
    const advice =
      'Set DATABASE_READ_URL for the workers too: they write the time by which the lag is measured.';
    return warning(check, `${addressOf(url)}: its lag is unknown, so it is not used`, advice);
  }
  // Read after the replica's, so that the lag is never too small.
  const lagMs = (await readTime(primary)).getTime() - beatAt.getTime();
  const found = `${addressOf(url)}, ${(lagMs / 1_000).toFixed(1)} s behind`;
  if (lagMs <= MAX_LAG_MS) return ok(check, found);
  const advice = `Check its replication, and that a worker runs. Above ${MAX_LAG_MS / 1_000} s, lists and exports read from the primary.`;
  return warning(check, found, advice);
}
