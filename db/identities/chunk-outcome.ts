import type { IdentityChange } from './import-changes.js';
import type { ChunkCounts } from './import-chunks.js';
import type { IdentityKey } from './key-order.js';
import type { StoredIdentity } from './lock-identities.js';

/** An account and its new owner; null if it is to have none. */
export interface OwnedKey extends IdentityKey {
  email: string | null;
}

/** What a chunk does to the stored rows. */
export interface ChunkOutcome {
  counts: ChunkCounts;
  /** Accounts that are not stored yet. */
  inserts: OwnedKey[];
  /** Accounts that get another owner, or none. */
  moves: OwnedKey[];
  /** Removed accounts that come back, as new ones. */
  revivals: OwnedKey[];
  /** Indexes of accounts whose owner stays. Only the number of the upload that asserted them changes. */
  unchanged: number[];
  /** What happened to the accounts, in their order, without those whose owner stays. */
  changes: IdentityChange[];
}

/** Decides what the rows of a chunk do to the rows that are stored at the same indexes. */
export type Decide<Row extends OwnedKey> = (
  rows: readonly Row[],
  stored: readonly (StoredIdentity | undefined)[],
) => ChunkOutcome;
