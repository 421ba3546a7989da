import type { IdentityChange } from './import-changes.js';
import type { IdentityKey } from './key-order.js';
import type { StoredIdentity } from './lock-identities.js';

/** What a write did, counted row by row, as if the rows had been applied one after another. */
export type ChunkCounts = Record<keyof typeof NO_COUNTS, number>;

export const NO_COUNTS = {
  created: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  notFound: 0,
  superseded: 0,
  /** Only a revert restores and skips. */
  restored: 0,
  skipped: 0,
};

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
