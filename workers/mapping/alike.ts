/** A key without case and signs: `k8s_cluster`, `K8s.Cluster` and `k8sCluster` are alike. */
export const fold = (key: string): string => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/** Returns the key that differs only in case, signs or plural, or else in at most a third of its letters; or null. */
export function mostAlike(wanted: string, keys: readonly string[]): string | null {
  const target = fold(wanted);
  let best: string | null = null;
  let least = Math.max(1, Math.floor(target.length / 3)) + 1;
  for (const key of keys) {
    if (key === wanted || Math.abs(key.length - wanted.length) >= least + 2) continue;
    const folded = fold(key);
    const distance = singular(folded) === singular(target) ? 0 : editDistance(target, folded);
    if (distance < least) [best, least] = [key, distance];
  }
  return best;
}

/** Insertions, deletions, changes and swaps of neighbours; names longer than 60 are not compared. */
function editDistance(a: string, b: string): number {
  if (a.length > 60 || b.length > 60) return Number.POSITIVE_INFINITY;
  const width = b.length + 1;
  const rows = Array.from({ length: (a.length + 1) * width }, (_, at) => (at < width ? at : 0));
  const at = (i: number, j: number) => rows[i * width + j] as number;
  for (let i = 1; i <= a.length; i++) {
    rows[i * width] = i;
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(changed, at(i - 1, j) + 1, at(i, j - 1) + 1);
      rows[i * width + j] = swapped ? Math.min(least, at(i - 2, j - 2) + 1) : least;
    }
  }
  return at(a.length, b.length);
}
