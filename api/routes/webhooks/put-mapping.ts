import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { findRevision, saveMapping } from '../../../db/webhooks/mapping-revisions.js';
import { findWebhook } from '../../../db/webhooks/webhooks.js';
import { mappingWarnings } from '../../../workers/mapping/index.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatch } from '../../http/entity-tag.js';
import { badRequest, notFound, type RequestError } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import type { ApiServices } from '../../services.js';
import { confirmFilter, confirmQuery, filterCheckSchema, isNewFilter } from './confirm-filter.js';
import { lookupWarnings } from './lookup-warnings.js';
import {
  checkNewMapping,
  MAPPING_MAX_BYTES,
  mappingDoc,
  mappingWarningsSchema,
  savedMapping,
} from './mapping-body.js';
import { presentCurrent, requireWebhook } from './mapping-revisions.js';

const rollback = z.strictObject({
  revision: z.number().int().min(1).meta({ description: 'An older revision, to save again as the newest' }),
});
const response = z.object({
  ...success,
  data: savedMapping.extend({ filter: filterCheckSchema, warnings: mappingWarningsSchema }),
});

export const putMapping = defineRoute({
  method: 'put',
  path: '/v2/webhooks/{id}/mapping',
  operationId: 'saveMapping',
  tag: 'Webhook',
  summary: 'Save a mapping as the next revision, for all new events',
  description:
    'Send `If-Match` with the `ETag` of the mapping that you started from, to overwrite no newer revision; `"0"` means that there ' +
    'was none. Send a mapping, or `{"revision": n}` to roll back: that revision is saved again as the newest. A mapping that equals the ' +
    'current revision creates no new one. Stored alerts stay as they are; see `remap`. A new filter is tried on the newest ' +
    'stored events: if it would drop all of them, the response is 409 `filter_drops_all` unless `confirm` is given.',
  scopes: ['webhooks:write'],
  idempotent: true,
  headers: ['If-Match'],
  query: confirmQuery,
  params: ID_PARAMS,
  requestBody: { 'application/json': z.union([mappingDoc, rollback]) },
  responses: {
    200: {
      description: 'The mapping equals the current revision',
      body: response,
      headers: { Location: 'always', ETag: 'sometimes' },
    },
    201: {
      description: 'The new revision; `Location` is its URL',
      body: response,
      headers: { Location: 'always', ETag: 'sometimes' },
    },
    ...failures(400, 404, 409, 412, 413, 415, 422),
  },
  handle: async (input) => {
    const {
      params: { id },
      query: { confirm },
      principal,
      services,
    } = input;
    const isExpected = readIfMatch(input.ctx);
    const body = await readJson(input.ctx, z.unknown(), input.once, { limit: MAPPING_MAX_BYTES });
    const mapping = await wantedMapping(services, id, body);
    const compiled = await oneAtATime(input, (pause) => checkNewMapping(mapping, principal, pause));
    const filter = isNewFilter(await currentMapping(services, id), mapping)
      ? await confirmFilter(input, {
          webhookId: id,
          mapping: compiled,
          isConfirmed: confirm !== undefined,
        })
      : undefined;
    const warnings = [...mappingWarnings(compiled), ...(await lookupWarnings(services.database, compiled))];
    await changeOnce(input, async (transaction) => {
      const before = await findWebhook(transaction, id);
      const saved = await saveMapping(transaction, id, mapping, { author: principal, isExpected });
      if (!saved) throw notFound('webhook');
      if (saved.outcome === 'conflict') throw await overtaken(transaction, id, saved.revision);
      const location = `/v2/webhooks/${id}/mapping/revisions/${saved.revision}`;
      const old = await findRevision(transaction, id, before?.mappingRevision ?? 0);
      const data = await presentCurrent({ ...services, database: transaction }, id, saved.revision);
      return {
        status: saved.outcome === 'saved' ? 201 : 200,
        headers: { Location: location, ETag: `"${saved.revision}"` },
        body: { status: 'success', data: { ...data, filter, warnings } },
        audit: changed(
          ['integration', id, before?.name ?? null],
          { mappingRevision: before?.mappingRevision, mapping: old?.mapping },
          { mappingRevision: saved.revision, mapping },
        ),
      };
    });
    await services.intake.directory.refresh();
  },
});

async function currentMapping(services: ApiServices, webhookId: string): Promise<unknown> {
  const { mappingRevision } = await requireWebhook(services, webhookId);
  return (await findRevision(services.database, webhookId, mappingRevision))?.mapping;
}

async function overtaken(database: Database, webhookId: string, revision: number): Promise<RequestError> {
  const current = await findRevision(database, webhookId, revision);
  return preconditionFailed('mapping', { revision, savedBy: current?.savedBy ?? null });
}

/** Returns the mapping to save. An object with only `revision` is not a valid mapping, so the two are distinct. */
async function wantedMapping({ database }: ApiServices, webhookId: string, body: unknown): Promise<unknown> {
  const wanted = rollback.safeParse(body);
  if (!wanted.success) return body;
  const { revision } = wanted.data;
  const found = await findRevision(database, webhookId, revision);
  if (found) return found.mapping;
  throw unknownRevision(revision);
}

export const unknownRevision = (revision: number): RequestError =>
  badRequest('unknown_revision', `This integration has no revision ${revision}.`, [
    {
      field: 'revision',
      code: 'unknown_revision',
      message: 'must be one of the revisions listed at mapping/revisions',
    },
  ]);
