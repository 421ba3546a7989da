import type { Database } from '../../db/client/connect.js';
import { isStatementTimeout, isTooSlow } from '../../db/client/errors.js';
import { overloaded, searchTooSlow } from '../http/errors.js';
import { ConcurrencyLimit, NoTurn } from '../limits/concurrency-limit.js';
import type { Services } from '../services.js';

/** A look-up that takes longer is given up: it would hold a connection that others wait for. */
const WITHIN_MS = 5_000;

/**
 * One key has at most half of the connections for lookups, so its slow searches leave room for everybody else's lists.
 * The wait is short enough for every request to be answered within 2 s or be at work.
 */
export const LOOKUPS_PER_KEY = 3;
const perKey = new ConcurrencyLimit({ max: LOOKUPS_PER_KEY, maxWaiting: 100, waitMs: 1_500 });

interface LookUp<T> {
  services: Pick<Services, 'reading'>;
  /** Whose lookup it is. */
  apiKeyId: string;
  /** What helps when the database takes too long. */
  narrow: string;
  /** `withinMs` is what the database may take. */
  read(database: Database, withinMs: number): Promise<T>;
}

/**
 * Reads a list over the connections for lookups, from a replica if there is one.
 * @throws RequestError 503 `search_too_slow` when the database takes too long, 503 `overloaded` when the key has as many
 * lookups running as it may have
 */
export async function readWithDeadline<T>({ services, apiKeyId, narrow, read }: LookUp<T>): Promise<T> {
  try {
    return await perKey.run(apiKeyId, () => services.reading.read((database) => read(database, WITHIN_MS)));
  } catch (error) {
    if (isTooSlow(error) || isStatementTimeout(error)) throw searchTooSlow(narrow);
    if (error instanceof NoTurn) throw overloaded(`This API key has ${LOOKUPS_PER_KEY} lookups running`);
    throw error;
  }
}
