import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadDatabase } from '../../db/client/replica.js';
import { countFiring, type FiringCounts } from '../../db/series/firing-counts.js';

/** A count of 100,000 firing alerts takes about 0.1 s. */
const VALID_MS = 5_000;
const WITHIN_MS = 2_000;

/** Counts the firing alerts for the health page and the metrics, at most once every 5 seconds. */
export class FiringAlerts {
  readonly #reading: ReadDatabase;
  #counts: Promise<FiringCounts | null> = Promise.resolve(null);
  #validUntil = 0;

  constructor(reading: ReadDatabase) {
    this.#reading = reading;
  }

  /** Resolves to the counts by integration, or to null if the database does not respond within the given time. */
  count(waitMs: number): Promise<FiringCounts | null> {
    if (Date.now() >= this.#validUntil) {
      this.#validUntil = Date.now() + VALID_MS;
      this.#counts = this.#reading.read((database) => countFiring(database, WITHIN_MS)).catch(() => null);
    }
    return Promise.race([this.#counts, sleep(waitMs, null, { ref: false })]);
  }
}
