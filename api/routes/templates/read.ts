import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import {
  findSavedTemplate,
  listSavedTemplates,
  type SavedTemplate,
} from '../../../db/webhooks/saved-templates.js';
import {
  type CatalogueSource,
  catalogue,
  findSource,
  resolvingSample,
} from '../../../workers/mapping/catalogue/index.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { hashJson, tagRevision } from '../../http/entity-tag.js';
import { notFound } from '../../http/errors.js';
import { templateName, templateSchema } from './schema.js';

const scopes = ['webhooks:read', 'webhooks:write'] as const;

export const NAME_PARAMS = z.strictObject({
  name: templateName.meta({ description: 'Name of the template' }),
});

export const listTemplates = defineRoute({
  method: 'get',
  path: '/v2/webhook-templates',
  operationId: 'listWebhookTemplates',
  etag: true,
  tag: 'Template',
  summary: 'List the templates, each with a sample payload and a mapping: saved ones, then known senders',
  scopes,
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'All templates', body: z.object({ ...success, data: z.array(templateSchema) }) },
    ...failures(),
  },
  handle: async ({ ctx, services }) => {
    const saved = await listSavedTemplates(services.database);
    const taken = new Set(saved.map(({ name }) => name));
    const others = catalogue.filter(({ name }) => !taken.has(name));
    // Large and nearly always the same: a browser may cache it and revalidate.
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.body = { status: 'success', data: [...saved.map(presentSaved), ...others.map(presentSource)] };
  },
});

export const getTemplate = defineRoute({
  method: 'get',
  path: '/v2/webhook-templates/{name}',
  operationId: 'getWebhookTemplate',
  etag: true,
  tag: 'Template',
  summary: 'Get a template',
  scopes,
  query: NO_QUERY,
  params: NAME_PARAMS,
  responses: {
    200: { description: 'The template', body: z.object({ ...success, data: templateSchema }) },
    ...failures(404),
  },
  handle: async ({ ctx, params, services }) => {
    const data = await presentTemplate(services.database, params.name);
    ctx.body = { status: 'success', data };
    tagRevision(ctx, `${data.revision ?? 0}.${hashJson(data)}`);
  },
});

/**
 * Returns a template in the form of a response.
 * @throws RequestError 404
 */
export async function presentTemplate(database: Database, name: string) {
  const saved = await findSavedTemplate(database, name);
  if (saved) return presentSaved(saved);
  const source = findSource(name);
  if (!source) throw notFound('template');
  return presentSource(source);
}

type Presented = z.input<typeof templateSchema>;

export const presentSaved = ({
  name,
  title,
  description,
  sample,
  mapping,
  revision,
  savedBy,
  managedBy,
  ownerId,
}: SavedTemplate): Presented => ({
  signature: null,
  name,
  title,
  description,
  origin: 'saved',
  documentation: null,
  options: null,
  dropInPath: null,
  repeatSeconds: null,
  sample,
  resolvingSample: null,
  mapping,
  revision,
  savedBy,
  managedBy,
  ownerId,
});

const presentSource = (source: CatalogueSource): Presented => ({
  name: source.name,
  title: source.title,
  documentation: source.documentation,
  options: source.options ?? null,
  dropInPath: source.dropInPath ?? null,
  signature: source.signature ? { parameters: {}, ...source.signature } : null,
  repeatSeconds: source.repeatSeconds ?? null,
  sample: source.sample,
  resolvingSample: resolvingSample(source),
  mapping: source.mapping,
  description: '',
  origin: 'catalogue',
  revision: null,
  savedBy: null,
  managedBy: null,
  ownerId: null,
});
