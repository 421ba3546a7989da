import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type Koa from 'koa';
import { findRecord, type IdempotencyScope, type RecordedAnswer } from '../../db/access/idempotency.js';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { enqueueJob } from '../../workers/queues/enqueue-job.js';
import type { SecretBox } from '../access/secret-box.js';
import { badRequest, RequestError } from '../http/errors.js';
import type { Services } from '../services.js';
import { HeldKey, inFlight, type ToRecord } from './held-key.js';
import { answerOf, answerOfJob, isLasting, refusalOf, replay } from './recorded-responses.js';

/** The format of an `Idempotency-Key`: 1 to 255 ASCII characters without spaces. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

type Needed = Pick<Services, 'database' | 'intake' | 'producer'>;

/** Thrown out of a handler to send the response that the same request got before. */
class Replay extends Error {
  readonly answer: RecordedAnswer;

  constructor(answer: RecordedAnswer) {
    super('answered before');
    this.answer = answer;
  }
}

/**
 * Carries out a request at most once per `Idempotency-Key`. Repeating it within 24 h returns the recorded response.
 * `handle` must report the body (`bodyRead`) before it does anything that lasts: only then is it known whether this is a
 * repetition, or another request under a used key (422). A request that is still in progress is 409.
 */
export async function onlyOnce(
  ctx: Koa.Context,
  apiKeyId: string,
  services: Needed,
  handle: (request: IdempotentRequest) => Promise<void>,
): Promise<void> {
  const key = ctx.get('idempotency-key');
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw badRequest(
      'invalid_idempotency_key',
      'An Idempotency-Key has 1 to 255 ASCII characters and no spaces.',
    );
  }
  const scope = { apiKeyId, method: ctx.method, path: ctx.path.slice(0, 255), key };
  const { requestId } = ctx.state;
  const request = new IdempotentRequest(services, scope, { query: ctx.querystring, requestId });
  await request.begin();
  try {
    await handle(request);
  } catch (error) {
    if (error instanceof Replay) return replay(ctx, error.answer);
    const ended = request.end(error instanceof RequestError ? refusalOf(error, requestId) : null);
    // The database took its time to fail already.
    if (!isDatabaseUnavailable(error)) await ended;
    throw error;
  }
  await request.end(answerOf(ctx));
}

/** A request under an `Idempotency-Key`. */
export class IdempotentRequest {
  readonly #services: Needed;
  readonly #scope: IdempotencyScope;
  readonly #key: HeldKey;
  readonly #box: SecretBox;
  readonly #query: string;
  readonly #requestId: string;
  #recorded: ToRecord | null = null;
  #hash: Buffer | null = null;

  constructor(
    services: Needed,
    scope: IdempotencyScope,
    { query, requestId }: { query: string; requestId: string },
  ) {
    this.#services = services;
    this.#scope = scope;
    this.#key = new HeldKey(services.database, scope);
    this.#box = services.intake.box;
    this.#query = query;
    this.#requestId = requestId;
  }

  /** Takes the key, or finds out what was answered under it. Throws 409 while another request holds it. */
  async begin(): Promise<void> {
    try {
      await this.#begin();
    } catch (error) {
      // The key may have been taken although the database did not say so.
      if (isDatabaseUnavailable(error)) void this.#key.end(null);
      throw error;
    }
  }

