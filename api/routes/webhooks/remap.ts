import { z } from 'zod';
import { hasAlerts } from '../../../db/events/alerts/alerts.js';
import { timeOfNewest } from '../../../db/events/events-to-remap.js';
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
import { oneAtATime } from '../../preview/one-at-a-time.js';
import type { ApiServices } from '../../services.js';
import { checkNewMapping, MAPPING_MAX_BYTES, mappingDoc } from './mapping-body.js';
import { requireWebhook } from './mapping-revisions.js';
import { unknownRevision } from './put-mapping.js';

const time = isoTime.optional();
const shape = {
  revision: z.number().int().min(1).optional().meta({ description: 'Default: the current revision' }),
  from: time.meta({ description: 'Only events received at this time or later' }),
  to: time.meta({ description: 'Only events received before this time. Default and maximum: now' }),
  onlyIncomplete: z.boolean().default(false).meta({
    description: 'Only failed events and those with an incomplete alert',
  }),
  dryRun: z.boolean().default(false).meta({
    description: 'Only count the changes; write nothing. The `file` of the job lists them: see `links`',
  }),
  newest: z.number().int().min(1).max(1_000_000).optional().meta({
    description: 'Only about so many events, the newest ones. Only with `dryRun`',
  }),
  callback,
};
const bodySchema = z
  .strictObject({ ...shape, mapping: z.unknown().optional() })
  .refine(({ dryRun, mapping, newest }) => dryRun || (mapping === undefined && newest === undefined), {
    path: ['dryRun'],
    message: 'is needed with mapping and newest',
  })
  .refine(({ mapping, revision }) => mapping === undefined || revision === undefined, {
    path: ['revision'],
    message: 'must not be given together with mapping',
  })
  .refine(({ newest, from }) => newest === undefined || from === undefined, {
    path: ['newest'],
    message: 'must not be given together with from',
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
    'completed (changed alerts that were incomplete before); removed; regrouped (alerts with a dedupKey whose key or status changes); changedByLookups (items of events that are mapped to something else because lookup tables or owners of accounts did). They ' +
    'count what each event becomes by itself, before events with the same dedupKey are one alert. Alerts keep their ids and get the new ' +
    'revision. A remap of a part of the events that would change keys or statuses fails with `grouping_changes` and writes nothing. If no ' +
    'stored alert has a key yet and the mapping gives them one, a remap of a part gets 409 `all_events_needed` at once. A dry run with `mapping` or `newest` is not refused for this: it writes nothing.',
  scopes: ['webhooks:write'],
  idempotent: true,
  headers: ['Prefer'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: {
    'application/json': z.strictObject({
      ...shape,
      mapping: mappingDoc.optional().meta({
        description: 'A mapping that is not saved, to see what it would change. Only with `dryRun`',
      }),
    }),
  },
  responses: {
    200: {
      description: 'The job finished within the time of `Prefer: wait`',
      body: jobResponse,
    },
    202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(400, 404, 409, 415, 422, 429),
  },
  handle: async (input) => {
    const { ctx, principal, origin, once, services } = input;
    const { id } = input.params;
    const body = await readJson(ctx, bodySchema, once, { limit: MAPPING_MAX_BYTES });
    const { onlyIncomplete, dryRun, mapping, newest } = body;
    const now = services.clock.now();
    const to = body.to ? Math.min(now, Date.parse(body.to)) : now;
    const range = { webhookId: id, to: new Date(to) };
    const from = body.from
      ? new Date(body.from)
      : newest && (await timeOfNewest(services.database, range, newest));
    if (mapping !== undefined) await oneAtATime(input, (pause) => checkNewMapping(mapping, principal, pause));
    const revision =
      mapping === undefined
        ? await wantedRevision(services, id, body.revision)
        : (await requireWebhook(services, id)).mappingRevision + 1;
    const isPartial = from !== undefined || to < now || onlyIncomplete;
    const isDraft = newest !== undefined || mapping !== undefined;
    if (isPartial && !isDraft && (await givesFirstKeys(services, id, revision))) throw allEventsNeeded();
    const jobId = await submitJob(services, {
      contract: alertRemap,
      params: {
        version: isDraft ? 3 : 1,
        ...range,
        revision,
        ...(from ? { from } : {}),
        onlyIncomplete,
        dryRun,
        isPartial: isPartial && !isDraft,
        ...(mapping === undefined ? {} : { mapping: JSON.stringify(mapping) }),
      },
      origin,
      callback: await requireCallback(services, principal, body.callback),
      once,
    });
    await respondWithJob(ctx, services, jobId, 'The remap has ended: `data` has its counts.');
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
