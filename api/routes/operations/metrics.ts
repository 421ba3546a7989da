import { z } from 'zod';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';

export const getMetrics = defineRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  tag: 'Health',
  summary: 'Metrics of this API host, for Prometheus',
  description:
    'Answers within about a second; while Redis is away `muster_redis_up` is 0 and the figures of the queues are not there. ' +
    'With `METRICS_PORT` the same is served on a port of its own, without a key.',
  scopes: ['admin'],
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'Text format 0.0.4 of Prometheus', body: { 'text/plain': z.string() } },
    ...failures(),
  },
  handle: async ({ ctx, services: { metrics } }) => {
    ctx.state.quiet = true;
    ctx.set({ 'Content-Type': metrics.contentType });
    ctx.body = await metrics.scrape();
  },
});
