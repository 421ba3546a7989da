import { pacer } from '../run/pace.js';

/** Accounts have 17 bits, so that a number holds the hash of a key and an account exactly. */
const ACCOUNTS = 2 ** 17;
const FILTER_BITS = 2 ** 25;
/** Buckets by the upper 10 bits of a hash: small enough to be sorted without a break. */
const BUCKETS = 1_024;
const SHIFT = 22;
/** Entries that are moved without a break. */
const SLICE = 20_000;

/** Finds the accounts that have a key, by the 32-bit hash of the key. It takes 8 bytes an entry, and 4 MB. */
export class KeyTable {
  /** Hash and account. Sorted once the table is complete. */
  #entries = new Float64Array(1_024);
  #length = 0;
  readonly #starts = new Uint32Array(BUCKETS + 1);
  /** A bit for each hash that occurs. Most keys of developers end here. */
  readonly #filter = new Uint32Array(FILTER_BITS / 32);

  /** @param account less than 131,072 */
  add(hash: number, account: number): void {
    if (this.#length === this.#entries.length) {
      const longer = new Float64Array(this.#length * 2);
      longer.set(this.#entries);
      this.#entries = longer;
    }
    this.#entries[this.#length++] = hash * ACCOUNTS + account;
    const bit = hash % FILTER_BITS;
    this.#filter[bit >>> 5] = (this.#filter[bit >>> 5] as number) | (1 << (bit & 31));
  }

  /** Sorts the entries. Other work can run meanwhile: sorting three million at once would hold it for a second. */
  async complete(): Promise<void> {
    const starts = this.#starts;
    await this.#slices((entry) => {
      const next = bucketOf(entry) + 1;
      starts[next] = (starts[next] as number) + 1;
    });
    for (let bucket = 1; bucket <= BUCKETS; bucket++)
      starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
    const sorted = new Float64Array(this.#length);
    const next = starts.slice();
    await this.#slices((entry) => {
      const bucket = bucketOf(entry);
      const at = next[bucket] as number;
      sorted[at] = entry;
      next[bucket] = at + 1;
    });
    const pause = pacer();
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      sorted.subarray(starts[bucket], starts[bucket + 1]).sort();
      await pause();
    }
    this.#entries = sorted;
  }

  /** Adds the accounts that have a key to a set, at most `limit` of them. */
  collect(hash: number, limit: number, into: Set<number>): void {
    const bit = hash % FILTER_BITS;
    if (((this.#filter[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return;
    const from = this.#firstAt(hash);
    const end = (hash + 1) * ACCOUNTS;
    for (let at = from; at < from + limit; at++) {
      const entry = this.#entries[at];
      if (entry === undefined || entry >= end) return;
      into.add(entry % ACCOUNTS);
    }
  }

  async #slices(work: (entry: number) => void): Promise<void> {
    const pause = pacer();
    for (let from = 0; from < this.#length; from += SLICE) {
      const end = Math.min(from + SLICE, this.#length);
      for (let at = from; at < end; at++) work(this.#entries[at] as number);
      await pause();
    }
  }

  /** Returns the place of the first entry whose hash is not less. */
  #firstAt(hash: number): number {
    const value = hash * ACCOUNTS;
    let low = this.#starts[hash >>> SHIFT] as number;
    let high = this.#starts[(hash >>> SHIFT) + 1] as number;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const bucketOf = (entry: number): number => Math.floor(entry / ACCOUNTS) >>> SHIFT;
