import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import {
  isConflict,
  isDatabaseFull,
  isDatabaseUnavailable,
  PoolExhausted,
} from '../../../db/client/errors.js';
import { errorCode, isStoreFull, isStoreUnavailable } from '../../../db/files/index.js';
import { describeError } from '../../../workers/process/describe-error.js';
import { QueueUnavailable } from '../../../workers/queues/producer.js';
import {
  errorBody,
  internalError,
  methodNotAllowed,
  overloaded,
  RequestError,
  storageFull,
  unavailable,
} from '../../http/errors.js';
import { awaitsContinue } from '../../http/expect.js';
import { dropBody, isShort, lingerAfterResponse } from '../../http/linger.js';
import type { ApiServices } from '../../services.js';

/** Short enough for the response to be sent within 2 s, including the wait for a connection. */
const PROBE_WITHIN_MS = 300;

type Tools = Pick<ApiServices, 'log' | 'probe'>;

/** Responds to every error with the same error body. Details that the client must not see are only logged. */
export const sendErrors =
  (tools: Tools): Middleware =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status >= 400 && ctx.body == null) throw unrouted(ctx);
    } catch (error) {
      send(ctx, await toRequestError(error, ctx, tools));
    }
  };

function send(ctx: Context, error: RequestError): void {
  // These headers describe the body that is not sent.
  ctx.remove('Content-Disposition');
  ctx.remove('ETag');
  ctx.set('Cache-Control', 'no-store');
  ctx.status = error.status;
  ctx.set(error.details.headers ?? {});
  finishBody(ctx);
  ctx.body = errorBody(error, ctx.state.requestId);
}

/** Discards the rest of the body or closes the connection, because unread bytes would block the next request. */
function finishBody(ctx: Context): void {
  if (isLongAndHalfRead(ctx.req) || awaitsContinue(ctx.req)) ctx.set('Connection', 'close');
  if (ctx.response.get('Connection') === 'close') lingerAfterResponse(ctx.req);
  else if (!ctx.req.complete) dropBody(ctx.req);
}

/**
 * Returns whether a handler stopped reading in the middle of a long body. A body that no handler began to read is
 * discarded instead, because some clients read the response only after they have sent everything.
 */
const isLongAndHalfRead = (req: IncomingMessage): boolean =>
  !req.complete && req.readableDidRead && !isShort(req);

async function toRequestError(error: unknown, ctx: Context, { log, probe }: Tools): Promise<RequestError> {
  if (error instanceof RequestError) return error;
  if (error instanceof QueueUnavailable) return unavailable('The queue');
  if (error instanceof PoolExhausted && (await probe.responds(PROBE_WITHIN_MS))) return noConnection();
  if (isDatabaseFull(error)) return storageFull('The disk of the database');
  if (isDatabaseUnavailable(error)) return unavailable('The database');
  if (isConflict(error)) return overloaded('Too many requests change the same data');
  if (isOutOfDescriptors(error)) return overloaded('This server has too many open files');
  if (isStoreFull(error)) return storageFull('The file store');
  if (isStoreUnavailable(error) || isReadOnly(error)) return unavailable('The file store', 5);
  log.error({ requestId: ctx.state.requestId, error: describeError(error) }, 'a request failed unexpectedly');
  return internalError();
}

/** The database responds, but this process keeps all its connections to it busy. */
const noConnection = (): RequestError => overloaded('All connections to the database are in use');

/** What a client that cannot send PATCH, or DELETE with a body, can do. */
const POST_INSTEAD: Readonly<Record<string, string>> = {
  '/v2/developers/identities':
    ' Clients that can only POST use /v2/developers/identities/imports and /v2/developers/identities/removals.',
};

/** Returns the error for an unknown path, or for an unknown method; the router has set `Allow` for the latter. */
const unrouted = (ctx: Context): RequestError =>
  ctx.status === 404
    ? new RequestError(404, 'not_found', `The path ${ctx.path.slice(0, 200)} does not exist.`)
    : methodNotAllowed(
        `This path does not support the method. The \`Allow\` header lists those that it supports.${POST_INSTEAD[ctx.path] ?? ''}`,
      );

const isOutOfDescriptors = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(errorCode(error));

const isReadOnly = (error: unknown): boolean => errorCode(error) === 'EROFS';
