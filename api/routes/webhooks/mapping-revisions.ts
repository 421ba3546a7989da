import { z } from 'zod';
import {
  findRevision,
  type MappingRevision,
  listRevisions as readRevisions,
} from '../../../db/webhooks/mapping-revisions.js';
import { findWebhook, type Webhook } from '../../../db/webhooks/webhooks.js';
import { failures } from '../../endpoint/error-responses.js';
import { wholeNumberText } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { tagRevision } from '../../http/entity-tag.js';
import { notFound } from '../../http/errors.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage } from '../../lists/list-page.js';
import type { ApiServices } from '../../services.js';
import { revisionSchema, savedMapping } from './mapping-body.js';

const scopes = ['webhooks:read', 'webhooks:write'] as const;
const oneRevision = { description: 'The revision', body: z.object({ ...success, data: savedMapping }) };

export const getMapping = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}/mapping',
  operationId: 'getMapping',
  etag: true,
  tag: 'Webhook',
  summary: 'Get the current mapping',
  scopes,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: { 200: oneRevision, ...failures(404) },
  handle: async ({ ctx, params: { id }, services }) => {
    const { mappingRevision } = await requireWebhook(services, id);
    if (mappingRevision === 0) throw notFound('mapping', 'the integration has none yet');
    ctx.body = { status: 'success', data: await presentCurrent(services, id, mappingRevision) };
    tagRevision(ctx, String(mappingRevision));
  },
});

const listQuery = z.strictObject(pageQuery);
const position = z.tuple([z.number().int()]).transform(([revision]) => revision);

export const listRevisions = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}/mapping/revisions',
  operationId: 'listMappingRevisions',
  tag: 'Webhook',
  summary: 'List the revisions of a mapping, the newest first',
  scopes,
  query: listQuery,
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(revisionSchema), page: pageSchema }),
    },
    ...failures(400, 404),
  },
  handle: async ({ ctx, params: { id }, query, services }) => {
    const { mappingRevision } = await requireWebhook(services, id);
    await sendPage(ctx, {
      page: query,
      filters: {},
      position,
      positionOf: ({ revision }: MappingRevision) => [revision],
      read: ({ limit, after }) => readRevisions(services.database, id, { limit, before: after }),
      present: (revision) => presentRevision(revision, mappingRevision),
    });
  },
});

const revisionParams = ID_PARAMS.extend({
  revision: wholeNumberText(1, 2 ** 32 - 1).meta({ description: 'Number of the revision' }),
});

export const getRevision = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}/mapping/revisions/{revision}',
  operationId: 'getMappingRevision',
  etag: true,
  tag: 'Webhook',
  summary: 'Get a revision of a mapping',
  scopes,
  query: NO_QUERY,
  params: revisionParams,
  responses: { 200: oneRevision, ...failures(404) },
  handle: async ({ ctx, params: { id, revision }, services }) => {
    const { mappingRevision } = await requireWebhook(services, id);
    const found = await findRevision(services.database, id, revision);
    if (!found) throw notFound('revision');
    const data = { ...presentRevision(found, mappingRevision), mapping: found.mapping };
    ctx.body = { status: 'success', data };
  },
});

/**
 * Returns the integration.
 * @throws RequestError 404
 */
export async function requireWebhook({ database }: ApiServices, id: string): Promise<Webhook> {
  const webhook = await findWebhook(database, id);
  if (!webhook) throw notFound('webhook');
  return webhook;
}

/** Returns the current revision in the form of a response. */
export async function presentCurrent({ database }: ApiServices, webhookId: string, revision: number) {
  const found = await findRevision(database, webhookId, revision);
  if (!found) throw notFound('revision');
  return { ...presentRevision(found, revision), mapping: found.mapping };
}

const presentRevision = (
  { revision, createdAt, savedBy }: MappingRevision,
  current: number,
): z.input<typeof revisionSchema> => ({
  revision,
  current: revision === current,
  createdAt: createdAt.toISOString(),
  savedBy,
});
