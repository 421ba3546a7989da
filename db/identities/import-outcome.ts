import { type ChunkCounts, NO_COUNTS } from './import-chunks.js';
import type { IdentityKey } from './key-order.js';
import type { StoredIdentity } from './lock-identities.js';

/** What the rows of an upload say of one account. */
export interface Assertion extends IdentityKey {
  /** Who owns it by the first row that says so; null: it is to be removed. */
  first: string | null;
  /** Who owns it by the last row. */
  email: string | null;
  /** Rows beyond the first. */
  repeats: number;
  /** How many of those name another owner than the row before them. */
  changes: number;
}

/** What there is to write, and what is counted. */
export interface Decision {
  counts: ChunkCounts;
  /** Keys that are not there. */
  inserts: Assertion[];
  /** Another owner than before, or none any more. */
  moves: Assertion[];
  /** Removed ones that come back, as new. */
  revivals: Assertion[];
  /** Places of those whose owner stays: only the number of the upload is lifted. */
  unchanged: number[];
}

/** Applies the rows of an upload to what is stored at the same places, as if one by one in the order of the file. */
export function decide(
  assertions: readonly Assertion[],
  stored: readonly (StoredIdentity | undefined)[],
): Decision {
  const decision: Decision = {
    counts: { ...NO_COUNTS },
    inserts: [],
    moves: [],
    revivals: [],
    unchanged: [],
  };
  for (let at = 0; at < assertions.length; at++) {
    decideOne(decision, assertions[at] as Assertion, stored[at], at);
  }
  return decision;
}

function decideOne(
  decision: Decision,
  assertion: Assertion,
  row: StoredIdentity | undefined,
  at: number,
): void {
  if (row?.assertedBy === 1) {
    decision.counts.superseded += 1 + assertion.repeats;
    return;
  }
  const owner = row?.email ?? null;
  count(decision.counts, assertion, owner);
  if (!row) decision.inserts.push(assertion);
  else if (owner === assertion.first && assertion.changes === 0) decision.unchanged.push(at);
  else if (owner === null) decision.revivals.push(assertion);
  else decision.moves.push(assertion);
}

/** An upload either asserts owners or removes, so `first` tells what all rows of the key do. */
function count(counts: ChunkCounts, { first, repeats, changes }: Assertion, owner: string | null): void {
  if (first === null) {
    counts[owner === null ? 'notFound' : 'removed'] += 1;
    counts.notFound += repeats;
    return;
  }
  counts[owner === null ? 'created' : owner === first ? 'unchanged' : 'updated'] += 1;
  counts.updated += changes;
  counts.unchanged += repeats - changes;
}
