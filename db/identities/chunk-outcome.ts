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
  /** Only applying a plan has conflicts. */
  conflicts: 0,
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

/** Returns the outcome of a chunk without rows. */
export const emptyOutcome = (): ChunkOutcome => ({
  counts: { ...NO_COUNTS },
  inserts: [],
  moves: [],
  revivals: [],
  unchanged: [],
  changes: [],
});

/** Decides what the rows of a chunk do to the rows that are stored at the same indexes. */
export type Decide<Row extends OwnedKey> = (
  rows: readonly Row[],
  stored: readonly (StoredIdentity | undefined)[],
) => ChunkOutcome;

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
  const outcome = emptyOutcome();
  const { counts } = outcome;
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

/** A recorded change that is to be reverted or applied. `email` is the owner that the account gets. */
export type RecordedRow = IdentityChange & OwnedKey;

/**
 * Returns what reverting changes does to the rows that are stored at the same indexes. An account gets its owner of before
 * if no later upload has asserted it since, and its owner is still the one that the change has set.
 *
 * @param stored compared with the acceptance number of the job that made the changes
 */
export function revertOutcome(
  rows: readonly RecordedRow[],
  stored: readonly (StoredIdentity | undefined)[],
): ChunkOutcome {
  const outcome = emptyOutcome();
  const { counts } = outcome;
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

/** Like {@link revertOutcome}, for a dry run: it also counts the restored accounts that lose their owner, which an approval depends on. */
export const plannedRevert: Decide<RecordedRow> = (rows, stored) => {
  const outcome = revertOutcome(rows, stored);
  outcome.counts.removed = outcome.moves.filter(({ email }) => email === null).length;
  return outcome;
};

/** How a plan is applied. */
interface PlanRules {
  /** The plan is that of a revert: an account that a later upload than the reverted one has asserted is a conflict. */
  isRevert: boolean;
  /** Write nothing of these rows if one of them has a conflict. */
  isAllOrNothing: boolean;
}

/**
 * Returns a function that decides what the changes of a plan do to the stored rows. An account whose owner is still the one of the plan gets the planned
 * one. If it has that already, it stays. Anything else is a conflict, as is an account that an upload accepted later has asserted.
 */
export const planOutcome =
  ({ isRevert, isAllOrNothing }: PlanRules): Decide<RecordedRow> =>
  (rows, stored) => {
    const outcome = emptyOutcome();
    for (const [at, row] of rows.entries()) {
      const present = stored[at];
      const owner = present?.email ?? null;
      const isFree = isRevert ? present?.assertedBy === 0 : present?.assertedBy !== 1;
      if (isFree && owner === row.before) addPlanned(outcome, row, present !== undefined);
      else if (owner !== row.after) addConflict(outcome, row, owner);
      else {
        outcome.counts.unchanged += 1;
        if (isFree && !isRevert) outcome.unchanged.push(at);
      }
    }
    return isAllOrNothing && outcome.counts.conflicts > 0 ? conflictsOf(outcome) : outcome;
  };

function addPlanned(outcome: ChunkOutcome, row: RecordedRow, isStored: boolean): void {
  const { integrationId, identity, before, after, place } = row;
  const what = before === null ? 'created' : after === null ? 'removed' : 'updated';
  outcome.counts[what] += 1;
  outcome.changes.push({ integrationId, identity, before, after, outcome: what, place });
  if (before !== null) outcome.moves.push(row);
  else if (isStored) outcome.revivals.push(row);
  else outcome.inserts.push(row);
}

function addConflict(outcome: ChunkOutcome, row: RecordedRow, owner: string | null): void {
  const { integrationId, identity, before, after, place } = row;
  outcome.counts.conflicts += 1;
  outcome.changes.push({ integrationId, identity, before, after, outcome: 'conflict', place, owner });
}

/** Returns what is left of an outcome if nothing is to be written. */
function conflictsOf({ counts: { conflicts }, changes }: ChunkOutcome): ChunkOutcome {
  const counts = { ...NO_COUNTS, conflicts };
  return { ...emptyOutcome(), counts, changes: changes.filter(({ outcome }) => outcome === 'conflict') };
}
