import { type ChunkOutcome, NO_COUNTS } from './chunk-outcome.js';
import type { IdentityKey } from './key-order.js';
import type { StoredIdentity } from './lock-identities.js';

/** An account that a mirrored file does not name. */
export interface UnnamedKey extends IdentityKey {
  email: null;
}

/**
 * Returns what happens to accounts that a mirrored file does not name: they lose their owner, unless a later upload has
 * asserted them. Only removals are counted, because the others are no rows of the file.
 */
export function mirrorOutcome(
  keys: readonly UnnamedKey[],
  stored: readonly (StoredIdentity | undefined)[],
): ChunkOutcome {
  const counts = { ...NO_COUNTS };
  const outcome: ChunkOutcome = { counts, inserts: [], moves: [], revivals: [], unchanged: [], changes: [] };
  for (const [at, key] of keys.entries()) {
    const row = stored[at];
    // Its mark already supersedes earlier uploads, so a removed account needs no new number.
    if (!row || row.assertedBy === 1 || row.email === null) continue;
    const { integrationId, identity } = key;
    counts.removed += 1;
    outcome.moves.push(key);
    outcome.changes.push({
      integrationId,
      identity,
      before: row.email,
      after: null,
      outcome: 'removed',
      place: null,
    });
  }
  return outcome;
}
