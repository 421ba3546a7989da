import type { Knex } from 'knex';
import { z } from 'zod';
import { findRunOfPlan, laterRun } from '../../../db/feeds/feed-plans.js';
import type { FeedRun } from '../../../db/feeds/feed-runs.js';
import { lockFeed } from '../../../db/feeds/feeds.js';
import { findApply, insertAppliedPlan } from '../../../db/identities/history/applied-plans.js';
import { acceptanceOf } from '../../../db/jobs/accepted-uploads.js';
import { lockJob } from '../../../db/jobs/job-lifecycle.js';
import type { Job } from '../../../db/jobs/jobs.js';
import { isExpired } from '../../../workers/callbacks/present-job.js';
import { alertRemap } from '../../../workers/queues/contracts/alert-remap.js';
import { formatOf, isDryRun } from '../../../workers/queues/contracts/contract.js';
import { identityApply, ON_CONFLICT } from '../../../workers/queues/contracts/identity-apply.js';
import { identityRevert } from '../../../workers/queues/contracts/identity-revert.js';
import { hasScope, type Principal, requireScope } from '../../access/auth.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { descriptionText } from '../../endpoint/parameters.js';
import { ACCEPTED_HEADERS } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, type Input, NO_BODY } from '../../endpoint/route.js';
import { badRequest, conflict, gone, RequestError } from '../../http/errors.js';
import { callback, requireCallback } from '../../jobs/callback.js';
import { findVisibleJob, scopesOf } from '../../jobs/job-access.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { type Submission, submitJob } from '../../jobs/submit-job.js';
import type { ApiServices } from '../../services.js';
import { requireChanges } from './changes.js';
import { remapOfPlan } from './remap-plan.js';

type OnConflict = (typeof ON_CONFLICT)[number];

const query = z.strictObject({
  onConflict: z.enum(ON_CONFLICT).default('skip').meta({
    description:
      'If accounts have changed since the dry run: `skip` writes the others, `abort` writes nothing. `abort` takes plans of up to 100,000 changes, and none of remaps',
  }),
  callback,
});

const REASON_LENGTH = 500;

const body = z.strictObject({
  reason: descriptionText.max(REASON_LENGTH).optional().meta({
    description: 'Why the plan is applied. The history of each account that it changes shows it',
  }),
});

export const applyJob = defineRoute({
  method: 'post',
  path: '/v2/jobs/{id}/apply',
  operationId: 'applyJob',
  tag: 'Job',
  summary: 'Apply the plan of a dry run',
  description:
    'Writes exactly the changes that the dry run of an upload, a removal, a mirror or a revert has recorded (`links.changes`), for 7 days, without the ' +
    'file. Of a remap, maps the events of the dry run again; 409 `plan_outdated` if the mapping or a lookup table has changed since. Runs as a job. An account whose owner is no longer the one of the plan is refused; `links.conflicts` lists these accounts. `counts` are ' +
    '`created`, `updated`, `removed`, `unchanged` (has the planned owner already) and `conflicts`. A plan can be applied once, and again if that failed ' +
    'or was canceled. If the service has `APPROVAL_REMOVALS`, a plan that removes more accounts needs another API key than that of the dry run, ' +
    'with the scope `developer_records:approve`, and a `reason`.',
  scopes: ['developer_records:write', 'webhooks:write'],
  idempotent: true,
  headers: ['Prefer'],
  query,
  params: ID_PARAMS,
  requestBody: { 'application/json': body },
  responses: {
    200: { description: 'The job finished within the time of `Prefer: wait`', body: jobResponse },
    202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(400, 403, 404, 409, 410, 415, 422, 429),
  },
  handle: async (input) => {
    const { ctx, query, params, principal, origin, once, services } = input;
    const { reason = '' } = await readBody(input);
    const plan = await findVisibleJob(services, principal, params.id);
    requireScope(principal, [scopesOf(plan).change]);
    requirePlan(plan);
    const common = {
      origin,
      callback: await requireCallback(services, principal, query.callback),
      once,
      recording: async (transaction: Knex.Transaction, id: string) => {
        await requireUnapplied(transaction, plan.id);
        const applied = { jobId: id, planId: plan.id, plannedBy: plan.apiKeyId, reason: reason || null };
        await insertAppliedPlan(transaction, applied);
      },
    };
    const jobId = await (plan.type === alertRemap.name
      ? applyRemap(plan, query, services, common)
      : applyIdentities(plan, { ...query, principal, reason }, services, common));
    await respondWithJob(ctx, services, jobId, 'The plan has been applied.');
  },
});

type Common = Pick<Submission<typeof identityApply>, 'origin' | 'callback' | 'once' | 'recording'>;

