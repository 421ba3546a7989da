import { z } from 'zod';
import { livingWorkers } from '../../../workers/queues/heartbeat.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { errorBody, RequestError } from '../../http/errors.js';
import type { Services } from '../../services.js';

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

const readiness = z.looseObject({
  status: z.enum(['success', 'error']),
  redis: z.boolean(),
  database: z.boolean(),
  worker: z.boolean().meta({ description: 'A worker reported within the last 6 s' }),
  replicas: z
    .boolean()
    .optional()
    .meta({ description: 'Enough replicas of Redis confirm writes. Only with `REDIS_WAIT_REPLICAS`' }),
});

export const readyz = defineRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'Health',
  summary: 'Check that Redis, the database and a worker are available',
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
    ctx.state.quiet = true;
    const [database, workers, replicas] = await Promise.all([
      databaseResponds(services),
      workersSeen(services),
      replicasConfirm(services),
    ]);
    const parts = {
      redis: workers !== null,
      database,
      worker: !!workers,
      ...(replicas === null ? {} : { replicas }),
    };
    const ready = !services.closing.aborted && Object.values(parts).every(Boolean);
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set('Retry-After', '2');
    const error = services.closing.aborted ? shuttingDown() : notReady(parts, services.settings);
    ctx.body = ready ? { status: 'success', ...parts } : { ...errorBody(error, requestId), ...parts };
  },
});

type Parts = Pick<z.infer<typeof readiness>, 'redis' | 'database' | 'worker' | 'replicas'>;

function notReady(parts: Parts, { redisWaitReplicas }: Services['settings']): RequestError {
  const missing = Object.entries(parts).filter(([, isAvailable]) => !isAvailable);
  const names = missing.map(([name]) => name).join(', ');
  const advice =
    parts.redis && parts.replicas === false
      ? ` Fewer than ${redisWaitReplicas} replicas of Redis confirm writes: check them, or lower REDIS_WAIT_REPLICAS.`
      : '';
  return new RequestError(503, 'not_ready', `Not ready: unavailable: ${names}.${advice}`);
}

const shuttingDown = (): RequestError =>
  new RequestError(503, 'shutting_down', 'This process is shutting down. Send requests to another one.');

const databaseResponds = ({ probe }: Services): Promise<boolean> => probe.responds(READY_WITHIN_MS);

const workersSeen = ({ redis, settings }: Services): Promise<number | null> =>
  livingWorkers(redis, settings.redisPrefix).then(
    (workers) => workers.length,
    () => null,
  );

/** Resolves to whether enough replicas of Redis confirm writes; null if writes do not wait for any. */
const replicasConfirm = async ({ replication }: Services): Promise<boolean | null> =>
  replication.replicas === 0
    ? null
    : replication.check().then(
        () => true,
        () => false,
      );
