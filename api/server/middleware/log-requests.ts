import type { Middleware } from 'koa';
import type { Logger } from 'pino';

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
