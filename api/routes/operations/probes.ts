import type { Context } from 'koa';
import { z } from 'zod';
import { livingWorkers } from '../../../workers/queues/heartbeat.js';
import { shardPrefixes } from '../../../workers/queues/shards/queue-prefix.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { errorBody, RequestError } from '../../http/errors.js';
import type { ApiServices } from '../../services.js';

export const healthz = defineRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'getLiveness',
  tag: 'Health',
  summary: 'Check that the process is alive',
  scopes: 'public',
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'The process is alive', body: z.object({ status: z.literal('success') }) },
  },
  handle: async ({ ctx }) => {
    ctx.state.quiet = true;
    ctx.body = { status: 'success' };
  },
});

const READY_WITHIN_MS = 1_500;

const replicas = z
  .boolean()
  .optional()
  .meta({ description: 'Enough replicas of Redis confirm writes. Only with `REDIS_WAIT_REPLICAS`' });

const readiness = z.looseObject({
  status: z.enum(['success', 'error']),
  redis: z.boolean(),
  database: z.boolean(),
  storage: z.boolean().meta({ description: 'The file store responds' }),
  worker: z.boolean().meta({ description: 'A worker that takes jobs reported within the last 6 s' }),
  replicas,
});

export const readyz = defineRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'Health',
  summary: 'Check that Redis, the database, the file store and a worker are available',
  scopes: 'public',
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'Ready', body: readiness },
    503: {
      description:
        'Not ready: the services that are false are unavailable, or the process is shutting down (`shutting_down`)',
      body: readiness,
      headers: { 'Retry-After': 'always' },
    },
  },
  handle: async ({ ctx, requestId, services }) => {
    const [database, storage, workers, confirming] = await Promise.all([
      services.probe.responds(READY_WITHIN_MS),
      services.storeProbe.responds(READY_WITHIN_MS),
      workersSeen(services),
      replicasConfirm(services, () => services.replication.check()),
    ]);
    respond(ctx, requestId, services, {
      redis: workers !== null,
      database,
      storage,
      worker: !!workers,
      ...confirming,
    });
  },
});

const clock = z.boolean().meta({
  description:
    'The time is known: at least two of the clocks of this host, Redis and the database differ by less than a minute',
});

const intakeReadiness = z.looseObject({
  status: z.enum(['success', 'error']),
  redis: z.boolean(),
  clock,
  replicas,
});

/** Load balancers need it: without it, an outage of the database or of the file store would keep events away as well. */
export const readyzIntake = defineRoute({
  method: 'get',
  path: '/readyz/intake',
  operationId: 'getIntakeReadiness',
  tag: 'Health',
  summary: 'Check that events can be accepted',
  description:
    'For a load balancer that sends `/api/v1/webhook/` here. Events need only Redis: they wait there while the database, the file store or the workers are unavailable.',
  scopes: 'public',
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'Ready', body: intakeReadiness },
    503: {
      description:
        'Not ready: Redis is unavailable, the time is unknown, or the process is shutting down (`shutting_down`)',
      body: intakeReadiness,
      headers: { 'Retry-After': 'always' },
    },
  },
  handle: async ({ ctx, requestId, services }) => {
    const [workers, isTimeSure, confirming] = await Promise.all([
      workersSeen(services),
      services.clock.becomeSure(),
      replicasConfirm(services, () => services.replication.checkAny(shardsOf(services))),
    ]);
    // Without Redis there is no second clock, and Redis is what is missing.
    const redis = workers !== null;
    respond(ctx, requestId, services, { redis, clock: !redis || isTimeSure, ...confirming });
  },
});

interface Parts {
  redis: boolean;
  replicas?: boolean;
  [other: string]: boolean;
}

function respond(ctx: Context, requestId: string, { settings, closing }: ApiServices, parts: Parts): void {
  ctx.state.quiet = true;
  const ready = !closing.aborted && Object.values(parts).every(Boolean);
  ctx.status = ready ? 200 : 503;
  if (!ready) ctx.set('Retry-After', '2');
  const error = closing.aborted ? shuttingDown() : notReady(parts, settings);
  ctx.body = ready ? { status: 'success', ...parts } : { ...errorBody(error, requestId), ...parts };
}

function notReady(parts: Parts, { redisWaitReplicas }: ApiServices['settings']): RequestError {
  const missing = Object.entries(parts).filter(([, isAvailable]) => !isAvailable);
  const names = missing.map(([name]) => name).join(', ');
  const advice =
    parts.redis && parts.replicas === false
      ? ` Fewer than ${redisWaitReplicas} replicas of Redis confirm writes: check them, or lower REDIS_WAIT_REPLICAS.`
      : '';
  if (parts.clock === false)
    return new RequestError(
      503,
      'not_ready',
      'Not ready: the time is unknown. No two of the clocks of this host, Redis and the database agree: correct them with NTP.',
    );
  return new RequestError(503, 'not_ready', `Not ready: unavailable: ${names}.${advice}`);
}

const shuttingDown = (): RequestError =>
  new RequestError(503, 'shutting_down', 'This process is shutting down. Send requests to another one.');

const workersSeen = ({ redis, settings }: ApiServices): Promise<number | null> =>
  livingWorkers(redis, settings.redisPrefix).then(
    (workers) => workers.filter(({ held }) => held === null).length,
    () => null,
  );

/** Events for the shards of one master are accepted while the replicas of another one are unavailable. */
const shardsOf = ({ settings: { redisPrefix, intakeShards } }: ApiServices): string[] =>
  shardPrefixes(redisPrefix, intakeShards);

/** Whether enough replicas of Redis confirm writes; nothing if writes do not wait for any. */
const replicasConfirm = async (
  { replication }: ApiServices,
  check: () => Promise<void>,
): Promise<Pick<Parts, 'replicas'>> =>
  replication.replicas === 0
    ? {}
    : check().then(
        () => ({ replicas: true }),
        () => ({ replicas: false }),
      );
