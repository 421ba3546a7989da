import type { Database } from '../../../db/client/connect.js';
import { readNow } from '../../../db/client/now.js';
import { readBeat } from '../../../db/client/replica/replica.js';
import { readPosition } from '../../../db/client/replica/replica-position.js';
import { type Finding, ok, warning } from '../finding.js';
import { addressOf } from './server.js';

/** A lag that is reported if lists and exports must have everything. */
const LONG_MS = 5_000;
const NO_POSITION =
  'Turn on GTIDs (log_bin in MariaDB, gtid_mode=ON in MySQL), or set DATABASE_READ_MAX_LAG_S if lists and exports may be older.';

/** Reports how far a read replica is behind. */
export async function findReplica(
  check: string,
  {
    primary,
    replica,
    url,
    maxLagMs,
  }: { primary: Database; replica: Database; url: string; maxLagMs: number },
): Promise<Finding> {
  if (maxLagMs === 0 && (await readPosition(primary)) === null)
    return warning(check, `${addressOf(url)}: not used, because the database records no GTIDs`, NO_POSITION);
  const beatAt = await readBeat(replica);
  if (!beatAt) {
    const advice =
      'Set DATABASE_READ_URL for the workers too: they write the time by which the lag is measured.';
    return warning(check, `${addressOf(url)}: its lag is unknown, so it is not used`, advice);
  }
  // Read after the replica's, so that the lag is never too small.
  const lagMs = (await readNow(primary)).getTime() - beatAt.getTime();
  const found = `${addressOf(url)}, ${(lagMs / 1_000).toFixed(1)} s behind`;
  if (lagMs <= (maxLagMs || LONG_MS)) return ok(check, found);
  const advice =
    'Check its replication, and that a worker runs. Until then, lists and exports read from the primary.';
  return warning(check, found, advice);
}
