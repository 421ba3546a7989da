import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import {
  checkDeleted,
  type HeartbeatState,
  heartbeatStates,
  NEW_HEARTBEAT,
} from '../../../db/heartbeats/heartbeat-states.js';
import {
  deleteHeartbeats,
  findHeartbeats,
  type Heartbeat,
  listHeartbeats as readHeartbeats,
} from '../../../db/heartbeats/heartbeats.js';
import { inChange } from '../../../db/webhooks/webhook-change.js';
import { nextProblem } from '../../../workers/heartbeats/next-problem.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { presentWebhook } from '../webhooks/present.js';
import { MAX_HEARTBEATS, saveChecked } from './save.js';
import { heartbeatName, heartbeatSchema, heartbeatSettings } from './schema.js';

const NAME_PARAMS = ID_PARAMS.extend({ name: heartbeatName });
const oneHeartbeat = z.object({ ...success, data: heartbeatSchema });

export const listHeartbeats = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}/heartbeats',
  operationId: 'listHeartbeats',
  tag: 'Heartbeat',
  summary: 'List the heartbeats of an integration with their states, by name',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: {
      description: `All heartbeats: at most ${MAX_HEARTBEATS.toLocaleString('en-US')}`,
      body: z.object({ ...success, data: z.array(heartbeatSchema) }),
    },
    ...failures(404),
  },
  handle: async ({ ctx, params: { id }, principal, services }) => {
    const { database } = services;
    const { url } = await presentWebhook(services, principal, id);
    const states = await heartbeatStates(database, id);
    const heartbeats = await readHeartbeats(database, id);
    const data: Presented[] = [];
    for (const one of heartbeats) {
      data.push(present(one, states.get(one.name) ?? NEW_HEARTBEAT, url));
      // The next time of a cron expression takes up to a millisecond, and of a rare one more.
      await yieldToOthers();
    }
    ctx.body = { status: 'success', data };
  },
});

export const getHeartbeat = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}/heartbeats/{name}',
  operationId: 'getHeartbeat',
  tag: 'Heartbeat',
  summary: 'Get a heartbeat with its state',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: NAME_PARAMS,
  responses: { 200: { description: 'The heartbeat', body: oneHeartbeat }, ...failures(404) },
  handle: async ({ ctx, params: { id, name }, principal, services }) => {
    const { url } = await presentWebhook(services, principal, id);
    ctx.body = { status: 'success', data: await read(services.database, { webhookId: id, name }, url) };
  },
});

export const putHeartbeat = defineRoute({
  method: 'put',
  path: '/v2/webhooks/{id}/heartbeats/{name}',
  operationId: 'putHeartbeat',
  tag: 'Heartbeat',
  summary: 'Create a heartbeat, or replace its settings',
  description:
    'A job of another system that is expected to ping a URL. If it does not in time, fails, or runs too long, that is an alert of the integration with the ' +
    `\`dedupKey\` \`muster:heartbeat:NAME\`, which the next success resolves. An integration has at most ${MAX_HEARTBEATS.toLocaleString('en-US')}.`,
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: NAME_PARAMS,
  requestBody: { 'application/json': heartbeatSettings },
  responses: {
    200: { description: 'The changed heartbeat', body: oneHeartbeat },
    201: { description: 'The new heartbeat', body: oneHeartbeat, headers: { Location: 'always' } },
    ...failures(400, 404, 409, 415),
  },
  handle: async (input) => {
    const { principal, once, services } = input;
    const { id: webhookId, name } = input.params;
    const settings = await readJson(input.ctx, heartbeatSettings, once);
    await changeOnce(input, async (transaction) => {
      const { url } = await presentWebhook({ ...services, database: transaction }, principal, webhookId);
      const key = { webhookId, name };
      const [before] = await findHeartbeats(transaction, [key]);
      const isNew = await inChange(transaction, async (change) => {
        return saveChecked(change, { ...key, ...settings }, principal);
      });
      const [after] = await findHeartbeats(transaction, [key]);
      const data = await read(transaction, key, url);
      const headers = isNew ? { Location: `/v2/webhooks/${webhookId}/heartbeats/${name}` } : {};
      const audit = changed(['heartbeat', webhookId, name], before ?? null, after ?? null);
      return { status: isNew ? 201 : 200, headers, body: { status: 'success', data }, audit };
    });
    await services.intake.directory.refresh();
  },
});

export const deleteHeartbeat = defineRoute({
  method: 'delete',
  path: '/v2/webhooks/{id}/heartbeats/{name}',
  operationId: 'deleteHeartbeat',
  tag: 'Heartbeat',
  summary: 'Delete a heartbeat. Its alert is resolved, its pings stay',
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: NAME_PARAMS,
  responses: { 204: { description: 'Deleted' }, ...failures(404) },
  handle: async (input) => {
    const { id: webhookId, name } = input.params;
    await changeOnce(input, async (transaction) => {
      const [before] = await findHeartbeats(transaction, [{ webhookId, name }]);
      await inChange(transaction, async (change) => {
        if ((await deleteHeartbeats(change, webhookId, name)) === 0) throw notFound('heartbeat');
        await checkDeleted(change, webhookId, name);
      });
      return {
        status: 204,
        body: null,
        audit: changed(['heartbeat', webhookId, name], before ?? null, null),
      };
    });
    await input.services.intake.directory.refresh();
  },
});

type Presented = z.input<typeof heartbeatSchema>;

/** @throws RequestError 404 */
async function read(
  database: Database,
  key: { webhookId: string; name: string },
  url: string | null,
): Promise<Presented> {
  const [heartbeat] = await findHeartbeats(database, [key]);
  if (!heartbeat) throw notFound('heartbeat');
  const states = await heartbeatStates(database, key.webhookId, key.name);
  return present(heartbeat, states.get(key.name) ?? NEW_HEARTBEAT, url);
}

function present(heartbeat: Heartbeat, state: HeartbeatState, url: string | null): Presented {
  const { name, description, schedule, graceSeconds, maxRunSeconds, severity } = heartbeat;
  const next = nextProblem({ ...heartbeat, maxRunSeconds: null }, state);
  return {
    name,
    description,
    schedule,
    graceSeconds,
    maxRunSeconds,
    severity,
    state: stateOf(state),
    lastSuccessAt: isoTimeOf(state.succeededAt),
    lastStartAt: isoTimeOf(state.startedAt),
    lastFailureAt: isoTimeOf(state.failedAt),
    lastExitStatus: state.exitStatus,
    nextExpectedAt: isoTimeOf(next?.since ?? null),
    url: url && `${url}/heartbeat/${name}`,
    createdAt: heartbeat.createdAt.toISOString(),
    updatedAt: heartbeat.updatedAt.toISOString(),
  };
}

const isoTimeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Returns what a person calls the state of a heartbeat. */
export function stateOf({ succeededAt, startedAt, failedAt, raised }: HeartbeatState): Presented['state'] {
  const [success, start, failure] = [succeededAt ?? 0, startedAt ?? 0, failedAt ?? 0];
  if (raised) return raised.problem;
  if (start > Math.max(success, failure)) return 'running';
  if (failure > success) return 'failing';
  return success > 0 ? 'up' : 'new';
}
