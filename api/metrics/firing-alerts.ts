import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadDatabase } from '../../db/client/replica/replica.js';
import { countFiring, type FiringCounts } from '../../db/series/firing-counts.js';

const VALID_MS = 5_000;
const WITHIN_MS = 10_000;
/** How old counts may be that are returned while new ones are not there yet. */
const USABLE_MS = 60_000;
/** The share of the time that counting may take: a count that takes 2 s is valid for 20 s. */
const REST = 10;

/** Counts the firing alerts for the health page and the metrics, at most once every 5 seconds, however many clients ask. */
export class FiringAlerts {
  readonly #reading: ReadDatabase;
  #counting: Promise<FiringCounts | null> = Promise.resolve(null);
  #validUntil = 0;
  #last: { counts: FiringCounts; at: number } | null = null;

  constructor(reading: ReadDatabase) {
    this.#reading = reading;
  }

  /**
   * Resolves to the counts by integration. If the database does not respond within the given time, they are up to a minute old; null if
   * there are none.
   */
  async count(waitMs: number): Promise<FiringCounts | null> {
    if (performance.now() >= this.#validUntil) this.#counting = this.#count();
    const counts = await Promise.race([this.#counting, sleep(waitMs, null, { ref: false })]);
    if (counts) return counts;
    const isUsable = this.#last !== null && performance.now() - this.#last.at < USABLE_MS;
    return isUsable && this.#last ? this.#last.counts : null;
  }

  async #count(): Promise<FiringCounts | null> {
    const start = performance.now();
    this.#validUntil = Number.POSITIVE_INFINITY;
    const counts = await this.#reading.read((database) => countFiring(database, WITHIN_MS)).catch(() => null);
    const at = performance.now();
    this.#validUntil = at + Math.max(VALID_MS, REST * (at - start));
    if (counts) this.#last = { counts, at };
    return counts;
  }
}
