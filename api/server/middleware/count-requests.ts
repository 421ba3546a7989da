import type { Middleware } from 'koa';
import type { RequestMetrics } from '../../metrics/request-metrics.js';

/** Counts every request with the time it took. One that its route answered by itself counts as what it is, an event. */
export const countRequests =
  (requests: RequestMetrics): Middleware =>
  async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    if (ctx.respond !== false) requests.count(ctx, (performance.now() - startedAt) / 1_000);
  };
