import type { Found, LookupRow } from '../mapping/index.js';

/** Rows of tables that are remembered, and about how many characters they may have in all. */
const MAX_ROWS = 50_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;
export const ROW_OVERHEAD = 200;

/** What is remembered of a key: a row, or that there is none. */
export type Remembered = Pick<Found, 'row' | 'compared'>;

type Rows = Map<string, Map<string, Remembered>>;

/**
 * What was found last under the keys of tables, by the revision of a table. Rows of the newer half are kept for certain, those of the older half until
 * the newer one is full. A list of least recent use would change with each lookup, which took a sixth of the time of an event.
 */
export class RememberedRows {
  #newer: Rows = new Map();
  #older: Rows = new Map();
  #rows = 0;
  #characters = 0;

  get(revision: string, key: string): Remembered | undefined {
    const found = this.#newer.get(revision)?.get(key);
    if (found) return found;
    const older = this.#older.get(revision)?.get(key);
    if (older) this.set(revision, key, older);
    return older;
  }

  set(revision: string, key: string, remembered: Remembered): void {
    if (this.#rows >= MAX_ROWS / 2 || this.#characters >= MAX_CHARACTERS / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#rows = 0;
      this.#characters = 0;
    }
    const rows = this.#newer.get(revision) ?? new Map();
    this.#newer.set(revision, rows);
    rows.set(key, remembered);
    this.#rows += 1;
    this.#characters += sizeOf(remembered.row) + key.length + ROW_OVERHEAD;
  }
}

/** Returns about how many characters a row has. */
export function sizeOf(row: LookupRow | null): number {
  let size = 0;
  for (const name in row) size += name.length + (row[name]?.length ?? 0);
  return size;
}
