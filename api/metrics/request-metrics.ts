import type { Context } from 'koa';
import { Histogram, type Registry } from 'prom-client';

/** All other methods count as `other`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Durations of requests by method, route and status. The route is a pattern, not an address, so the number of series is
 * limited. Events are not included: they pass no middleware, see `intake-metrics.ts`.
 */
export class RequestMetrics {
  readonly #seconds: Histogram;

  constructor(registry: Registry) {
    this.#seconds = new Histogram({
      name: 'muster_http_request_duration_seconds',
      help: 'Duration of requests other than events, by route pattern: from the request head to the start of the response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 20, 60],
      registers: [registry],
    });
  }

  count({ method, status, state }: Context, seconds: number): void {
    const labels = {
      method: METHODS.has(method) ? method : 'other',
      route: patternOf(state.route),
      status: String(status),
    };
    this.#seconds.observe(labels, seconds);
  }
}

/** Returns a route's pattern without the method, which has its own label. */
const patternOf = (route: string | undefined): string => route?.replace(/^[A-Z]+ /, '') ?? 'unmatched';
