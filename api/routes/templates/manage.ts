import { z } from 'zod';
import {
  deleteTemplate as dropTemplate,
  findSavedTemplate,
  insertTemplate,
  type TemplateContent,
  updateTemplate,
} from '../../../db/webhooks/saved-templates.js';
import { findSource } from '../../../workers/mapping/catalogue/index.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatch } from '../../http/entity-tag.js';
import { conflict } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import { checkNewMapping } from '../webhooks/mapping-body.js';
import { notSaved, requireLimits, requireOwner } from './owners.js';
import { NAME_PARAMS, presentSaved, presentTemplate } from './read.js';
import { newTemplateSchema, templateChangeSchema, templateSchema } from './schema.js';

/** A mapping has up to 192 KiB and a sample up to 64 KiB, written with more white space than they are stored with. */
export const BODY_MAX_BYTES = 512 * 1024;

const oneTemplate = z.object({ ...success, data: templateSchema });

export const createTemplate = defineRoute({
  method: 'post',
  path: '/v2/webhook-templates',
  operationId: 'createWebhookTemplate',
  tag: 'Template',
  summary: 'Save a mapping as a template for new integrations',
  description:
    'The mapping is checked like that of an integration. `title` is the name if you send none. At most 100 templates with 4 MiB ' +
    'of mappings and samples are kept, and 25 with 1 MiB of a key without the scope `webhooks:write:all`.',
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': newTemplateSchema },
  responses: {
    201: { description: 'The new template', body: oneTemplate, headers: { Location: 'always' } },
    ...failures(400, 409, 415, 422),
  },
  handle: async (input) => {
    const limit = { limit: BODY_MAX_BYTES };
    const { name, ...body } = await readJson(input.ctx, newTemplateSchema, input.once, limit);
    await oneAtATime(input, (pause) => checkNewMapping(body.mapping, input.principal, pause));
    const content = { ...body, title: body.title ?? name, managedBy: null } as TemplateContent;
    await changeOnce(input, async (transaction) => {
      const isFree = !findSource(name) && (await insertTemplate(transaction, name, content, input.principal));
      if (!isFree) throw conflict('name_taken', `A template named ${JSON.stringify(name)} exists already.`);
      await requireLimits(transaction, input.principal);
      const data = await presentTemplate(transaction, name);
      const headers = { Location: `/v2/webhook-templates/${name}` };
      const audit = changed(['template', name, name], null, content);
      return { status: 201, headers, body: { status: 'success', data }, audit };
    });
  },
});

export const changeTemplate = defineRoute({
  method: 'patch',
  path: '/v2/webhook-templates/{name}',
  operationId: 'updateWebhookTemplate',
  tag: 'Template',
  summary: 'Update a saved template. Only the given properties change',
  description:
    'Integrations that were created with it keep their mapping. Send `If-Match` with the `ETag` of the template, to change it ' +
    'only if nobody else has since. The template of another key needs the scope `webhooks:write:all` as well.',
  scopes: ['webhooks:write'],
  idempotent: true,
  headers: ['If-Match'],
  query: NO_QUERY,
  params: NAME_PARAMS,
  requestBody: { 'application/json': templateChangeSchema },
  responses: {
    200: { description: 'The updated template', body: oneTemplate, headers: { ETag: 'sometimes' } },
    ...failures(400, 404, 409, 412, 415, 422),
  },
  handle: async (input) => {
    const { name } = input.params;
    const isExpected = readIfMatch(input.ctx);
    const limit = { limit: BODY_MAX_BYTES };
    const change = await readJson(input.ctx, templateChangeSchema, input.once, limit);
    const { mapping } = change;
    if (mapping !== undefined)
      await oneAtATime(input, (pause) => checkNewMapping(mapping, input.principal, pause));
    await changeOnce(input, async (transaction) => {
      await requireOwner(transaction, name, input.principal);
      const before = await findSavedTemplate(transaction, name);
      const options = { author: input.principal, isExpected };
      const content = change as Partial<TemplateContent>;
      const outcome = await updateTemplate(transaction, name, content, options);
      const saved = await findSavedTemplate(transaction, name);
      if (outcome === null || saved === null) throw notSaved(name);
      if (outcome === 'conflict') throw preconditionFailed('template', saved);
      await requireLimits(transaction, input.principal);
      const headers = { ETag: `"${saved.revision}"` };
      const audit = changed(['template', name, name], before, saved);
      return { status: 200, headers, body: { status: 'success', data: presentSaved(saved) }, audit };
    });
  },
});

export const deleteTemplate = defineRoute({
  method: 'delete',
  path: '/v2/webhook-templates/{name}',
  operationId: 'deleteWebhookTemplate',
  tag: 'Template',
  summary: 'Delete a saved template. Integrations that were created with it keep their mapping',
  description: 'The template of another key needs the scope `webhooks:write:all` as well.',
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: NAME_PARAMS,
  responses: { 204: { description: 'Deleted' }, ...failures(404, 409) },
  handle: async (input) => {
    const { name } = input.params;
    await changeOnce(input, async (transaction) => {
      await requireOwner(transaction, name, input.principal);
      const before = await findSavedTemplate(transaction, name);
      if (!(await dropTemplate(transaction, name))) throw notSaved(name);
      return { status: 204, body: null, audit: changed(['template', name, name], before, null) };
    });
  },
});
