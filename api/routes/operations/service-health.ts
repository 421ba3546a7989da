import { z } from 'zod';
import type { FiringCounts } from '../../../db/series/firing-counts.js';
import { lastHour } from '../../../workers/queues/intake-gauge.js';
import { readOverview } from '../../../workers/queues/overview.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';

/** The page does not wait longer for the database. */
const FIRING_WITHIN_MS = 2_000;
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
  firing: z
    .object({
      hasSeries: z.boolean().meta({ description: 'Whether any event has had a `dedupKey`' }),
      alerts: count,
      neverResolved: count.meta({
        description: 'Those with a `dedupKey` for which no alert has been resolved yet',
      }),
      webhooks: z
        .array(
          z.object({
            webhookId: z.uuid(),
            alerts: count,
            neverResolved: count,
            severities: z
              .array(z.object({ severity: z.string().nullable(), alerts: count }))
              .meta({ description: 'At most 20, in lower case, the most frequent first' }),
          }),
        )
        .meta({ description: 'At most 1,000 integrations, those with the most firing alerts first' }),
    })
    .nullable()
    .meta({
      description:
        'Alerts that fire now, counted at most a minute ago. `null` if the database did not respond',
    }),
});

export const getServiceHealth = defineRoute({
  method: 'get',
  path: '/v2/health',
  operationId: 'getServiceHealth',
  tag: 'Health',
  summary:
    'Get the depth of the queues, the events per minute of the last hour, the workers, and the firing alerts',
  scopes: ['admin', 'alerts:read'],
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'The health of the service', body: z.object({ ...success, data: healthSchema }) },
    ...failures(),
  },
  handle: async ({ ctx, services: { redis, settings, producer, firing } }) => {
    const prefix = settings.redisPrefix;
    const counting = firing.count(FIRING_WITHIN_MS);
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
        firing: presentFiring(await counting),
      },
    };
  },
});

const MAX_WEBHOOKS = 1_000;
const MAX_SEVERITIES = 20;

function presentFiring(counts: FiringCounts | null): z.input<typeof healthSchema>['firing'] {
  if (!counts) return null;
  const { hasSeries, webhooks } = counts;
  const sum = (name: 'alerts' | 'neverResolved') => webhooks.reduce((total, one) => total + one[name], 0);
  return {
    hasSeries,
    alerts: sum('alerts'),
    neverResolved: sum('neverResolved'),
    webhooks: webhooks.slice(0, MAX_WEBHOOKS).map(({ severities, ...webhook }) => ({
      ...webhook,
      severities: severities.slice(0, MAX_SEVERITIES),
    })),
  };
}
