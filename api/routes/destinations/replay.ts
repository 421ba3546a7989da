import { z } from 'zod';
import { findDestination } from '../../../db/outbox/destinations.js';
import { givenUp } from '../../../db/outbox/replays.js';
import { attemptsOf, findStopped } from '../../../db/outbox/told-messages.js';
import {
  type MessageReplayParams,
  messageReplay,
  REPLAYED_STATES,
} from '../../../workers/queues/contracts/message-replay.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { ACCEPTED_HEADERS, success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, type Input, NO_QUERY } from '../../endpoint/route.js';
import { conflict, notFound } from '../../http/errors.js';
import { callback, requireCallback } from '../../jobs/callback.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import { timeFilter } from '../../lists/time-query.js';
import { messageParams } from './messages.js';
import { givenUpSchema } from './schema.js';

/** How long a request waits for its message to be handed over, unless it prefers otherwise. */
const WAIT_MS = 10_000;

const responses = {
  200: { description: 'The messages are handed over', body: jobResponse },
  202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
};

const asNew = z.boolean().default(false).meta({
  description:
    'Send it with another `webhook-id`, so that a receiver that knows the message takes it for a new one. Delivered messages are sent again only so',
});
const oneSchema = z.strictObject({ asNew, callback });
const severalSchema = z
  .strictObject({
    states: z
      .array(z.enum(REPLAYED_STATES))
      .min(1)
      .default(['dead', 'expired', 'canceled'])
      .meta({ description: 'Only messages that ended so. `delivered` needs `asNew`' }),
    reasons: z
      .array(z.string().min(1).max(40))
      .min(1)
      .max(50)
      .optional()
      .meta({ description: 'Only messages with one of these reasons: `http_503`, `dns`' }),
    webhookIds: z.array(z.uuid()).min(1).max(1_000).optional().meta({
      description: 'Only messages about alerts of these integrations',
    }),
    from: timeFilter('Only changes at this time or later'),
    to: timeFilter('Only changes before this time'),
    asNew,
    dryRun: z.boolean().default(false).meta({ description: 'Only count and list the messages; send none' }),
    callback,
  })
  .refine(({ states, asNew }) => asNew || !states.includes('delivered'), {
    path: ['states'],
    message: 'delivered messages are sent again only with asNew',
  });

export const replayMessages = defineRoute({
  method: 'post',
  path: '/v2/destinations/{id}/replay',
  operationId: 'replayMessages',
  tag: 'Destination',
  summary: 'Send messages again that were given up',
  description:
    'Runs as a job, which hands messages over to the destination, the oldest first, at half of its rate at most. Canceling it keeps the rest. They have the same ' +
    '`webhook-id` and the same bytes as before. `counts`: total = replayed + superseded (only with the mode `latest`: there is a newer message about the key) + skipped ' +
    '(it waits or was delivered meanwhile); ends (other messages: of the end of an alert whose beginning is told now). `links.file` is a CSV file of the messages as they were before.',
  scopes: ['destinations:write', 'destinations:replay'],
  idempotent: true,
  headers: ['Prefer'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': severalSchema },
  responses: { ...responses, ...failures(400, 404, 409, 415, 422, 429) },
  handle: async (input) => {
    const { asNew, dryRun, callback, ...messages } = await readJson(input.ctx, severalSchema, input.once);
    await requireActive(input, dryRun);
    await submit(input, { messages, asNew, dryRun }, callback);
  },
});

export const replayMessage = defineRoute({
  method: 'post',
  path: '/v2/destinations/{id}/messages/{sequence}/replay',
  operationId: 'replayMessage',
  tag: 'Destination',
  summary: 'Send a message again',
  description:
    'Runs as a job, for which the request waits up to 10 s; see `POST /v2/destinations/{id}/replay`. A message that waits, or was delivered, is not sent twice, unless a delivered one is sent as new.',
  scopes: ['destinations:write', 'destinations:replay'],
  idempotent: true,
  headers: ['Prefer'],
  query: NO_QUERY,
  params: messageParams,
  requestBody: { 'application/json': oneSchema },
  responses: { ...responses, ...failures(400, 404, 409, 415, 422, 429) },
  handle: async (input) => {
    const { id, sequence } = input.params;
    const { asNew, callback } = await readJson(input.ctx, oneSchema, input.once);
    await requireActive(input, false);
    if (!(await attemptsOf(input.services.database, id, sequence))) throw notFound('message');
    await submit(input, { messages: { sequences: [sequence] }, asNew, dryRun: false }, callback);
  },
});

type Request = Pick<
  Input<unknown, { id: string }>,
  'ctx' | 'principal' | 'origin' | 'once' | 'services' | 'params'
>;

/** @throws RequestError 404, 409 */
async function requireActive(
  { params: { id }, services: { database } }: Request,
  dryRun: boolean,
): Promise<void> {
  const destination = await findDestination(database, id);
  if (!destination) throw notFound('destination');
  if (!dryRun && (destination.pausedAt || (await findStopped(database, id))))
    throw conflict('destination_held', 'The destination is paused or stopped. Resume it first.');
}

async function submit(
  { ctx, principal, origin, once, services, params: { id } }: Request,
  what: Pick<MessageReplayParams, 'messages' | 'asNew' | 'dryRun'>,
  callback: string | undefined,
): Promise<void> {
  const jobId = await submitJob(services, {
    contract: messageReplay,
    params: { version: 1, destinationId: id, ...what },
    origin,
    callback: await requireCallback(services, principal, callback),
    once,
  });
  const message = what.dryRun ? 'Dry run: no message is sent.' : 'The messages are sent again.';
  await respondWithJob(ctx, services, jobId, message, WAIT_MS);
}

export const listGivenUp = defineRoute({
  method: 'get',
  path: '/v2/destinations/{id}/given-up',
  operationId: 'listGivenUp',
  tag: 'Destination',
  summary: 'Count the messages that were given up, by reason',
  description:
    'Those that are dead, expired or canceled. `GET /v2/destinations/{id}/messages` lists them, by `state` and `reason`.',
  scopes: ['destinations:read', 'destinations:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'The reasons, the latest first',
      body: z.object({ ...success, data: z.array(givenUpSchema) }),
    },
    ...failures(404),
  },
  handle: async ({ ctx, params: { id }, services: { database } }) => {
    if (!(await findDestination(database, id))) throw notFound('destination');
    const data = (await givenUp(database, id)).map(({ state, reason, count, firstAt, lastAt }) => ({
      state,
      reason,
      class: reason?.startsWith('http_') ? 'status' : (reason ?? state),
      count,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    }));
    ctx.body = { status: 'success', data };
  },
});
