import { z } from 'zod';
import { lockChanges } from '../../../db/webhooks/webhook-change.js';
import { findWebhooksByName } from '../../../db/webhooks/webhooks.js';
import { mappingWarnings } from '../../../workers/mapping/index.js';
import { readJson } from '../../body/read-body.js';
import { authorSchema, failures } from '../../endpoint/error-responses.js';
import { flag, nameText } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_QUERY } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatchTag, tagRevision } from '../../http/entity-tag.js';
import { conflict, notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import { confirmFilter, confirmQuery, filterCheckSchema, isNewFilter } from '../webhooks/confirm-filter.js';
import { lookupWarnings } from '../webhooks/lookup-warnings.js';
import { checkNewMapping, mappingWarningsSchema } from '../webhooks/mapping-body.js';
import { mappingOf } from '../webhooks/new-webhook.js';
import { presentWebhook } from '../webhooks/present.js';
import { removeWebhook } from '../webhooks/remove-webhook.js';
import { integrationDocument, integrationDocumentSchema } from './document.js';
import { documentChangeSchema } from './document-changes.js';
import { planSave, save } from './save-document.js';
import { findDocument, type StoredDocument } from './stored-document.js';

/** A mapping and 10,000 heartbeats with long descriptions. */
const DOCUMENT_MAX_BYTES = 4 * 1024 * 1024;

const NAME_PARAMS = z.strictObject({ name: nameText.meta({ description: 'Of the integration' }) });

export const storedIntegrationSchema = z
  .object({
    id: z.uuid(),
    url: z
      .string()
      .nullable()
      .meta({ description: 'To send events to. Masked without the scope `webhooks:write`' }),
    document: integrationDocument.meta({
      id: 'StoredIntegrationDocument',
      description: 'As `PUT` takes it, without secrets',
    }),
    savedBy: authorSchema,
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'StoredIntegration' });

export const getIntegration = defineRoute({
  method: 'get',
  path: '/v2/by-name/integrations/{name}',
  operationId: 'getIntegrationByName',
  etag: true,
  tag: 'Integration file',
  summary: 'Get an integration as the document that a file holds',
  description:
    'Its `ETag` is for the `If-Match` of `PUT` and `DELETE`. If several integrations have the name, the response is 409 `ambiguous_name`.',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: NAME_PARAMS,
  responses: {
    200: { description: 'The integration', body: z.object({ ...success, data: storedIntegrationSchema }) },
    ...failures(400, 404, 409),
  },
  handle: async ({ ctx, params: { name }, apiKey, services }) => {
    const found = await findDocument(services.database, name);
    if (!found) throw notFound('integration');
    const { url } = await presentWebhook(services, apiKey, found.webhook.id);
    const { id, savedBy, updatedAt } = found.webhook;
    const data = { id, url, document: found.document, savedBy, updatedAt: updatedAt.toISOString() };
    ctx.body = { status: 'success', data };
    tagRevision(ctx, found.tag);
  },
});

const savedSchema = z
  .object({
    outcome: z
      .enum(['created', 'changed', 'unchanged'])
      .meta({ description: 'With `dryRun`, what it would be' }),
    id: z.uuid().nullable().meta({ description: 'Of the integration. Null: `dryRun` did not create it' }),
    url: z.string().nullable().meta({ description: 'To send events to' }),
    changes: z
      .array(documentChangeSchema)
      .meta({ description: 'Where the document differs from what was stored' }),
    filter: filterCheckSchema,
    warnings: mappingWarningsSchema,
  })
  .meta({ id: 'SavedIntegration' });
const saved = z.object({ ...success, data: savedSchema });

export const putIntegration = defineRoute({
  method: 'put',
  path: '/v2/by-name/integrations/{name}',
  operationId: 'putIntegrationByName',
  tag: 'Integration file',
  summary: 'Make an integration what a document says: create it, or change what differs',
  description:
    'All of it or nothing is changed. What the document leaves out gets its default. Send `If-Match` with the `ETag` of `GET`, to change only what you have read; ' +
    '`"0"` means that there was none. A document that changes nothing is accepted whatever `If-Match` says. A `name` that differs from that of the URL renames the ' +
    'integration. The URL to send events to stays. A new `signature.secret` keeps the previous one valid for a day.',
  scopes: ['webhooks:write'],
  idempotent: true,
  headers: ['If-Match'],
  query: confirmQuery.extend({
    dryRun: flag.default(false).meta({ description: 'Only say what would change' }),
  }),
  params: NAME_PARAMS,
  requestBody: { 'application/json': integrationDocumentSchema },
  responses: {
    200: { description: 'What was changed, or would be', body: saved, headers: { ETag: 'always' } },
    201: { description: 'The new integration', body: saved, headers: { ETag: 'always', Location: 'always' } },
    ...failures(400, 409, 412, 413, 415, 422),
  },
  handle: async (input) => {
    const { ctx, params, query, apiKey, once, services } = input;
    const isExpected = readIfMatchTag(ctx);
    const given = await readJson(ctx, integrationDocument, once, { limit: DOCUMENT_MAX_BYTES });
    const mapping =
      given.mapping === undefined && given.template !== null
        ? JSON.parse(await mappingOf(services.database, given.template, apiKey))
        : given.mapping;
    const compiled =
      mapping === undefined
        ? null
        : await oneAtATime(input, (pause) => checkNewMapping(mapping, apiKey, pause));
    const seen = await findDocument(services.database, params.name);
    const filter =
      compiled && seen && isNewFilter(seen.document.mapping, mapping)
        ? await confirmFilter(input, {
            webhookId: seen.webhook.id,
            mapping: compiled,
            isConfirmed: query.dryRun || query.confirm !== undefined,
          })
        : undefined;
    const warnings = compiled
      ? [...mappingWarnings(compiled), ...(await lookupWarnings(services.database, compiled))]
      : [];
    await changeOnce(input, async (transaction) => {
      // So that no other request gives the same name to another integration meanwhile.
      await lockChanges(transaction);
      const before = await findDocument(transaction, params.name);
      const plan = planSave(services, before, mapping === undefined ? given : { ...given, mapping });
      const { id, changes } = plan;
      const isChange = changes.length > 0;
      if (isChange && !isExpected(before?.tag ?? null)) throw overtaken(before);
      const isTaken =
        given.name !== params.name && (await findWebhooksByName(transaction, given.name)).length > 0;
      if (isTaken) throw nameInUse(given.name);
      const isWritten = isChange && !query.dryRun;
      if (isWritten) await save(transaction, plan, { services, apiKey });
      const after = isWritten ? await findDocument(transaction, given.name) : before;
      const outcome = before ? (isChange ? 'changed' : 'unchanged') : 'created';
      const isNew = isWritten && !before;
      const shown = after && (await presentWebhook({ ...services, database: transaction }, apiKey, id));
      const data = { outcome, id: shown?.id ?? null, url: shown?.url ?? null, changes, filter, warnings };
      const location = `/v2/by-name/integrations/${encodeURIComponent(given.name)}`;
      const headers = { 'Cache-Control': 'no-store', ETag: `"${after?.tag ?? 0}"` };
      return {
        status: isNew ? 201 : 200,
        headers: isNew ? { ...headers, Location: location } : headers,
        body: { status: 'success', data },
      };
    });
    await services.intake.directory.refresh();
  },
});

export const deleteIntegration = defineRoute({
  method: 'delete',
  path: '/v2/by-name/integrations/{name}',
  operationId: 'deleteIntegrationByName',
  tag: 'Integration file',
  summary: 'Delete an integration. Every host rejects its URLs within 5 s. Its events and alerts stay',
  scopes: ['webhooks:write'],
  idempotent: true,
  headers: ['If-Match'],
  query: NO_QUERY,
  params: NAME_PARAMS,
  responses: { 204: { description: 'Deleted' }, ...failures(400, 404, 409, 412) },
  handle: async (input) => {
    const isExpected = readIfMatchTag(input.ctx);
    await changeOnce(input, async (transaction) => {
      await lockChanges(transaction);
      const before = await findDocument(transaction, input.params.name);
      if (!before) throw notFound('integration');
      if (!isExpected(before.tag)) throw overtaken(before);
      await removeWebhook(transaction, before.webhook.id);
      return { status: 204, body: null };
    });
    await input.services.intake.directory.refresh();
  },
});

const overtaken = (stored: StoredDocument | null) =>
  preconditionFailed(
    'integration',
    { revision: stored?.webhook.revision ?? 0, savedBy: stored?.webhook.savedBy ?? null },
    stored?.tag,
  );

const nameInUse = (name: string) =>
  conflict('name_in_use', `Another integration has the name ${JSON.stringify(name)}. Nothing was changed.`);
