import { editDistance, MAX_COMPARED } from '../../text/edit-distance.js';
import type { Budget } from '../values/budget.js';

/** Returns a key in lower case and without punctuation: `k8s_cluster`, `K8s.Cluster` and `k8sCluster` become the same. */
export const foldKey = (key: string): string => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Characters folded, and pairs of letters compared, in the time of one step. */
const FOLDED_PER_STEP = 20;
const COMPARED_PER_STEP = 50;

/**
 * Returns whether a key equals the wanted one when both are folded. A much longer key does not count, because folding it would
 * be slow.
 * @throws BudgetExceeded
 */
export function foldsTo(key: string, folded: string, budget: Budget): boolean {
  if (key.length > 2 * folded.length + 20) return false;
  budget.step(Math.floor(key.length / FOLDED_PER_STEP));
  return foldKey(key) === folded;
}

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/**
 * Returns the key that differs only in case, punctuation or plural, or else by an edit distance of at most a third of its
 * letters. Returns null if there is none.
 * @throws BudgetExceeded
 */
export function mostSimilarKey(wanted: string, keys: readonly string[], budget: Budget): string | null {
  const target = foldKey(wanted);
  let best: string | null = null;
  let least = Math.max(1, Math.floor(target.length / 3)) + 1;
  for (const key of keys) {
    budget.step();
    if (key === wanted || Math.abs(key.length - wanted.length) >= least + 2) continue;
    budget.step(Math.floor(key.length / FOLDED_PER_STEP));
    const folded = foldKey(key);
    const distance = singular(folded) === singular(target) ? 0 : distanceBelow(least, target, folded, budget);
    if (distance < least) [best, least] = [key, distance];
  }
  return best;
}

/** Letters that are enough to mean a longer key: `sev` means `severity`. */
const MIN_PREFIX = 3;

/** Returns the shortest key that starts with the wanted one, or null if there is none. Only the start of a long key is folded. */
export function shortestLongerKey(wanted: string, keys: readonly string[], budget: Budget): string | null {
  const start = foldKey(wanted);
  if (start.length < MIN_PREFIX) return null;
  budget.step(keys.length);
  const longer = keys.filter((key) => foldKey(key.slice(0, 2 * wanted.length)).startsWith(start));
  return longer.sort((a, b) => a.length - b.length)[0] ?? null;
}

/** Returns the edit distance, or infinity if the lengths alone show that it reaches the limit. */
function distanceBelow(limit: number, a: string, b: string, budget: Budget): number {
  const tooLong = a.length > MAX_COMPARED || b.length > MAX_COMPARED;
  if (tooLong || Math.abs(a.length - b.length) >= limit) return Number.POSITIVE_INFINITY;
  budget.step(Math.ceil((a.length * b.length) / COMPARED_PER_STEP));
  return editDistance(a, b);
}
