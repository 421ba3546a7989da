import type { Middleware } from 'koa';
import { uuidv7 } from 'uuidv7';
import { SAFE_REQUEST_ID } from '../../http/request-id.js';

/** Gives the request one id for its job and log lines: the client's `X-Request-Id` if it is safe, otherwise a new UUID. */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state.requestId = SAFE_REQUEST_ID.test(given) ? given : uuidv7();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
};
