import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../db/connect.js';
import {
  findRecord,
  type IdempotencyScope,
  linkJob,
  type RecordedAnswer,
  recordAnswer,
  releaseKey,
  renewLease,
  takeKey,
  takeOver,
} from '../db/idempotency.js';
import { badRequest, errorBody, RequestError } from './errors.js';
import { IDEMPOTENCY_KEY } from './request-headers.js';
import { SecretBox } from './secret-box.js';
import type { Services } from './services.js';

/** A killed API blocks a key for no longer than this; one that lives renews it. */
const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
const KEPT_HEADERS = ['Location', 'Retry-After', 'Preference-Applied', 'Cache-Control'];

/** Thrown out of a handler to answer what the same request was answered before. */
class Replay extends Error {
  readonly answer: RecordedAnswer;

  constructor(answer: RecordedAnswer) {
    super('answered before');
    this.answer = answer;
  }
}

/**
 * Carries out a request at most once per `Idempotency-Key`; its repetition within 24 h gets the recorded answer.
 * `handle` must tell what the body was (`bodyRead`) before it does anything that lasts: only then is it known whether
 * this is the repetition or another request under a used key (422). One that is still under way is 409.
 */
export async function onlyOnce(
  ctx: Koa.Context,
  apiKeyId: string,
  { database, settings }: Pick<Services, 'database' | 'settings'>,
  handle: (request: OnceRequest) => Promise<void>,
): Promise<void> {
  const key = ctx.get('idempotency-key');
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw badRequest(
      'invalid_idempotency_key',
      'An Idempotency-Key has 1 to 255 ASCII characters and no spaces.',
    );
  }
  const scope = { apiKeyId, method: ctx.method, path: ctx.path.slice(0, 255), key };
  const request = new OnceRequest(database, new SecretBox(settings.secretKey), scope, ctx.querystring);
  await request.begin();
  try {
    await handle(request);
    await request.end({
      status: ctx.status,
      headers: keptHeaders(ctx),
      body: JSON.stringify(ctx.body ?? null),
    });
  } catch (error) {
    if (error instanceof Replay) return replay(ctx, error.answer);
    await request.end(error instanceof RequestError ? refusal(error, ctx) : null);
    throw error;
  }
}

/** A request that holds its key. */
export class OnceRequest {
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #owner: string;
  readonly #scope: IdempotencyScope;
  readonly #query: string;
  readonly #holder = uuidv7();
  #recorded: { hash: Buffer; answer: RecordedAnswer } | null = null;
  #jobId: string | null = null;
  #hash: Buffer | null = null;
  #renewal: NodeJS.Timeout | undefined;

  constructor(database: Database, box: SecretBox, scope: IdempotencyScope, query: string) {
    this.#database = database;
    this.#box = box;
    this.#owner = `idempotency/${scope.apiKeyId}/${scope.key}`;
    this.#scope = scope;
    this.#query = query;
  }

  /** Takes the key, or learns what was answered under it. Throws 409 while somebody else holds it. */
  async begin(): Promise<void> {
    if (await takeKey(this.#database, this.#scope, this.#holder, leaseEnd())) return this.#hold();
    const record = await findRecord(this.#database, this.#scope);
    if (record?.answer && record.requestHash) {
      this.#recorded = { hash: record.requestHash, answer: this.#opened(record.answer) };
      return;
    }
    if (record?.jobId && record.requestHash && record.leaseOver) {
      // Whoever held the key died, or could not record its answer; what it began goes on as this job.
      this.#recorded = { hash: record.requestHash, answer: acceptedAs(record.jobId) };
      return;
    }
    if (!(await takeOver(this.#database, this.#scope, this.#holder, leaseEnd()))) throw inFlight();
    this.#hold();
  }

  /** Tells the SHA-256 of the body. Throws what answers the request when it was carried out before. */
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

  /** Notes, in the transaction that makes it, the job that this request comes down to. */
  async made(transaction: Knex.Transaction, jobId: string): Promise<void> {
    this.#jobId = jobId;
    if (this.#hash) await linkJob(transaction, this.#scope, this.#hash, jobId);
  }

  /**
   * Records an answer that a repetition should get; after any other the key is free again. But not once there is a job:
   * then a repetition is sent to it. That the record cannot be written is no reason to withhold the answer.
   */
  async end(answer: RecordedAnswer | null): Promise<void> {
    clearInterval(this.#renewal);
    if (this.#recorded) return;
    await this.#record(answer).catch(() => {});
  }

  async #record(answer: RecordedAnswer | null): Promise<void> {
    const lasting =
      answer && this.#hash && (answer.status < 300 || answer.status === 400 || answer.status === 422);
    if (lasting) {
      await recordAnswer(
        this.#database,
        this.#scope,
        this.#holder,
        this.#hash as Buffer,
        this.#sealed(answer),
      );
    } else if (this.#jobId) await renewLease(this.#database, this.#scope, this.#holder, new Date());
    else await releaseKey(this.#database, this.#scope, this.#holder);
  }

  /** Answers may show a webhook's URL or secret, so they lie in the database as those do. */
  #sealed(answer: RecordedAnswer): RecordedAnswer {
    return { ...answer, body: this.#box.seal(answer.body, this.#owner).toString('base64') };
  }

  #opened(answer: RecordedAnswer): RecordedAnswer {
    const body = this.#box.open(Buffer.from(answer.body, 'base64'), this.#owner);
    if (body !== null) return { ...answer, body };
    throw new RequestError(
      409,
      'idempotency_unreadable',
      'What was answered under this key cannot be read any more.',
    );
  }

  #hold(): void {
    this.#renewal = setInterval(() => {
      renewLease(this.#database, this.#scope, this.#holder, leaseEnd()).catch(() => {});
    }, RENEW_EVERY_MS);
  }
}

const acceptedAs = (jobId: string): RecordedAnswer => ({
  status: 202,
  headers: { Location: `/v2/jobs/${jobId}`, 'Retry-After': '1' },
  body: JSON.stringify({
    status: 'success',
    message: 'Accepted before. Ask for the job to see how it goes.',
    jobId,
  }),
});

const leaseEnd = (): Date => new Date(Date.now() + LEASE_MS);

const inFlight = (): RequestError =>
  new RequestError(409, 'idempotency_in_flight', 'A request under this Idempotency-Key is still under way.', {
    headers: { 'Retry-After': '2' },
  });

const keptHeaders = (ctx: Koa.Context): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = ctx.response.get(name);
      return value ? [[name, value]] : [];
    }),
  );

const refusal = (error: RequestError, ctx: Koa.Context): RecordedAnswer => ({
  status: error.status,
  headers: error.details.headers ?? {},
  body: JSON.stringify(errorBody(error, ctx.state.requestId)),
});

function replay(ctx: Koa.Context, { status, headers, body }: RecordedAnswer): void {
  ctx.status = status;
  ctx.set({ ...headers, 'Idempotency-Replayed': 'true' });
  ctx.body = body === 'null' ? null : JSON.parse(body);
}
