import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { uuidv7 } from 'uuidv7';
import {
  type IdempotencyLease,
  type IdempotencyScope,
  linkJob,
  lockLease,
  type RecordedAnswer,
  recordAnswer,
  releaseKey,
  renewLease,
  takeKey,
  takeOver,
  unlinkJob,
} from '../../db/access/idempotency.js';
import type { Database } from '../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { RequestError } from '../http/errors.js';

/** A killed API blocks a key for no longer than this; one that lives renews it. */
const LEASE_S = 60;
const RENEW_EVERY_MS = 20_000;
/** A response waits this long for its record; after that the record is written behind its back. */
const RECORD_WITHIN_MS = 400;
const RECORD_AGAIN_MS = 500;

/** What is to be recorded under a key: the hash of the request, and its response. */
export interface ToRecord {
  hash: Buffer;
  answer: RecordedAnswer;
}

/** One request's lease on an `Idempotency-Key`. What it writes has no effect after another request took the key over. */
export class HeldKey {
  readonly #database: Database;
  readonly #lease: IdempotencyLease;
  #renewal: NodeJS.Timeout | undefined;

  constructor(database: Database, scope: IdempotencyScope) {
    this.#database = database;
    this.#lease = { scope, holder: uuidv7() };
  }

  /** Takes a key that was never used. Returns false if it was. */
  take(): Promise<boolean> {
    return takeKey(this.#database, this.#lease, LEASE_S);
  }

  /** Takes a key over whose holder died or gave it up. Returns false if it is held. */
  takeOver(): Promise<boolean> {
    return takeOver(this.#database, this.#lease, LEASE_S);
  }

  /** Renews the lease until `end`. */
  keep(): void {
    this.#renewal = setInterval(() => {
      renewLease(this.#database, this.#lease, LEASE_S).catch(() => {});
    }, RENEW_EVERY_MS);
  }

  /** Gives the key back; a link to a job stays. */
  release(): Promise<void> {
    return releaseKey(this.#database, this.#lease);
  }

  /** Links a job in the transaction that makes it. Throws 409 if the lease is no longer held. */
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

  /** Records a response in the transaction of what it reports. Throws 409 if the lease is no longer held. */
  async record(transaction: Knex.Transaction, { hash, answer }: ToRecord): Promise<void> {
    if (!(await recordAnswer(transaction, this.#lease, hash, answer))) throw inFlight();
  }

  /**
   * Ends the lease with a response to replay, or with null to give the key back. Tries again while the database is
   * unavailable, because a repetition is 409 until then; the caller waits for a moment only. Never throws.
   */
  async end(recorded: ToRecord | null): Promise<void> {
    clearInterval(this.#renewal);
    await Promise.race([this.#endPatiently(recorded), sleep(RECORD_WITHIN_MS, undefined, { ref: false })]);
  }

  async #endPatiently(recorded: ToRecord | null): Promise<void> {
    const lapsesAt = Date.now() + LEASE_S * 1_000;
    while (Date.now() < lapsesAt) {
      try {
        if (recorded) await recordAnswer(this.#database, this.#lease, recorded.hash, recorded.answer);
        else await this.release();
        return;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) return;
        await sleep(RECORD_AGAIN_MS, undefined, { ref: false });
      }
    }
  }
}

export const inFlight = (): RequestError =>
  new RequestError(
    409,
    'idempotency_in_flight',
    'A request under this Idempotency-Key is still in progress.',
    { headers: { 'Retry-After': '2' } },
  );
