import { z } from 'zod';
import type { HeartbeatPing } from '../../../workers/queues/contracts/alert-intake.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, type Input, type Route } from '../../endpoint/route.js';
import { notFound } from '../../http/errors.js';
import { tellQuota } from '../../intake/rate-limits.js';
import { withoutToken } from '../../intake/token.js';
import { INTAKE_PREFIX } from '../events/intake.js';
import { readLog } from './read-log.js';
import { heartbeatName } from './schema.js';

const PATH = `${INTAKE_PREFIX}{webhook_id}/heartbeat/{name}`;

const NAMED = {
  webhook_id: z.string().max(255).meta({ description: 'The secret part of the URL of the integration' }),
  name: heartbeatName,
};
const result = z
  .string()
  .regex(
    /^(?:start|fail|\d{1,2}|1\d\d|2[0-4]\d|25[0-5])$/,
    'must be start, fail or an exit status from 0 to 255',
  )
  .meta({
    description:
      '`start`: the job starts. `fail`: it failed. A number is its exit status: 0 is success, anything else a failure',
  });

const responses = {
  202: {
    description: 'Accepted. The ping will be stored exactly once',
    body: z.object({ ...success, message: z.string(), eventId: z.uuid() }),
    headers: { Location: 'always', RateLimit: 'sometimes', 'RateLimit-Policy': 'sometimes' },
  },
  ...failures(400, 404, 415, 429),
} satisfies Route['responses'];

const DESCRIPTION =
  'For jobs that report by themselves, such as `command && curl -fsS URL`. The first 64 KiB of a body are kept as the log, the rest is dropped. `HEAD` works like `GET`.';

/** Returns the routes of a method: without a result, which is success, and with one. */
const pings = (method: 'get' | 'post', [ofSuccess, ofResult]: [string, string]): Route[] => [
  defineRoute({
    method,
    path: PATH,
    operationId: ofSuccess,
    changesNothing: true,
    tag: 'Heartbeat',
    summary: 'Report that a job succeeded',
    description: DESCRIPTION,
    scopes: 'public',
    query: z.object({}),
    params: z.object(NAMED),
    ...(method === 'post' ? { requestBody: { 'text/plain': z.string() } } : {}),
    responses,
    handle: (input) => receive(input, { result: 'success' }),
  }),
  defineRoute({
    method,
    path: `${PATH}/{result}`,
    operationId: ofResult,
    changesNothing: true,
    tag: 'Heartbeat',
    summary: 'Report that a job starts, failed, or ended with an exit status',
    description: DESCRIPTION,
    scopes: 'public',
    query: z.object({}),
    params: z.object({ ...NAMED, result }),
    ...(method === 'post' ? { requestBody: { 'text/plain': z.string() } } : {}),
    responses,
    handle: (input) => receive(input, toReport(input.params.result)),
  }),
];

export const pingRoutes: readonly Route[] = [
  ...pings('post', ['sendHeartbeat', 'sendHeartbeatResult']),
  ...pings('get', ['pingHeartbeat', 'pingHeartbeatResult']),
];

type PingResult = Pick<HeartbeatPing, 'result' | 'exitStatus'>;

/** Returns what a ping reports whose path ends with `start`, `fail`, `log` or an exit status. */
export function toReport(text: string): PingResult {
  if (text === 'start' || text === 'log') return { result: text };
  if (text === 'fail') return { result: 'failure' };
  const exitStatus = Number(text);
  return exitStatus === 0 ? { result: 'success' } : { result: 'failure', exitStatus };
}

async function receive(
  { ctx, params, services }: Input<unknown, { webhook_id: string; name: string }>,
  report: PingResult,
): Promise<void> {
  const { intake } = services;
  const { webhook_id, name } = params;
  const target = await intake.directory.find(webhook_id);
  intake.senders.count(target, { path: '/heartbeat', atRoot: false }, ctx.req.headers);
  const severity = intake.directory.severityOf(target.webhook.id, name);
  if (severity === undefined) throw notFound('heartbeat');
  intake.rejectWhenFull(target);
  const { log, release } = await readLog(ctx.req, ctx.res, { intake, target });
  try {
    const quota = await intake.admitPing(target);
    const eventId = await intake.acceptPing(
      target,
      ctx.req,
      { heartbeat: name, severity, ...report },
      withoutToken(log, webhook_id),
    );
    tellQuota(ctx.res, quota);
    ctx.status = 202;
    ctx.set('Location', `/v2/events/${eventId}`);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { status: 'success', message: 'Ping accepted.', eventId };
  } finally {
    release();
  }
}
