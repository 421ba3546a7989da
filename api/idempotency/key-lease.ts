import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { uuidv7 } from 'uuidv7';
import {
  type IdempotencyLease,
  type IdempotencyScope,
  linkJob,
  lockLease,
  type RecordedResponse,
  recordResponse,
  releaseKey,
  renewLease,
  takeKey,
  takeOver,
  unlinkJob,
} from '../../db/access/idempotency.js';
import type { Database } from '../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { RequestError } from '../http/errors.js';

/** A killed process blocks a key for this long. A living one renews its lease. */
const LEASE_S = 60;
const RENEW_EVERY_MS = 20_000;
/** A response waits this long for its record. After that, the record is written in the background. */
const RECORD_WITHIN_MS = 400;
const RETRY_RECORD_MS = 500;

/** What is recorded under a key: the hash of the request, and its response. */
export interface ToRecord {
  hash: Buffer;
  response: RecordedResponse;
}

/** One request's lease on an `Idempotency-Key`. Its writes have no effect once another request has taken over the key. */
export class KeyLease {
  readonly #database: Database;
  readonly #lease: IdempotencyLease;
  #renewal: NodeJS.Timeout | undefined;

  constructor(database: Database, scope: IdempotencyScope) {
    this.#database = database;
    this.#lease = { scope, holder: uuidv7() };
  }

  /** Takes a key that was never used. Returns false if it was used. */
  take(): Promise<boolean> {
    return takeKey(this.#database, this.#lease, LEASE_S);
  }

  /** Takes over a key whose holder died or released it. Returns false if it is held. */
  takeOver(): Promise<boolean> {
    return takeOver(this.#database, this.#lease, LEASE_S);
  }

  /** Renews the lease until `end`. */
  keep(): void {
    this.#renewal = setInterval(() => {
      renewLease(this.#database, this.#lease, LEASE_S).catch(() => {});
    }, RENEW_EVERY_MS);
  }

  /** Releases the key. A link to a job remains. */
  release(): Promise<void> {
    return releaseKey(this.#database, this.#lease);
  }

  /**
   * Links a job, in the transaction that creates the job.
   * @throws RequestError 409 if the lease is no longer held
   */
  async link(transaction: Knex.Transaction, hash: Buffer, jobId: string): Promise<void> {
    if (!(await linkJob(transaction, this.#lease, hash, jobId))) throw inFlight();
  }

  /** Removes the link to a job that will not run. Returns false if the lease is no longer held. */
  unlink(database: Database = this.#database): Promise<boolean> {
    return unlinkJob(database, this.#lease);
  }

  /** Locks the key until the transaction ends. Returns false if the lease is no longer held. */
  lock(transaction: Knex.Transaction): Promise<boolean> {
    return lockLease(transaction, this.#lease);
  }

  /**
   * Records a response, in the transaction of the change that it reports.
   * @throws RequestError 409 if the lease is no longer held
   */
  async record(transaction: Knex.Transaction, { hash, response }: ToRecord): Promise<void> {
    if (!(await recordResponse(transaction, this.#lease, hash, response))) throw inFlight();
  }

  /**
   * Ends the lease with a response to replay, or with null to release the key. Retries while the database is unavailable,
   * because a repetition gets 409 until then. The caller waits for 400 ms at most. Never throws.
   */
  async end(recorded: ToRecord | null): Promise<void> {
    clearInterval(this.#renewal);
    await Promise.race([this.#endWithRetries(recorded), sleep(RECORD_WITHIN_MS, undefined, { ref: false })]);
  }

  async #endWithRetries(recorded: ToRecord | null): Promise<void> {
    const endAt = performance.now() + LEASE_S * 1_000;
    while (performance.now() < endAt) {
      try {
        if (recorded) await recordResponse(this.#database, this.#lease, recorded.hash, recorded.response);
        else await this.release();
        return;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) return;
        await sleep(RETRY_RECORD_MS, undefined, { ref: false });
      }
    }
  }
}

export const inFlight = (): RequestError =>
  new RequestError(
    409,
    'idempotency_in_flight',
    'Another request with this `Idempotency-Key` is still in progress. Try again in 2 seconds.',
    { headers: { 'Retry-After': '2' } },
  );
