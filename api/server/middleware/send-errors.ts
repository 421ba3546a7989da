import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { isDatabaseFull, isDatabaseUnavailable, PoolExhausted } from '../../../db/client/errors.js';
import { isStoreFull, isStoreUnavailable } from '../../../db/files/index.js';
import { describeError } from '../../../workers/process/describe-error.js';
import { QueueUnavailable } from '../../../workers/queues/producer.js';
import {
  errorBody,
  internalError,
  overloaded,
  RequestError,
  storageFull,
  unavailable,
} from '../../http/errors.js';
import { dropBody, isShort, lingerAfterAnswer } from '../../http/linger.js';
import type { Services } from '../../services.js';

/** Together with the wait for a connection, the response still comes within 2 s. */
const PROBE_WITHIN_MS = 300;

type Tools = Pick<Services, 'log' | 'probe'>;

/** Turns whatever went wrong into the one error body. What the client may not know goes to the log alone. */
export const answerErrors =
  (tools: Tools): Middleware =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status >= 400 && ctx.body == null) throw unrouted(ctx);
    } catch (error) {
      answer(ctx, await toRequestError(error, ctx, tools));
    }
  };

function answer(ctx: Context, error: RequestError): void {
  // What was set for the body that is not sent says nothing of this one.
  ctx.remove('Content-Disposition');
  ctx.remove('ETag');
  ctx.set('Cache-Control', 'no-store');
  ctx.status = error.status;
  ctx.set(error.details.headers ?? {});
  leaveBody(ctx);
  ctx.body = errorBody(error, ctx.state.requestId);
}

/** Drops the rest of the body or closes the connection: unread bytes would block the next request on it. */
function leaveBody(ctx: Context): void {
  if (isLongAndHalfRead(ctx.req)) ctx.set('Connection', 'close');
  if (ctx.response.get('Connection') === 'close') lingerAfterAnswer(ctx.req);
  else if (!ctx.req.complete) dropBody(ctx.req);
}

/**
 * Returns whether reading stopped in the middle of a long body. A body that no handler began to read is dropped instead:
 * some clients only look for the response after they have sent everything.
 */
const isLongAndHalfRead = (req: IncomingMessage): boolean =>
  !req.complete && req.readableDidRead && !isShort(req);

async function toRequestError(error: unknown, ctx: Context, { log, probe }: Tools): Promise<RequestError> {
  if (error instanceof RequestError) return error;
  if (error instanceof QueueUnavailable) return unavailable('The queue');
  if (error instanceof PoolExhausted && (await probe.responds(PROBE_WITHIN_MS))) return noConnection();
  if (isDatabaseFull(error)) return storageFull('The disk of the database');
  if (isDatabaseUnavailable(error)) return unavailable('The database');
  if (isOutOfDescriptors(error)) return overloaded('This server has too many open files');
  if (isStoreFull(error)) return storageFull('The file store');
  if (isStoreUnavailable(error) || isReadOnly(error)) return unavailable('The file store', 5);
  log.error({ requestId: ctx.state.requestId, error: describeError(error) }, 'a request failed unexpectedly');
  return internalError();
}

/** The database responds, but this process keeps all its connections to it busy. */
const noConnection = (): RequestError => overloaded('All connections to the database are in use');

/** What the router leaves without a body: no such address, or (with `Allow` set already) no such method there. */
const unrouted = (ctx: Context): RequestError =>
  ctx.status === 404
    ? new RequestError(404, 'not_found', `There is nothing at ${ctx.path.slice(0, 200)}.`)
    : new RequestError(
        405,
        'method_not_allowed',
        'This address does not take that method; see the header Allow.',
      );

const isOutOfDescriptors = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException)?.code ?? '');

const isReadOnly = (error: unknown): boolean => (error as NodeJS.ErrnoException)?.code === 'EROFS';
