import { z } from 'zod';
import { MAX_SENDERS, listSenders as readSenders, type UsedToken } from '../../../db/webhooks/senders.js';
import { findWebhook } from '../../../db/webhooks/webhooks.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { notFound } from '../../http/errors.js';

const senderSchema = z.object({
  path: z.string().nullable().meta({
    description:
      'Where requests go: empty for the webhook URL itself, `/heartbeat`, or the API of another product, such as `/v2/alerts`. Null: all senders beyond those that are told apart',
  }),
  atRoot: z.boolean().meta({
    description:
      'Whether that path is at the root, with the token in it, a header, the query or the body, or below the webhook URL',
  }),
  host: z.string().meta({ description: 'The host that they ask for, without its port' }),
  userAgent: z.string(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  requests: z.number().int(),
});

export const usedTokenSchema = z
  .object({
    kind: z.enum(['current', 'previous', 'imported']).meta({
      description:
        '`current` and `previous` belong to webhook URLs, and a previous one expires. `imported`: another product made it',
    }),
    imported: z.object({ id: z.uuid(), source: z.string(), ending: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    senders: z.array(senderSchema),
  })
  .meta({ id: 'UsedToken' });

export const listSenders = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}/senders',
  operationId: 'listSenders',
  tag: 'Webhook',
  summary: 'List what sends to an integration, by token',
  description:
    'Shows whether anything still uses an old URL, an imported token, or the path or host of another product. Requests with a valid token are counted, also those that are rejected for ' +
    `something else. Each API host adds its counts once a minute. ${MAX_SENDERS} senders of a token are told apart, by path, host and User-Agent, and forgotten after 90 days without a request.`,
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'The unexpired tokens: those of the webhook URL first, the newest first',
      body: z.object({ ...success, data: z.array(usedTokenSchema) }),
    },
    ...failures(404),
  },
  handle: async ({ ctx, params: { id }, services: { database, clock } }) => {
    if (!(await findWebhook(database, id))) throw notFound('webhook');
    const tokens = await readSenders(database, id, new Date(clock.now()));
    ctx.body = { status: 'success', data: tokens.map((token, index) => present(token, index === 0)) };
  },
});

const present = ({ imported, createdAt, expiresAt, senders }: UsedToken, isFirst: boolean) => ({
  kind: imported ? 'imported' : isFirst ? 'current' : 'previous',
  imported,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  senders: senders.map(({ firstAt, lastAt, ...sender }) => ({
    ...sender,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  })),
});
