import { z } from 'zod';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';

export const getMetrics = defineRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  tag: 'Health',
  summary: 'Get the metrics of this API host for Prometheus',
  description:
    'Responds within about a second. While Redis is unavailable, `muster_redis_up` is 0 and the metrics of the queues are ' +
    'absent. With `METRICS_PORT`, the same metrics are served on that port without a key.',
  scopes: ['admin'],
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'The metrics in the Prometheus text format 0.0.4',
      body: { 'text/plain': z.string() },
    },
    ...failures(),
  },
  handle: async ({ ctx, services: { metrics } }) => {
    ctx.state.quiet = true;
    ctx.set({ 'Content-Type': metrics.contentType });
    ctx.body = await metrics.scrape();
  },
});
