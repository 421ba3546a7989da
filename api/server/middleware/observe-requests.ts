import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import { SAFE_REQUEST_ID } from '../../http/request-id.js';
import type { RequestMetrics } from '../../metrics/request-metrics.js';

/** Logs one line per request, with the pattern of the route in place of the URL: the log has no ids, queries or tokens. */
export const logRequests =
  (log: Logger): Middleware =>
  async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const level = ctx.state.quiet ? 'debug' : ctx.status >= 500 ? 'warn' : 'info';
    log[level](
      {
        requestId: ctx.state.requestId,
        method: ctx.method,
        route: ctx.state.route ?? null,
        status: ctx.status,
        ms: Math.round(performance.now() - startedAt),
        ...(ctx.state.jobId ? { jobId: ctx.state.jobId } : {}),
      },
      'request',
    );
  };

/** Gives the request one id for its job and log lines: the client's `X-Request-Id` if it is safe, otherwise a new UUID. */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state.requestId = SAFE_REQUEST_ID.test(given) ? given : uuidv7();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
};

/** Counts every request and its duration. Events, whose route responds without Koa, are counted by the intake. */
export const countRequests =
  (requests: RequestMetrics): Middleware =>
  async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    if (ctx.respond !== false) requests.count(ctx, (performance.now() - startedAt) / 1_000);
  };
