import { type ChunkOutcome, emptyOutcome } from './chunk-outcome.js';
import type { IdentityChange } from './import-changes.js';
import type { IdentityKey } from './key-order.js';
import type { StoredIdentity } from './lock-identities.js';

/** What the rows of an upload say about one account. */
export interface Assertion extends IdentityKey {
  /** The owner according to the first row of the key; null if the account is to be removed. */
  first: string | null;
  /** The owner according to the last row. */
  email: string | null;
  /** Rows after the first. */
  repeats: number;
  /** How many of those name another owner than the row before them. */
  changes: number;
  /** The place of the last row in the upload: its line in a CSV file, its index in a JSON array. */
  place: number;
}

/**
 * Returns what the rows of an upload do to the rows that are stored at the same indexes, as if they were applied one
 * by one in the order of the file.
 */
export function importOutcome(
  assertions: readonly Assertion[],
  stored: readonly (StoredIdentity | undefined)[],
): ChunkOutcome {
  const outcome = emptyOutcome();
  assertions.forEach((assertion, at) => {
    addOutcome(outcome, assertion, stored[at], at);
  });
  return outcome;
}

function addOutcome(
  outcome: ChunkOutcome,
  assertion: Assertion,
  row: StoredIdentity | undefined,
  at: number,
): void {
  if (row?.assertedBy === 1) {
    outcome.counts.superseded += 1 + assertion.repeats;
    outcome.changes.push(changeOf(assertion, row.email, row.email, 'superseded'));
    return;
  }
  const owner = row?.email ?? null;
  count(outcome.counts, assertion, owner);
  const what = changeName(owner, assertion.email);
  if (what) outcome.changes.push(changeOf(assertion, owner, assertion.email, what));
  if (!row) outcome.inserts.push(assertion);
  else if (owner === assertion.first && assertion.changes === 0) outcome.unchanged.push(at);
  else if (owner === null) outcome.revivals.push(assertion);
  else outcome.moves.push(assertion);
}

const changeOf = (
  { integrationId, identity, place }: Assertion,
  before: string | null,
  after: string | null,
  outcome: IdentityChange['outcome'],
): IdentityChange => ({ integrationId, identity, before, after, outcome, place });

/** Returns the name of a change of the owner; null if the owner stays. */
function changeName(before: string | null, after: string | null): IdentityChange['outcome'] | null {
  if (before === after) return after === null ? 'not_found' : null;
  if (before === null) return 'created';
  return after === null ? 'removed' : 'updated';
}

/**
 * Counts the rows of a key. An upload either asserts owners or removes accounts, so `first` shows what all rows of
 * the key do.
 */
function count(
  counts: ChunkOutcome['counts'],
  { first, repeats, changes }: Assertion,
  owner: string | null,
): void {
  if (first === null) {
    counts[owner === null ? 'notFound' : 'removed'] += 1;
    counts.notFound += repeats;
    return;
  }
  counts[owner === null ? 'created' : owner === first ? 'unchanged' : 'updated'] += 1;
  counts.updated += changes;
  counts.unchanged += repeats - changes;
}
