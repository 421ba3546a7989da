import type { Budget } from '../values/budget.js';

/** A key without case and signs: `k8s_cluster`, `K8s.Cluster` and `k8sCluster` are alike. */
export const fold = (key: string): string => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Returns whether a key is the wanted one without case and signs. A much longer key is not: folding it would take long.
 * @throws BudgetSpent
 */
export function foldsTo(key: string, folded: string, budget: Budget): boolean {
  if (key.length > 2 * folded.length + 20) return false;
  budget.step(Math.floor(key.length / FOLDED_PER_STEP));
  return fold(key) === folded;
}

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/** Names longer than this are not compared letter by letter. */
const LONGEST_COMPARED = 60;

/** What is done in the time of one step: characters folded, and pairs of letters compared. */
const FOLDED_PER_STEP = 20;
const COMPARED_PER_STEP = 50;

/**
 * Returns the key that differs only in case, signs or plural, or else in at most a third of its letters; or null.
 * @throws BudgetSpent
 */
export function mostAlike(wanted: string, keys: readonly string[], budget: Budget): string | null {
  const target = fold(wanted);
  let best: string | null = null;
  let least = Math.max(1, Math.floor(target.length / 3)) + 1;
  for (const key of keys) {
    budget.step();
    if (key === wanted || Math.abs(key.length - wanted.length) >= least + 2) continue;
    budget.step(Math.floor(key.length / FOLDED_PER_STEP));
    const folded = fold(key);
    const distance = singular(folded) === singular(target) ? 0 : distanceBelow(least, target, folded, budget);
    if (distance < least) [best, least] = [key, distance];
  }
  return best;
}

/** The edit distance, unless the lengths alone tell that it is not below the limit. */
function distanceBelow(limit: number, a: string, b: string, budget: Budget): number {
  const tooLong = a.length > LONGEST_COMPARED || b.length > LONGEST_COMPARED;
  if (tooLong || Math.abs(a.length - b.length) >= limit) return Number.POSITIVE_INFINITY;
  budget.step(Math.ceil((a.length * b.length) / COMPARED_PER_STEP));
  return editDistance(a, b);
}

const newRow = () => new Uint8Array(LONGEST_COMPARED + 1);

/** Reused by every comparison: new rows would take longer than the comparison. A swap looks two rows back. */
const ROWS: readonly [Uint8Array, Uint8Array, Uint8Array] = [newRow(), newRow(), newRow()];

/** Counts insertions, deletions, changes and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let [beforeLast, last, row] = ROWS;
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    [beforeLast, last, row] = [last, row, beforeLast];
    row[0] = i;
    const letter = a.charCodeAt(i - 1);
    const previous = a.charCodeAt(i - 2);
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1);
      let least = (last[j - 1] as number) + (letter === other ? 0 : 1);
      least = lesser(least, (last[j] as number) + 1);
      least = lesser(least, (row[j - 1] as number) + 1);
      const swapped = letter === b.charCodeAt(j - 2) && previous === other;
      row[j] = swapped ? lesser(least, (beforeLast[j - 2] as number) + 1) : least;
    }
  }
  return row[b.length] as number;
}

const lesser = (a: number, b: number): number => (a < b ? a : b);
