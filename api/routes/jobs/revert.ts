import { z } from 'zod';
import { acceptanceOf } from '../../../db/jobs/accepted-uploads.js';
import type { Job } from '../../../db/jobs/jobs.js';
import { alertResolve } from '../../../workers/queues/contracts/alert-resolve.js';
import { formatOf, isDryRun } from '../../../workers/queues/contracts/contract.js';
import { identityRevert } from '../../../workers/queues/contracts/identity-revert.js';
import { requireScope } from '../../access/auth.js';
import { failures } from '../../endpoint/error-responses.js';
import { flag } from '../../endpoint/parameters.js';
import { ACCEPTED_HEADERS } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS } from '../../endpoint/route.js';
import { conflict } from '../../http/errors.js';
import { callback, requireCallback } from '../../jobs/callback.js';
import { findVisibleJob, scopesOf } from '../../jobs/job-access.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import { revertResolve } from '../alerts/resolve.js';
import { requireChanges } from './changes.js';

const query = z.strictObject({
  dryRun: flag.default(false).meta({
    description: 'Write nothing; only count what the revert would do',
    override: { type: 'boolean', default: false },
  }),
  callback,
});

export const revertJob = defineRoute({
  method: 'post',
  path: '/v2/jobs/{id}/revert',
  operationId: 'revertJob',
  tag: 'Job',
  summary: 'Revert an upload, a removal, or that alerts were resolved',
  description:
    'Runs as a job. Each account that the job changed becomes as it was before, with or without an owner, unless a later upload has asserted the account ' +
    'since. `counts` are `restored` and `skipped`; `links.skipped` lists the skipped accounts. A revert can be reverted too. ' +
    'Alerts that the job resolved fire again, unless the key has a newer alert; `counts` are `reopened` and `skipped`.',
  scopes: ['developer_records:write', 'alerts:write'],
  idempotent: true,
  headers: ['Prefer'],
  query,
  params: ID_PARAMS,
  responses: {
    200: { description: 'The revert finished within the time of `Prefer: wait`', body: jobResponse },
    202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(400, 403, 404, 409, 410, 422, 429),
  },
  handle: async (input) => {
    const {
      ctx,
      query: { dryRun, callback },
      params,
      principal,
      origin,
      once,
      services,
    } = input;
    const job = await findVisibleJob(services, principal, params.id);
    requireScope(principal, [scopesOf(job).change]);
    if (job.type === alertResolve.name) return revertResolve(input, job);
    requireChanges(job);
    requireWritten(job);
    const format = formatOf(job) === 'json' ? 'json' : 'csv';
    const jobId = await submitJob(services, {
      contract: identityRevert,
      params: { version: 1, jobId: job.id, format, dryRun },
      origin,
      acceptance: acceptanceOf(job),
      callback: await requireCallback(services, principal, callback),
      once,
    });
    await respondWithJob(ctx, services, jobId, 'The job has been reverted.');
  },
});

/** @throws RequestError 409 if the job was a dry run */
function requireWritten(job: Job): void {
  if (!isDryRun(job)) return;
  throw conflict(
    'job_was_dry_run',
    'This job was a dry run. It changed nothing, so nothing can be reverted.',
    job.id,
  );
}
