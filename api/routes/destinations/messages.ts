import { z } from 'zod';
import { findDestination } from '../../../db/outbox/destinations.js';
import { attemptsOf, messagesAbout, messagesOfDestination } from '../../../db/outbox/told-messages.js';
import { MESSAGE_STATES } from '../../../db/outbox/transitions.js';
import { hasScope } from '../../access/auth.js';
import { failures } from '../../endpoint/error-responses.js';
import { wholeNumberText } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { notFound } from '../../http/errors.js';
import { findVisibleJob } from '../../jobs/job-access.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage } from '../../lists/list-page.js';
import { presentMessage } from './present.js';
import { attemptSchema, messageSchema } from './schema.js';

const scopes = ['destinations:read', 'destinations:write'] as const;
const listQuery = z.strictObject({
  ...pageQuery,
  state: z.enum(MESSAGE_STATES).optional().meta({ description: 'Only messages in this state' }),
  reason: z.string().max(40).optional().meta({ description: 'Only messages with exactly this reason' }),
});
const position = z.tuple([z.number().int()]).transform(([sequence]) => sequence);

export const listMessages = defineRoute({
  method: 'get',
  path: '/v2/destinations/{id}/messages',
  operationId: 'listMessages',
  tag: 'Destination',
  summary: 'List the messages of a destination, the newest first',
  description:
    'Each change of an alert that the destination could have been told of, and each end of a job whose request named it, with what became of it.',
  scopes,
  query: listQuery,
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(messageSchema), page: pageSchema }),
    },
    ...failures(400, 404),
  },
  handle: async ({ ctx, query, params: { id }, services: { database } }) => {
    if (!(await findDestination(database, id))) throw notFound('destination');
    const { state, reason } = query;
    await sendPage(ctx, {
      page: query,
      filters: { id, state, reason },
      read: ({ limit, after }) =>
        messagesOfDestination(database, id, { limit, before: after, state, reason }),
      position,
      positionOf: ({ transitionId }) => [transitionId],
      present: presentMessage,
    });
  },
});

export const messageParams = ID_PARAMS.extend({
  sequence: wholeNumberText(1, 999_999_999_999_999).meta({ description: 'The `sequence` of the message' }),
});

export const getAttempts = defineRoute({
  method: 'get',
  path: '/v2/destinations/{id}/messages/{sequence}/attempts',
  operationId: 'listAttempts',
  tag: 'Destination',
  summary: 'Get the attempts of a message, and the body that they sent',
  scopes,
  query: NO_QUERY,
  params: messageParams,
  responses: {
    200: {
      description: 'The attempts, in order',
      body: z.object({
        ...success,
        data: z.object({
          body: z.string().nullable().meta({ description: 'Null if nothing has been sent' }),
          attempts: z.array(attemptSchema),
        }),
      }),
    },
    ...failures(404),
  },
  handle: async ({ ctx, principal, params: { id, sequence }, services: { database } }) => {
    const found = (await findDestination(database, id)) && (await attemptsOf(database, id, sequence));
    if (!found) throw notFound('message');
    // What a private host responds is for those only who may send requests there anyway.
    const maySee = hasScope(principal, 'destinations:write');
    const attempts = found.attempts.map(({ beganAt, response, ...attempt }) => ({
      ...attempt,
      beganAt: beganAt?.toISOString() ?? null,
      response: maySee ? response : null,
    }));
    ctx.body = { status: 'success', data: { body: found.body?.toString() ?? null, attempts } };
  },
});

export const getAlertMessages = defineRoute({
  method: 'get',
  path: '/v2/alerts/{id}/messages',
  operationId: 'listAlertMessages',
  tag: 'Destination',
  summary: 'List who was told of an alert, and why not',
  description: 'The newest 500 messages about the alert, in all destinations.',
  scopes,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'The messages, the newest first',
      body: z.object({ ...success, data: z.array(messageSchema) }),
    },
    ...failures(404),
  },
  handle: async ({ ctx, params: { id }, services: { database } }) => {
    ctx.body = { status: 'success', data: (await messagesAbout(database, id)).map(presentMessage) };
  },
});

export const getJobMessages = defineRoute({
  method: 'get',
  path: '/v2/jobs/{id}/messages',
  operationId: 'listJobMessages',
  tag: 'Job',
  summary: 'List the messages that told the `callback` of a job of its ends',
  description:
    'One for each time that the job ended: a failed job that is retried ends again. Empty if the request named no `callback`.',
  scopes,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'The messages, the newest first',
      body: z.object({ ...success, data: z.array(messageSchema) }),
    },
    ...failures(404),
  },
  handle: async ({ ctx, principal, params: { id }, services }) => {
    await findVisibleJob(services, principal, id);
    ctx.body = { status: 'success', data: (await messagesAbout(services.database, id)).map(presentMessage) };
  },
});