async function applyIdentities(
  plan: Job,
  { onConflict, ...who }: Omit<Approval, 'limit'> & { onConflict: OnConflict },
  services: ApiServices,
  common: Common,
): Promise<string> {
  requireApproval(plan, { ...who, limit: services.settings.approvalRemovals });
  const isRevert = plan.type === identityRevert.name;
  const format = formatOf(plan) === 'json' ? 'json' : 'csv';
  return submitJob(services, {
    ...common,
    contract: identityApply,
    params: { version: 1, jobId: plan.id, isRevert, format, onConflict },
    acceptance: isRevert ? acceptanceOf(plan) : 'next',
  });
}

async function applyRemap(
  plan: Job,
  { onConflict }: { onConflict: OnConflict },
  services: ApiServices,
  common: Common,
): Promise<string> {
  if (onConflict === 'abort') throw badRequest('invalid_query', NO_ABORT);
  const params = await remapOfPlan(services, plan);
  return submitJob(services, { ...common, contract: alertRemap, params });
}

const NO_ABORT =
  'Invalid query. `onConflict=abort` applies to plans of identities: a remap has no conflicts.';

async function readBody({
  ctx,
  once,
}: Pick<Input<unknown, unknown>, 'ctx' | 'once'>): Promise<z.infer<typeof body>> {
  if (ctx.request.length || ctx.get('transfer-encoding')) return readJson(ctx, body, once);
  once?.bodyRead(NO_BODY);
  return {};
}

/** @throws RequestError 409 unless the job is a completed dry run, 404 or 410 if it has no changes (any more) */
function requirePlan(plan: Job): void {
  if (plan.type === alertRemap.name) requireCounts(plan);
  else requireChanges(plan);
  if (!isDryRun(plan)) {
    const next = 'Send the request again with dryRun=true, and apply the plan of that job.';
    throw conflict(
      'job_was_not_dry_run',
      `This job was not a dry run: it has written its changes. ${next}`,
      plan.id,
    );
  }
  if (plan.state.startsWith('completed')) return;
  const why = `The dry run is ${plan.state}, so its plan is not complete. Start it again.`;
  throw conflict('plan_incomplete', why, plan.id);
}

/** @throws RequestError 409 if the dry run of a remap has not ended, 410 if it ended more than 7 days ago */
function requireCounts(plan: Job): void {
  if (!plan.finishedAt)
    throw conflict('job_not_finished', 'The plan is complete once the job has ended.', plan.id);
  if (isExpired(plan)) throw gone('result_expired', 'The plan has expired. It is kept for 7 days.');
}

interface Approval {
  principal: Principal;
  reason: string;
  /** A plan that removes more accounts needs an approval; null: none does. */
  limit: number | null;
}

/** @throws RequestError 403 `approval_required` if another key has to apply the plan, or without a reason */
function requireApproval({ apiKeyId, counts }: Job, { principal, reason, limit }: Approval): void {
  // An earlier release did not count how many of the restored accounts lose their owner.
  const removals = counts?.removed ?? counts?.restored ?? 0;
  if (limit === null || removals <= limit) return;
  const needs = `The plan removes ${removals.toLocaleString('en-US')} accounts, and more than ${limit.toLocaleString('en-US')} need an approval.`;
  if (principal.id === apiKeyId)
    throw approvalRequired(
      `${needs} This API key has started the dry run. Let another key with the scope developer_records:approve apply it.`,
    );
  if (!hasScope(principal, 'developer_records:approve'))
    throw approvalRequired(`${needs} This API key lacks the scope developer_records:approve.`);
  if (reason === '')
    throw approvalRequired(`${needs} Send the body {"reason": "…"} with why you approve it.`);
}

const approvalRequired = (message: string): RequestError =>
  new RequestError(403, 'approval_required', message);

/** Locks the dry run. @throws RequestError 409 if its plan is being applied or was applied, or if its feed has read another file since */
export async function requireUnapplied(transaction: Knex.Transaction, planId: string): Promise<void> {
  const run = await findRunOfPlan(transaction, planId);
  if (run) await requireLast(transaction, run);
  await lockJob(transaction, planId);
  const apply = await findApply(transaction, planId);
  if (!apply) return;
  const message = apply.isOpen
    ? 'The plan is being applied. Wait for the job `jobId`.'
    : 'The plan has been applied by the job `jobId`. To change something else, start a dry run again.';
  throw conflict('already_applied', message, apply.id);
}

/** Locks the feed. An older plan would take back what a newer file says, and the newer file would not be read again. @throws RequestError 409 */
async function requireLast(transaction: Knex.Transaction, run: FeedRun): Promise<void> {
  await lockFeed(transaction, run.feedId);
  const later = await laterRun(transaction, run);
  if (!later) return;
  const message =
    later.state === 'running'
      ? 'The plan is outdated: its feed runs again. Wait for that run, and apply its plan if it is held.'
      : `The plan is outdated: its feed has read a newer file in the run ${later.jobId}. Apply the plan of the last run if it is held.`;
  throw conflict('plan_outdated', message, later.jobId);
}
