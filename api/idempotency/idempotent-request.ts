import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { findRecord, type IdempotencyScope, type RecordedResponse } from '../../db/access/idempotency.js';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import type { SecretBox } from '../../workers/process/secret-box.js';
import { enqueueJob } from '../../workers/queues/enqueue-job.js';
import { RequestError } from '../http/errors.js';
import type { ApiServices } from '../services.js';
import { inFlight, KeyLease, type ToRecord } from './key-lease.js';
import { isReplayable, Replay, recordedJobResponse } from './recorded-responses.js';

export type IdempotencyServices = Pick<ApiServices, 'database' | 'intake' | 'producer'>;

/** A request with an `Idempotency-Key`. */
export class IdempotentRequest {
  readonly #services: IdempotencyServices;
  readonly #scope: IdempotencyScope;
  readonly #key: KeyLease;
  readonly #box: SecretBox;
  readonly #query: string;
  readonly #requestId: string;
  /** What an earlier request recorded under the key. */
  #recorded: ToRecord | null = null;
  #hash: Buffer | null = null;

  constructor(
    services: IdempotencyServices,
    scope: IdempotencyScope,
    { query, requestId }: { query: string; requestId: string },
  ) {
    this.#services = services;
    this.#scope = scope;
    this.#key = new KeyLease(services.database, scope);
    this.#box = services.intake.box;
    this.#query = query;
    this.#requestId = requestId;
  }

  /**
   * Takes the key, or reads the response that is recorded under it.
   * @throws RequestError 409 while another request holds the key
   */
  async begin(): Promise<void> {
    try {
      await this.#begin();
    } catch (error) {
      // The database may have stored the lease without confirming it.
      if (isDatabaseUnavailable(error)) void this.#key.end(null);
      throw error;
    }
  }

  async #begin(): Promise<void> {
    if (await this.#key.take()) return this.#key.keep();
    const record = await findRecord(this.#services.database, this.#scope);
    if (record?.response && record.requestHash) {
      this.#recorded = { hash: record.requestHash, response: this.#decrypt(record.response) };
      return;
    }
    if (!record?.leaseOver || !(await this.#key.takeOver())) throw inFlight();
    if (!(await this.#follow())) this.#key.keep();
  }

  /**
   * Refers this request to the job of the earlier holder, which died or could not record its response. Returns false if
   * there is no job to wait for. The job may not be in its queue yet. Nobody withdraws it now, because this request has
   * taken over the key.
   */
  async #follow(): Promise<boolean> {
    const { database, producer } = this.#services;
    const { jobId, requestHash: hash } = (await findRecord(database, this.#scope)) ?? {};
    if (!jobId || !hash) return false;
    const job = await findJob(database, jobId);
    if (!job || isWithdrawn(job) || failedTemporarily(job)) {
      if (await this.#key.unlink()) return false;
      throw inFlight();
    }
    // If Redis is unavailable, upkeep does this later.
    if (job.state === 'queued') await enqueueJob(producer, job, this.#requestId).catch(() => {});
    this.#recorded = { hash, response: recordedJobResponse(job, this.#requestId) };
    await this.#key.release();
    return true;
  }

  /**
   * Reports the SHA-256 of the body.
   * @throws Replay if the same request was carried out before, RequestError 422 if a different one used the key
   */
  bodyRead(digest: Buffer): void {
    const hash = createHash('sha256').update(this.#query).update('\n').update(digest).digest();
    this.#hash = hash;
    if (!this.#recorded) return;
    if (this.#recorded.hash.equals(hash)) throw new Replay(this.#recorded.response);
    throw new RequestError(
      422,
      'idempotency_key_reused',
      'This `Idempotency-Key` was used for a different request. Use a new key.',
    );
  }

  /**
   * Links the job of this request, in the transaction that creates the job.
   * @throws RequestError 409 if another request took over the key
   */
  linkJob(transaction: Knex.Transaction, jobId: string): Promise<void> {
    return this.#key.link(transaction, this.#bodyHash(), jobId);
  }

  /**
   * Records the response in the transaction of the change that it reports.
   * @throws RequestError 409 if another request took over the key
   */
  recordResponse(transaction: Knex.Transaction, response: RecordedResponse): Promise<void> {
    return this.#key.record(transaction, { hash: this.#bodyHash(), response: this.#encrypt(response) });
  }

  /** Locks the key for a transaction that withdraws the job. Returns false if another request may wait for the job. */
  lockKey(transaction: Knex.Transaction): Promise<boolean> {
    return this.#key.lock(transaction);
  }

  /** Removes the link to the job, in the transaction that withdraws it. */
  async unlinkJob(transaction: Knex.Transaction): Promise<void> {
    await this.#key.unlink(transaction);
  }

  /**
   * Records a replayable response. Any other response releases the key; if there is a job, a repetition is referred to it.
   * An unavailable database does not delay the response.
   */
  async end(response: RecordedResponse | null): Promise<void> {
    if (this.#recorded) return;
    const replayable = response && this.#hash && isReplayable(response);
    await this.#key.end(replayable ? { hash: this.#bodyHash(), response: this.#encrypt(response) } : null);
  }

  #bodyHash(): Buffer {
    if (this.#hash) return this.#hash;
    throw new Error('a handler must report the body before it changes anything');
  }

  /** Responses may contain the URL or the secret of a webhook, so they are encrypted at rest. */
  #encrypt(response: RecordedResponse): RecordedResponse {
    return { ...response, body: this.#box.seal(response.body, this.#owner).toString('base64') };
  }

  #decrypt(response: RecordedResponse): RecordedResponse {
    const body = this.#box.open(Buffer.from(response.body, 'base64'), this.#owner);
    if (body !== null) return { ...response, body };
    throw new RequestError(
      409,
      'idempotency_unreadable',
      'The response recorded for this `Idempotency-Key` can no longer be decrypted. Use a new key.',
    );
  }

  get #owner(): string {
    return `idempotency/${this.#scope.apiKeyId}/${this.#scope.key}`;
  }
}

/** Returns whether the job failed for a reason outside the request, such as a full disk. The request may run again. */
const failedTemporarily = (job: Job): boolean =>
  job.state === 'failed' && !isReplayable(recordedJobResponse(job, ''));

/** Returns whether the job never reached its queue. The row of a job that somebody cancels has `cancelRequestedAt`. */
const isWithdrawn = ({ state, cancelRequestedAt }: Job): boolean =>
  state === 'canceled' && cancelRequestedAt === null;
