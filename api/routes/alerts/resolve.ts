import { z } from 'zod';
import type { Job } from '../../../db/jobs/jobs.js';
import {
  type AlertResolveParams,
  alertResolve,
  resolveVersionOf,
} from '../../../workers/queues/contracts/alert-resolve.js';
import { paramsOf } from '../../../workers/queues/contracts/contract.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { descriptionText } from '../../endpoint/parameters.js';
import { ACCEPTED_HEADERS } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, type Input, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict } from '../../http/errors.js';
import { callback, requireCallback } from '../../jobs/callback.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import { receivedQuery } from '../../lists/time-query.js';
import { alertFilterQuery } from './filters.js';
import { requireAlert } from './find-alert.js';
import { checkOwnerFilter } from './owners.js';

const MAX_IDS = 1_000;
const MAX_LIMIT = 1_000_000;
/** How long a request waits for its alert to be resolved, unless it prefers otherwise. */
const WAIT_MS = 10_000;

const reason = descriptionText
  .min(1)
  .nullable()
  .default(null)
  .meta({ description: 'Why. Shown as the `resolution` of the alerts' });

const responses = {
  200: { description: 'The alerts are resolved', body: jobResponse },
  202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
};

const one = z.strictObject({ reason, callback });

export const resolveAlert = defineRoute({
  method: 'post',
  path: '/v2/alerts/{id}/resolve',
  operationId: 'resolveAlert',
  tag: 'Alert',
  summary: 'Resolve a firing alert',
  description:
    'For an alert whose source will not resolve it. It ends at the time of the request; an event that is accepted later opens the next alert of the ' +
    'key, also with the same `occurrence`. Runs as a job, for which the request waits up to 10 s. `POST /v2/jobs/{id}/revert` takes it back.',
  scopes: ['alerts:write'],
  idempotent: true,
  headers: ['Prefer'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': one },
  responses: { ...responses, ...failures(400, 404, 409, 415, 422, 429) },
  handle: async (input) => {
    const { ctx, params, once, services } = input;
    const { reason, callback } = await readJson(ctx, one, once);
    const alert = await requireAlert(services.database, params.id);
    if (alert.status !== 'firing') throw notFiring(alert.status);
    // After its newest event, whatever the clock of the host that accepted that says.
    const at = Math.max(services.clock.now(), alert.lastEventAt.getTime() + 1);
    const what = { at: new Date(at), alerts: { ids: [alert.id] }, reason, dryRun: false };
    await submit(input, what, callback);
  },
});

const notFiring = (status: string | null) =>
  conflict(
    'not_firing',
    status === 'resolved'
      ? 'The alert is resolved already.'
      : 'Only an alert with a `dedupKey` fires until something resolves it; this one has no such status.',
  );

const several = z
  .strictObject({
    ids: z
      .array(z.uuid())
      .min(1)
      .max(MAX_IDS)
      .optional()
      .meta({ description: `At most ${MAX_IDS} alerts` }),
    filter: z
      .strictObject({ ...alertFilterQuery, ...receivedQuery })
      .omit({ status: true })
      .optional()
      .meta({ description: 'All firing alerts that match: the filters of `GET /v2/alerts`' }),
    reason,
    limit: z.number().int().min(1).max(MAX_LIMIT).default(1_000).meta({
      description: 'If more alerts match the filter, the job fails with `too_many_alerts` and resolves none',
    }),
    dryRun: z.boolean().default(false).meta({ description: 'Only count and list the alerts; resolve none' }),
    callback,
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['filter'],
    message: 'send either ids or a filter',
  });

export const resolveManyAlerts = defineRoute({
  method: 'post',
  path: '/v2/alerts/resolve',
  operationId: 'resolveAlerts',
  tag: 'Alert',
  summary: 'Resolve many firing alerts, by id or by filter',
  description:
    'Runs as a job. Its `counts` are `resolved` and `skipped` (no longer firing). With a filter, `links.file` is a CSV file of the alerts as they ' +
    'were before. Each ends at the time of the request; an event that is accepted later opens the next alert of its key. ' +
    '`POST /v2/jobs/{id}/revert` takes it back.',
  scopes: ['alerts:write'],
  idempotent: true,
  headers: ['Prefer'],
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': several },
  responses: { ...responses, ...failures(400, 409, 415, 422, 429) },
  handle: async (input) => {
    const { ids, filter, limit, reason, dryRun, callback } = await readJson(input.ctx, several, input.once);
    checkOwnerFilter(input.principal, filter ?? {});
    const at = new Date(input.services.clock.now());
    const alerts = ids
      ? { ids: [...new Set(ids.map((id) => id.toLowerCase()))] }
      : { filters: filtersOf(filter, at), limit };
    await submit(input, { at, alerts, reason, dryRun }, callback);
  },
});

/** Without alerts that opened after the request. */
const filtersOf = (filter: z.infer<typeof several>['filter'], at: Date) => ({
  ...filter,
  to: filter?.to && filter.to < at ? filter.to : at,
});

type Request = Pick<Input<unknown, unknown>, 'ctx' | 'principal' | 'origin' | 'once' | 'services'>;

async function submit(
  { ctx, principal, origin, once, services }: Request,
  what: Pick<AlertResolveParams, 'at' | 'alerts' | 'reason' | 'dryRun'>,
  callback: string | undefined,
): Promise<void> {
  const by = { id: principal.id, name: principal.name };
  const jobId = await submitJob(services, {
    contract: alertResolve,
    params: { version: resolveVersionOf(what.alerts), ...what, by },
    origin,
    callback: await requireCallback(services, principal, callback),
    once,
  });
  const done = 'revertOf' in what.alerts ? 'The alerts fire again.' : 'The alerts are resolved.';
  const message = what.dryRun ? 'Dry run: no alert was changed.' : done;
  await respondWithJob(ctx, services, jobId, message, WAIT_MS);
}

/**
 * Takes back that a job resolved alerts.
 * @throws RequestError 409 if it has not ended, was a dry run, or took back another one
 */
export async function revertResolve(
  {
    query: { dryRun, callback },
    ...request
  }: Request & { query: { dryRun: boolean; callback?: string | undefined } },
  job: Job,
): Promise<void> {
  if (!job.finishedAt)
    throw conflict('job_not_finished', 'The job still runs. Revert it once it has ended.', job.id);
  const { at, alerts, ...done } = paramsOf(job, alertResolve);
  if (done.dryRun || 'revertOf' in alerts)
    throw conflict('nothing_to_revert', 'This job resolved no alerts, so nothing can be taken back.', job.id);
  const what = { at, alerts: { revertOf: job.id, resolvedAt: at }, reason: null, dryRun };
  await submit(request, what, callback);
}
