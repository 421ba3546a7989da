import { z } from 'zod';
import { lastHour } from '../../../workers/queues/intake-gauge.js';
import { readOverview } from '../../../workers/queues/overview.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';

const count = z.number().int();
export const healthSchema = z.object({
  queues: z.array(
    z.object({
      queue: z.string(),
      waiting: count,
      active: count,
      delayed: count,
      oldestAt: z.iso.datetime().nullable().meta({ description: 'When the oldest waiting job was added' }),
    }),
  ),
  eventsPending: count.meta({ description: 'Approximate number of accepted events that are not stored yet' }),
  minutes: z.array(
    z.object({
      minute: z.iso.datetime(),
      accepted: count,
      stored: count,
      filtered: count.meta({ description: 'Stored events that a filter dropped' }),
      failed: count,
      alerts: count,
    }),
  ),
  workers: z.array(z.object({ id: z.string(), lastSeenAt: z.iso.datetime() })),
});

export const getServiceHealth = defineRoute({
  method: 'get',
  path: '/v2/health',
  operationId: 'getServiceHealth',
  tag: 'Health',
  summary: 'Get the depth of the queues, the events per minute of the last hour, and the workers',
  scopes: ['admin', 'alerts:read'],
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'The health of the service', body: z.object({ ...success, data: healthSchema }) },
    ...failures(),
  },
  handle: async ({ ctx, services: { redis, settings, producer } }) => {
    const prefix = settings.redisPrefix;
    const [{ depths, eventsPending, workers }, minutes] = await producer.whileReady(() =>
      Promise.all([readOverview(redis, prefix), lastHour(redis, prefix)]),
    );
    ctx.body = {
      status: 'success',
      data: {
        queues: depths.map((depth) => ({ ...depth, oldestAt: depth.oldestAt?.toISOString() ?? null })),
        eventsPending,
        minutes: minutes.map((minute) => ({ ...minute, minute: minute.minute.toISOString() })),
        workers: workers.map(({ id, lastSeenAt }) => ({ id, lastSeenAt: lastSeenAt.toISOString() })),
      },
    };
  },
});
