import { z } from 'zod';
import { listWebhooks as readWebhooks } from '../../../db/webhooks/webhooks.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { hashJson, tagRevision } from '../../http/entity-tag.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage, timePosition } from '../../lists/list-page.js';
import { presentWebhook, presentWebhooks, withObserved } from './present.js';
import { webhookSchema } from './schema.js';

const listQuery = z.strictObject(pageQuery);

export const listWebhooks = defineRoute({
  method: 'get',
  path: '/v2/webhooks',
  operationId: 'listWebhooks',
  tag: 'Webhook',
  summary: 'List webhook integrations, the newest first',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: listQuery,
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(webhookSchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: async ({ ctx, query, principal, services }) => {
    await sendPage(ctx, {
      page: query,
      filters: {},
      read: async ({ limit, after }) => {
        const place = after && { createdAt: after.at, id: after.id };
        return presentWebhooks(
          services,
          principal,
          await readWebhooks(services.database, { limit, after: place }),
        );
      },
      position: timePosition,
      positionOf: ({ createdAt, id }) => [new Date(createdAt), id],
      present: (webhook) => webhook,
    });
  },
});

export const getWebhook = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}',
  operationId: 'getWebhook',
  etag: true,
  tag: 'Webhook',
  summary: 'Get a webhook integration',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'The integration', body: z.object({ ...success, data: webhookSchema }) },
    ...failures(404),
  },
  handle: async ({ ctx, params, principal, services }) => {
    const data = await withObserved(services, await presentWebhook(services, principal, params.id));
    ctx.body = { status: 'success', data };
    // The key's scopes, `lastUsedAt` and the counts of signatures change what is returned, but not the revision that `If-Match` is about.
    tagRevision(ctx, `${data.revision}.${hashJson(data)}`);
  },
});
