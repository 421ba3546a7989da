import type { Context } from 'koa';
import { Histogram, type Registry } from 'prom-client';

/** Any other word that a client may take for a method counts as one. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Requests by method, route and status. The route is its pattern, never the address, so the series are as many as the
 * interface has answers. Events are not among them: they pass no middleware, see `intake-metrics.ts`.
 */
export class RequestMetrics {
  readonly #seconds: Histogram;

  constructor(registry: Registry) {
    this.#seconds = new Histogram({
      name: 'muster_http_request_duration_seconds',
      help: 'Requests other than events, by route pattern: from their head to the beginning of the answer',
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

/** Routes name themselves with their method; here that is a label of its own. */
const patternOf = (route: string | undefined): string => route?.replace(/^[A-Z]+ /, '') ?? 'unmatched';
