/** Texts are compared up to this length, in UTF-16 units: names are short, and a client's text may not be. */
export const MAX_COMPARED = 60;

const newRow = () => new Uint8Array(MAX_COMPARED + 1);

/** Reused by every comparison, because allocating rows would take longer than comparing. A swap looks back two rows. */
const ROWS: readonly [Uint8Array, Uint8Array, Uint8Array] = [newRow(), newRow(), newRow()];

/**
 * Returns how many insertions, deletions, replacements and swaps of neighbors turn one text into the other (the optimal string
 * alignment distance).
 */
export function editDistance(left: string, right: string): number {
  const [a, b] = [left.slice(0, MAX_COMPARED), right.slice(0, MAX_COMPARED)];
  let [beforeLast, last, row] = ROWS;
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    [beforeLast, last, row] = [last, row, beforeLast];
    row[0] = i;
    const letter = a.charCodeAt(i - 1);
    const previous = a.charCodeAt(i - 2);
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1);
      let least = (last[j - 1] ?? 0) + (letter === other ? 0 : 1);
      least = min(least, (last[j] ?? 0) + 1);
      least = min(least, (row[j - 1] ?? 0) + 1);
      const swapped = letter === b.charCodeAt(j - 2) && previous === other;
      row[j] = swapped ? min(least, (beforeLast[j - 2] ?? 0) + 1) : least;
    }
  }
  return row[b.length] ?? 0;
}

/** Faster than `Math.min` in the inner loop. */
const min = (a: number, b: number): number => (a < b ? a : b);

/** Returns the known word that differs by the fewest edits, if they are at most half of its length. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, edits: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  return best && best.edits <= Math.ceil(best.candidate.length / 2) ? best.candidate : undefined;
}
