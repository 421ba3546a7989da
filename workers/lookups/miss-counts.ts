import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { errorCode } from '../../db/client/errors.js';
import { addMisses, type MissedKey } from '../../db/lookups/misses.js';
import type { Miss } from '../mapping/index.js';

/** Counts are written at most this often, and the first ones soon. */
const INTERVAL_MS = 2_000;
const FIRST_MS = 500;
/** Keys that are counted until they are written. */
const MAX_KEYS = 10_000;

/**
 * Counts the keys that find no row, so that people can add them to their tables: in memory, and every two seconds in the database. A host that is
 * killed loses the last ones.
 */
export class MissCounts {
  readonly #database: Database;
  readonly #log: Logger;
  #counts = new Map<string, MissedKey>();
  #writtenAt = -INTERVAL_MS;
  #timer: NodeJS.Timeout | null = null;

  constructor({ database, log, closing }: { database: Database; log: Logger; closing: AbortSignal }) {
    this.#database = database;
    this.#log = log;
    closing.addEventListener('abort', () => void this.#write());
  }

  /** Counts the misses of an event. Accounts without an owner are not among them: a worklist has those. */
  count({ id: eventId, receivedAt }: { id: string; receivedAt: number }, misses: readonly Miss[]): void {
    const at = new Date(receivedAt);
    for (const { place, key } of misses) {
      if (!('table' in place)) continue;
      const { table } = place;
      const name = `${table} ${key}`;
      const known = this.#counts.get(name);
      if (known)
        Object.assign(known, {
          count: known.count + 1,
          eventId,
          lastAt: at > known.lastAt ? at : known.lastAt,
        });
      else if (this.#counts.size < MAX_KEYS)
        this.#counts.set(name, { table, key, count: 1, eventId, firstAt: at, lastAt: at });
    }
    if (this.#counts.size === 0) return;
    const wait = Math.max(FIRST_MS, this.#writtenAt + INTERVAL_MS - performance.now());
    this.#timer ??= setTimeout(() => void this.#write(), wait).unref();
  }

  /** Never rejects: counts that cannot be added are dropped. */
  async #write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writtenAt = performance.now();
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    if (counts.length === 0) return;
    await addMisses(this.#database, counts).catch((error) => {
      this.#log.debug({ error: { code: errorCode(error) } }, 'could not store which keys found no row');
    });
  }
}
