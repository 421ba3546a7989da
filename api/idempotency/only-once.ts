import type Koa from 'koa';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { badRequest, RequestError } from '../http/errors.js';
import { type IdempotencyServices, IdempotentRequest } from './idempotent-request.js';
import { errorResponse, Replay, replay, responseOf } from './recorded-responses.js';

/** The format of an `Idempotency-Key`: 1 to 255 ASCII characters without spaces. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs `handle` at most once per `Idempotency-Key`. A repetition within 24 h gets the recorded response.
 *
 * `handle` must report the body (`bodyRead`) before it changes anything: only the body tells a repetition from a different
 * request under the same key.
 *
 * @throws RequestError 409 while another request holds the key, 422 if a different request used it
 */
export async function onlyOnce(
  ctx: Koa.Context,
  apiKeyId: string,
  services: IdempotencyServices,
  handle: (request: IdempotentRequest) => Promise<void>,
): Promise<void> {
  const key = ctx.get('idempotency-key');
  if (!IDEMPOTENCY_KEY.test(key)) throw invalidKey();
  const scope = { apiKeyId, method: ctx.method, path: ctx.path.slice(0, 255), key };
  const { requestId } = ctx.state;
  const request = new IdempotentRequest(services, scope, { query: ctx.querystring, requestId });
  await request.begin();
  try {
    await handle(request);
  } catch (error) {
    if (error instanceof Replay) return replay(ctx, error.response);
    const ended = request.end(error instanceof RequestError ? errorResponse(error, requestId) : null);
    // The client has already waited for the database.
    if (!isDatabaseUnavailable(error)) await ended;
    throw error;
  }
  await request.end(responseOf(ctx));
}

const invalidKey = (): RequestError =>
  badRequest(
    'invalid_idempotency_key',
    'Invalid `Idempotency-Key`: must have 1 to 255 ASCII characters and no spaces.',
  );
