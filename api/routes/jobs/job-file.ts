import type { Job } from '../../../db/jobs/jobs.js';
import { isExpired } from '../../../workers/callbacks/present-job.js';
import { alertExport } from '../../../workers/queues/contracts/alert-export.js';
import { alertRemap } from '../../../workers/queues/contracts/alert-remap.js';
import { paramsOf } from '../../../workers/queues/contracts/contract.js';
import { requireScope } from '../../access/auth.js';
import { failures } from '../../endpoint/error-responses.js';
import { CSV_OR_GZIP, fileResponses } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict, gone, notFound } from '../../http/errors.js';
import { findVisibleJob, JOB_SCOPES } from '../../jobs/job-access.js';
import { resultFile, WITH_FILE } from '../../jobs/result-file.js';
import { sendFile } from '../../jobs/send-file.js';
import { requireOwners } from '../alerts/owners.js';

export const getJobFile = defineRoute({
  method: 'get',
  path: '/v2/jobs/{id}/file',
  operationId: 'downloadJobFile',
  tag: 'Job',
  summary: 'Download the file of an export or a worklist',
  description:
    'A download can be resumed with `Range` and `If-Range`. `HEAD` returns the size and the `ETag`.',
  scopes: JOB_SCOPES,
  query: NO_QUERY,
  params: ID_PARAMS,
  headers: ['Range', 'If-Range', 'If-None-Match'],
  responses: {
    ...fileResponses(CSV_OR_GZIP),
    ...failures(404, 409, 410, 416),
  },
  handle: async ({ ctx, params, principal, services }) => {
    const job = await findVisibleJob(services, principal, params.id);
    requireFile(job);
    if (hasOwners(job)) requireOwners(principal);
    // Keys that may only read integrations see the job.
    if (job.type === alertRemap.name) requireScope(principal, ['alerts:read']);
    await sendFile(ctx, services.files, resultFile(job));
  },
});

/** Returns whether the file of a job says whom alerts concern. Any key that may read alerts sees the job. */
const hasOwners = (job: Job): boolean => job.type === alertExport.name && paramsOf(job, alertExport).owners;

/** @throws RequestError 404 if jobs of this type have no file, 410 if the file has expired, 409 if there is no file (yet) */
function requireFile(job: Job): void {
  if (!WITH_FILE.includes(job.type)) throw notFound('file');
  if (isExpired(job) && job.state === 'completed')
    throw gone('result_expired', 'The file has expired. Create a new export.');
  if (!job.finishedAt)
    throw conflict('job_not_finished', 'The file is not ready yet. The job reports its progress.', job.id);
  if (!job.resultKey) throw conflict(`job_${job.state}`, `The job is ${job.state} and has no file.`, job.id);
}
