import type { Database } from '../db/connect.js';
import { isTooSlow } from '../db/errors.js';
import { searchTooSlow } from './errors.js';
import type { Services } from './services.js';

/** A look-up that takes longer is given up: it would hold a connection that others wait for. */
const WITHIN_MS = 5_000;

/**
 * Reads a list, by the connections for look-ups and from a replica if there is one; `withinMs` is what the database may
 * take. Throws 503 `search_too_slow` with what would help, which `narrow` says.
 */
export function lookUp<T>(
  { reading }: Services,
  narrow: string,
  read: (database: Database, withinMs: number) => Promise<T>,
): Promise<T> {
  return reading
    .read((database) => read(database, WITHIN_MS))
    .catch((error) => {
      throw isTooSlow(error) ? searchTooSlow(narrow) : error;
    });
}
