import type { Database } from '../../db/client/connect.js';
import { readFeedRange } from '../../db/identities/identity-feed.js';
import { overloaded } from '../http/errors.js';
import { KeyedSemaphore, SemaphoreBusy } from '../limits/keyed-semaphore.js';
import { PollWaiter } from '../limits/poll-waiter.js';

const TIMES = { firstMs: 50, everyMs: 200 };
const READ_WITHIN_MS = 1_500;

/** How many requests of one API key may wait for changes in one process. The connections of a process limit those of all keys. */
const WAITS_PER_KEY = 50;

/** Waits until the feed of changes has gone on: one query of a single row for all requests that wait. */
export class FeedWaiter {
  readonly #perKey = new KeyedSemaphore({ max: WAITS_PER_KEY, maxWaiting: 0, waitMs: 0 });
  readonly #positions: PollWaiter<number, true>;

  constructor(database: Database) {
    this.#positions = new PollWaiter(TIMES, async (positions) => {
      const { last } = await readFeedRange(database, READ_WITHIN_MS);
      return new Map(positions.filter((position) => position <= last).map((position) => [position, true]));
    });
  }

  /** Ends all waits, because the process is shutting down. */
  stop(): void {
    this.#positions.stop();
  }

  /**
   * Lets a request wait for the first time, and as often as it has to go on.
   * @param work gets a function that resolves to true once the feed has a position, to false after that time, if `signal` fires, or if the
   *   database is unavailable
   * @throws RequestError 503 `overloaded` if too many requests of this key wait
   */
  async whileWaiting<T>(
    apiKeyId: string,
    signal: AbortSignal,
    work: (wait: (position: number, timeoutMs: number) => Promise<boolean>) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#perKey.run(apiKeyId, () =>
        work(
          async (position, timeoutMs) => (await this.#positions.wait(position, timeoutMs, signal)) === true,
        ),
      );
    } catch (error) {
      if (!(error instanceof SemaphoreBusy)) throw error;
      throw overloaded(`${WAITS_PER_KEY} requests of this API key wait for changes`);
    }
  }
}
