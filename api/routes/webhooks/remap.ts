import { z } from 'zod';
import { hasAlerts } from '../../../db/events/alerts/alerts.js';
import { hasSeries } from '../../../db/series/refold-marks.js';
import { findRevision } from '../../../db/webhooks/mapping-revisions.js';
import { mergesEvents } from '../../../workers/mapping/index.js';
import { alertRemap } from '../../../workers/queues/contracts/alert-remap.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { isoTime } from '../../endpoint/parameters.js';
import { ACCEPTED_HEADERS } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { badRequest, conflict, type RequestError } from '../../http/errors.js';
import { callback, requireCallback } from '../../jobs/callback.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import { compiledRevision } from '../../preview/compiled-revision.js';
import type { ApiServices } from '../../services.js';
import { requireWebhook } from './mapping-revisions.js';
import { unknownRevision } from './put-mapping.js';

const time = isoTime.optional();
const bodySchema = z
  .strictObject({
    revision: z.number().int().min(1).optional().meta({ description: 'Default: the current revision' }),
    from: time.meta({ description: 'Only events received at this time or later' }),
    to: time.meta({ description: 'Only events received before this time. Default and maximum: now' }),
    onlyIncomplete: z.boolean().default(false).meta({
      description: 'Only failed events and those with an incomplete alert',
    }),
    dryRun: z.boolean().default(false).meta({ description: 'Only count the changes; write nothing' }),
    callback,
  })
  .refine(({ from, to }) => !from || !to || new Date(from) < new Date(to), {
    path: ['to'],
    message: 'must be later than from',
  });

export const remapWebhook = defineRoute({
  method: 'post',
  path: '/v2/webhooks/{id}/remap',
  operationId: 'remapAlerts',
  tag: 'Webhook',
  summary: 'Remap stored events: map them again and update their alerts',
  description:
    'Runs as a job. Its `counts` are: events; failed (their alerts stay as they were); filtered; alerts = added + changed + unchanged; ' +
    'completed (changed alerts that were incomplete before); removed; regrouped (alerts with a dedupKey whose key or status changes); changedByLookups (alerts that change because lookup tables or owners of accounts did). They ' +
    'count what each event becomes by itself, before events with the same dedupKey are one alert. Alerts keep their ids and get the new ' +
    'revision. A remap of a part of the events that would change keys or statuses fails with `grouping_changes` and writes nothing. If no ' +
    'stored alert has a key yet and the mapping gives them one, a remap of a part gets 409 `all_events_needed` at once.',
  scopes: ['webhooks:write'],
  idempotent: true,
  headers: ['Prefer'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': bodySchema },
  responses: {
    200: {
      description: 'The job finished within the time of `Prefer: wait`',
      body: jobResponse,
    },
    202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(400, 404, 409, 415, 422, 429),
  },
  handle: async ({ ctx, params: { id }, apiKey, requestId, once, services }) => {
    const body = await readJson(ctx, bodySchema, once);
    const { onlyIncomplete, dryRun } = body;
    const now = services.clock.now();
    const to = body.to ? Math.min(now, Date.parse(body.to)) : now;
    const revision = await wantedRevision(services, id, body.revision);
    const isPartial = body.from !== undefined || to < now || onlyIncomplete;
    if (isPartial && (await givesFirstKeys(services, id, revision))) throw allEventsNeeded();
    const jobId = await submitJob(services, {
      contract: alertRemap,
      params: {
        version: 1,
        webhookId: id,
        revision,
        ...(body.from ? { from: new Date(body.from) } : {}),
        to: new Date(to),
        onlyIncomplete,
        dryRun,
        isPartial,
      },
      apiKeyId: apiKey.id,
      requestId,
      callback: await requireCallback(services, apiKey, body.callback),
      once,
    });
    await respondWithJob(ctx, services, jobId, 'The remap is queued.');
  },
});

async function wantedRevision(services: ApiServices, id: string, given: number | undefined): Promise<number> {
  const { mappingRevision } = await requireWebhook(services, id);
  const revision = given ?? mappingRevision;
  if (revision === 0) throw badRequest('no_mapping', 'This integration has no mapping yet.');
  if (!(await findRevision(services.database, id, revision))) throw unknownRevision(revision);
  return revision;
}

/** Returns whether the mapping puts events together by key, and all stored alerts stand alone, as before the first such mapping. */
async function givesFirstKeys({ database }: ApiServices, id: string, revision: number): Promise<boolean> {
  const mapping = await compiledRevision(database, id, revision);
  if (!mapping || !mergesEvents(mapping)) return false;
  return !(await hasSeries(database, id)) && (await hasAlerts(database, id));
}

const allEventsNeeded = (): RequestError =>
  conflict(
    'all_events_needed',
    'All events are needed: the mapping puts events with the same `dedupKey`, or identical ones, into one alert, and each stored alert stands alone. Nothing was ' +
      'changed. Send the request without `onlyIncomplete`, `from` and `to`.',
  );