  async #begin(): Promise<void> {
    if (await this.#key.take()) return this.#key.keep();
    const record = await findRecord(this.#services.database, this.#scope);
    if (record?.answer && record.requestHash) {
      this.#recorded = { hash: record.requestHash, answer: this.#opened(record.answer) };
      return;
    }
    if (!record?.leaseOver || !(await this.#key.takeOver())) throw inFlight();
    if (!(await this.#follow())) this.#key.keep();
  }

  /**
   * The earlier holder died, or could not record its response. If it made a job that runs, this request is sent to it.
   * The job may not have reached its queue. Nobody withdraws it now, because the key was taken over first.
   */
  async #follow(): Promise<boolean> {
    const { database, producer } = this.#services;
    const { jobId, requestHash: hash } = (await findRecord(database, this.#scope)) ?? {};
    if (!jobId || !hash) return false;
    const job = await findJob(database, jobId);
    if (!job || isWithdrawn(job) || failedForNow(job)) {
      if (await this.#key.unlink()) return false;
      throw inFlight();
    }
    // If Redis is unavailable, upkeep does this later.
    if (job.state === 'queued') await enqueueJob(producer, job, this.#requestId).catch(() => {});
    this.#recorded = { hash, answer: answerOfJob(job, this.#requestId) };
    await this.#key.release();
    return true;
  }

  /** Reports the SHA-256 of the body. Throws the response if the request was carried out before. */
  bodyRead(digest: Buffer): void {
    const hash = createHash('sha256').update(this.#query).update('\n').update(digest).digest();
    this.#hash = hash;
    if (!this.#recorded) return;
    if (this.#recorded.hash.equals(hash)) throw new Replay(this.#recorded.answer);
    throw new RequestError(
      422,
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request.',
    );
  }

  /** Links the job that this request makes, in the same transaction. Throws 409 if another request took the key over. */
  made(transaction: Knex.Transaction, jobId: string): Promise<void> {
    return this.#key.link(transaction, this.#bodyHash(), jobId);
  }

  /** Records the response in the transaction of what it reports. Throws 409 if another request took the key over. */
  answered(transaction: Knex.Transaction, answer: RecordedAnswer): Promise<void> {
    return this.#key.record(transaction, { hash: this.#bodyHash(), answer: this.#sealed(answer) });
  }

  /** Locks the key for a transaction that withdraws the job. Returns false if another request may have been sent to it. */
  stillHeld(transaction: Knex.Transaction): Promise<boolean> {
    return this.#key.lock(transaction);
  }

  /** Removes the link to the job, in the transaction that withdraws it. */
  async withdrawn(transaction: Knex.Transaction): Promise<void> {
    await this.#key.unlink(transaction);
  }

  /**
   * Records a response that a repetition should get; after any other one the key is free again, unless there is a job:
   * then a repetition is sent to it. A database that is unavailable does not hold the response up.
   */
  async end(answer: RecordedAnswer | null): Promise<void> {
    if (this.#recorded) return;
    const lasting = answer && this.#hash && isLasting(answer);
    await this.#key.end(lasting ? { hash: this.#bodyHash(), answer: this.#sealed(answer) } : null);
  }

  #bodyHash(): Buffer {
    if (this.#hash) return this.#hash;
    throw new Error('a handler must report the body before it does anything that lasts');
  }

  /** Responses may show a webhook's URL or a secret, so they are encrypted at rest as those are. */
  #sealed(answer: RecordedAnswer): RecordedAnswer {
    return { ...answer, body: this.#box.seal(answer.body, this.#owner).toString('base64') };
  }

  #opened(answer: RecordedAnswer): RecordedAnswer {
    const body = this.#box.open(Buffer.from(answer.body, 'base64'), this.#owner);
    if (body !== null) return { ...answer, body };
    throw new RequestError(
      409,
      'idempotency_unreadable',
      'The response that was recorded for this Idempotency-Key can no longer be decrypted.',
    );
  }

  get #owner(): string {
    return `idempotency/${this.#scope.apiKeyId}/${this.#scope.key}`;
  }
}

/** A failure that the request itself is not to blame for, such as a full disk: the request may be carried out again. */
const failedForNow = (job: Job): boolean => job.state === 'failed' && !isLasting(answerOfJob(job, ''));

/** A job that never reached its queue. If somebody cancels a job, its row says so. */
const isWithdrawn = ({ state, cancelRequestedAt }: Job): boolean =>
  state === 'canceled' && cancelRequestedAt === null;
