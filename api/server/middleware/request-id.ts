import type { Middleware } from 'koa';
import { uuidv7 } from 'uuidv7';

/** What a caller may call its request. */
export const SAFE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** One id from the request to the job to its log lines: the caller's `X-Request-Id` when it is a plain word. */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state.requestId = SAFE_REQUEST_ID.test(given) ? given : uuidv7();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
};
