import { type ChunkOutcome, NO_COUNTS, type OwnedKey } from './chunk-outcome.js';
import type { IdentityChange } from './import-changes.js';
import type { StoredIdentity } from './lock-identities.js';

/** A change to be reverted. `email` is the owner of before. */
export type RevertRow = IdentityChange & OwnedKey;

/**
 * Returns what reverting changes does to the rows that are stored at the same indexes. An account gets its owner of before
 * if no later upload has asserted it since, and its owner is still the one that the change has set.
 *
 * @param stored compared with the acceptance number of the job that made the changes
 */
export function revertOutcome(
  rows: readonly RevertRow[],
  stored: readonly (StoredIdentity | undefined)[],
): ChunkOutcome {
  const counts = { ...NO_COUNTS };
  const outcome: ChunkOutcome = { counts, inserts: [], moves: [], revivals: [], unchanged: [], changes: [] };
  for (const [at, row] of rows.entries()) {
    const { integrationId, identity, place } = row;
    const owner = stored[at]?.email ?? null;
    const isLast = stored[at]?.assertedBy === 0 && owner === row.after;
    const result = isLast ? 'restored' : 'skipped';
    const after = isLast ? row.before : owner;
    counts[result] += 1;
    outcome.changes.push({ integrationId, identity, before: owner, after, outcome: result, place });
    if (isLast) outcome[owner === null ? 'revivals' : 'moves'].push(row);
  }
  return outcome;
}
