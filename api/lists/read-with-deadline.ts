import type { Database } from '../../db/client/connect.js';
import { isStatementTimeout, isTooSlow } from '../../db/client/errors.js';
import { overloaded, searchTooSlow } from '../http/errors.js';
import { KeyedSemaphore, SemaphoreBusy } from '../limits/keyed-semaphore.js';
import type { ApiServices } from '../services.js';

/** A longer query is canceled, because it would hold a connection that other requests wait for. */
const WITHIN_MS = 5_000;

/**
 * One key may use half of the connections for lookups, so that its slow searches leave room for the lists of other keys.
 * With this wait, every request has started or been rejected within 2 s.
 */
export const LOOKUPS_PER_KEY = 3;
const perKey = new KeyedSemaphore({ max: LOOKUPS_PER_KEY, maxWaiting: 100, waitMs: 1_500 });

interface Lookup<T> {
  services: Pick<ApiServices, 'reading'>;
  apiKeyId: string;
  /** Tells the client how to make a lookup faster that takes the database too long. */
  narrow: string;
  /** `withinMs` is the deadline of the query. */
  read(database: Database, withinMs: number): Promise<T>;
}

/**
 * Reads a list over the connections for lookups, from a replica if there is one.
 * @throws RequestError 503 `search_too_slow` after the deadline, 503 `overloaded` if the key has too many lookups running
 */
export async function readWithDeadline<T>({ services, apiKeyId, narrow, read }: Lookup<T>): Promise<T> {
  try {
    return await perKey.run(apiKeyId, () =>
      services.reading.read((database) => withinDeadline(narrow, read(database, WITHIN_MS))),
    );
  } catch (error) {
    if (error instanceof SemaphoreBusy)
      throw overloaded(`This API key has ${LOOKUPS_PER_KEY} lookups running`);
    throw error;
  }
}

/**
 * Resolves to what was read within a deadline.
 * @param narrow tells the client what to do if that took the database too long
 * @throws RequestError 503 `search_too_slow` after the deadline
 */
export async function withinDeadline<T>(narrow: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isTooSlow(error) || isStatementTimeout(error)) throw searchTooSlow(narrow);
    throw error;
  }
}
