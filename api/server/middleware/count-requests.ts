import type { Middleware } from 'koa';
import type { RequestMetrics } from '../../metrics/request-metrics.js';

/** Counts every request and its duration. Events, whose route responds without Koa, are counted by the intake. */
export const countRequests =
  (requests: RequestMetrics): Middleware =>
  async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    if (ctx.respond !== false) requests.count(ctx, (performance.now() - startedAt) / 1_000);
  };
