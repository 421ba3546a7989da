import { z } from 'zod';
import type { FiringCounts } from '../../../db/series/firing-counts.js';
import { listHorizons, SUBJECTS } from '../../../db/upkeep/horizons.js';
import type { ClockWatch } from '../../../workers/clocks/clock-watch.js';
import { lastHour } from '../../../workers/queues/intake-gauge.js';
import { readOverview } from '../../../workers/queues/overview.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import type { ApiServices } from '../../services.js';

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
  workers: z.array(
    z.object({
      id: z.string(),
      lastSeenAt: z.iso.datetime(),
      held: z.string().nullable().meta({ description: 'Why the worker takes no jobs: its clock is wrong' }),
    }),
  ),
  clocks: z
    .object({
      redisAheadMs: count.nullable(),
      databaseAheadMs: count.nullable(),
      wrong: z
        .array(z.enum(['host', 'redis', 'database']))
        .meta({ description: 'Clocks that are more than a minute wrong; all if no two agree' }),
    })
    .meta({
      description:
        'How far the clocks of Redis and of the database are ahead of that of this API host. `null`: not known yet',
    }),
  upkeep: z
    .object({
      lastTurnAt: z.iso
        .datetime()
        .nullable()
        .meta({ description: 'When upkeep last removed what had expired' }),
      refused: z.array(z.object({ subject: z.enum(SUBJECTS), before: z.iso.datetime() })).meta({
        description:
          'What upkeep does not remove, because the time since its last turn does not explain it. `npm run upkeep -- --force` allows it',
      }),
    })
    .nullable()
    .meta({ description: '`null` if the database did not respond' }),
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
    'Get the depth of the queues, the events per minute of the last hour, the workers, the clocks, and the firing alerts',
  scopes: ['admin', 'alerts:read'],
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'The health of the service', body: z.object({ ...success, data: healthSchema }) },
    ...failures(),
  },
  handle: async ({ ctx, services }) => {
    const { redis, settings, producer, firing, clock } = services;
    const prefix = settings.redisPrefix;
    const counting = firing.count(FIRING_WITHIN_MS);
    const upkeep = readUpkeep(services);
    const [{ depths, eventsPending, workers }, minutes] = await producer.whileReady(() =>
      Promise.all([readOverview(redis, prefix), lastHour(redis, prefix)]),
    );
    ctx.body = {
      status: 'success',
      data: {
        queues: depths.map((depth) => ({ ...depth, oldestAt: depth.oldestAt?.toISOString() ?? null })),
        eventsPending,
        minutes: minutes.map((minute) => ({ ...minute, minute: minute.minute.toISOString() })),
        workers: workers.map((worker) => ({ ...worker, lastSeenAt: worker.lastSeenAt.toISOString() })),
        clocks: presentClocks(clock),
        upkeep: await upkeep,
        firing: presentFiring(await counting),
      },
    };
  },
});

function presentClocks({ offsets, wrong }: ClockWatch): z.input<typeof healthSchema>['clocks'] {
  const whole = (ms: number | null) => (ms === null ? null : Math.round(ms));
  return {
    redisAheadMs: whole(offsets.redis),
    databaseAheadMs: whole(offsets.database),
    wrong,
  };
}

/** Never rejects. */
async function readUpkeep({ probe }: ApiServices): Promise<z.input<typeof healthSchema>['upkeep']> {
  const horizons = await listHorizons(probe.database).catch(() => null);
  if (!horizons) return null;
  const turn = horizons.find(({ subject }) => subject === 'clock');
  return {
    lastTurnAt: turn?.movedAt.toISOString() ?? null,
    refused: horizons.flatMap(({ subject, refused, allowed }) =>
      refused && !allowed ? [{ subject, before: refused.toISOString() }] : [],
    ),
  };
}

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
