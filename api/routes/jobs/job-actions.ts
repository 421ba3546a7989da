import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { writeAudit } from '../../../db/audit/write-audit.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { lockJob, reopenJob, requestCancel } from '../../../db/jobs/job-lifecycle.js';
import { findJob, type Job } from '../../../db/jobs/jobs.js';
import { endJob } from '../../../workers/callbacks/end-job.js';
import { isExpired, presentJob } from '../../../workers/callbacks/present-job.js';
import { paramsOf } from '../../../workers/queues/contracts/contract.js';
import { identityApply } from '../../../workers/queues/contracts/identity-apply.js';
import { identityImport } from '../../../workers/queues/contracts/identity-import.js';
import { identityWorklist } from '../../../workers/queues/contracts/identity-worklist.js';
import { tableUpload } from '../../../workers/queues/contracts/table-upload.js';
import { enqueueJob } from '../../../workers/queues/enqueue-job.js';
import type { Producer } from '../../../workers/queues/producer.js';
import { requireScope } from '../../access/auth.js';
import { changed } from '../../audit/changed.js';
import { failures } from '../../endpoint/error-responses.js';
import { ACCEPTED_HEADERS, fileResponses, success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict, gone, notFound } from '../../http/errors.js';
import { CHANGE_SCOPES, findVisibleJob, scopesOf } from '../../jobs/job-access.js';
import { jobResponse, jobSchema } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { sendFile } from '../../jobs/send-file.js';
import { requireUnapplied } from './apply.js';

/** The types of jobs that read an upload. */
const WITH_UPLOAD: readonly string[] = [identityImport.name, identityWorklist.name, tableUpload.name];

const rejectedExpired = () =>
  gone(
    'result_expired',
    'The file with the rejected rows has expired. Upload the original file again to get it.',
  );

const oneJob = { description: 'The job', body: z.object({ ...success, data: jobSchema }) };

export const cancelJob = defineRoute({
  method: 'post',
  path: '/v2/jobs/{id}/cancel',
  operationId: 'cancelJob',
  tag: 'Job',
  summary: 'Cancel a job',
  description: 'A running job stops at its next safe point. What it has written remains.',
  scopes: CHANGE_SCOPES,
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: oneJob,
    202: {
      ...oneJob,
      description: 'The job is still running. It will end as `canceled`, or as `failed` if it fails first',
      headers: ACCEPTED_HEADERS,
    },
    ...failures(404, 409),
  },
  handle: async ({ ctx, params, principal, origin, services }) => {
    const found = await findVisibleJob(services, principal, params.id);
    requireScope(principal, [scopesOf(found).change]);
    await inTransaction(services.database, async (transaction) => {
      await lockJob(transaction, found.id);
      const before = await findJob(transaction, found.id);
      await endJob(transaction, found, (database) => requestCancel(database, found.id));
      await writeAudit(transaction, origin, recorded(before, await findJob(transaction, found.id)));
    });
    const job = await findVisibleJob(services, principal, params.id);
    if (job.finishedAt && job.state !== 'canceled') {
      throw conflict(
        'job_ended',
        `Only a queued or running job can be canceled. This job is ${job.state}.`,
        job.id,
      );
    }
    ctx.status = job.finishedAt ? 200 : 202;
    if (!job.finishedAt) ctx.set({ Location: `/v2/jobs/${job.id}`, 'Retry-After': '1' });
    ctx.body = { status: 'success', data: presentJob(job) };
  },
});

export const retryJob = defineRoute({
  method: 'post',
  path: '/v2/jobs/{id}/retry',
  operationId: 'retryJob',
  tag: 'Job',
  summary: 'Retry a failed job',
  description:
    'The job continues where it stopped. It keeps its place in the order of acceptance, so uploads that were accepted later still win.',
  scopes: CHANGE_SCOPES,
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'The job completed within the time of `Prefer: wait`', body: jobResponse },
    202: {
      description: 'The job is queued again; `Location` is its path',
      body: jobResponse,
      headers: ACCEPTED_HEADERS,
    },
    ...failures(404, 409, 410),
  },
  headers: ['Prefer'],
  handle: async ({ ctx, params, principal, requestId, origin, once, services }) => {
    const { database, files, producer } = services;
    const job = await findVisibleJob(services, principal, params.id);
    requireScope(principal, [scopesOf(job).change]);
    if (job.state !== 'failed') {
      throw conflict('job_not_failed', `Only a failed job can be retried. This job is ${job.state}.`, job.id);
    }
    const needsUpload = WITH_UPLOAD.includes(job.type);
    if (needsUpload && !(job.sourceKey && (await files.stat(job.sourceKey)))) {
      throw gone('source_expired', 'The uploaded file has expired. Upload it again.');
    }
    await inTransaction(database, async (transaction) => {
      if (job.type === identityApply.name)
        await requireUnapplied(transaction, paramsOf(job, identityApply).jobId);
      if (!(await reopenJob(transaction, job)))
        throw conflict('job_not_failed', 'The job has already been retried.', job.id);
      await once?.linkJob(transaction, job.id);
      await writeAudit(transaction, origin, recorded(job, await findJob(transaction, job.id)));
    });
    // The row says that the job is queued. If Redis is unavailable, upkeep adds it to its queue later.
    await enqueueAgain(producer, job, requestId).catch(() => {});
    await respondWithJob(ctx, services, job.id, 'The job has completed.');
  },
});

/** Returns the entry in the audit log of a job whose state was changed. */
function recorded(before: Job | null, after: Job | null) {
  const members = (job: Job | null) => job && { state: job.state, cancelRequestedAt: job.cancelRequestedAt };
  return changed(['job', after?.id ?? null, after?.type ?? null], members(before), members(after));
}

/** How long a worker may take until a job that it has ended is out of its queue. */
const LEAVES_MS = 2_000;

/** Adds a job to its queue once it has left it. Who hears of the end of a job at once may retry it before, and Redis would take it for the same. */
async function enqueueAgain(producer: Producer, job: Job, requestId: string): Promise<void> {
  const endsAt = performance.now() + LEAVES_MS;
  while (performance.now() < endsAt && (await producer.whileReady(() => producer.has(job)))) await sleep(20);
  await enqueueJob(producer, job, requestId);
}

export const getRejected = defineRoute({
  method: 'get',
  path: '/v2/jobs/{id}/rejected',
  operationId: 'downloadRejectedRows',
  tag: 'Job',
  summary: 'Download the rejected rows of an upload as CSV',
  description:
    'Contains the original cells, then `line`, `code` and `message`. After an upload of identities, cells that a spreadsheet could take for a ' +
    'formula are escaped. After an upload with `onError=continue`, fix the rows and upload this file. It is UTF-8 with a byte order mark, ' +
    'whatever the charset of the original: upload it without `charset`.',
  scopes: ['developer_records:read', 'developer_records:write', 'tables:read', 'tables:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  headers: ['Range', 'If-Range', 'If-None-Match'],
  responses: {
    ...fileResponses({ 'text/csv': z.string() }),
    ...failures(404, 410, 416),
  },
  handle: async ({ ctx, params, principal, services }) => {
    const job = await findVisibleJob(services, principal, params.id);
    if (!job.rejectedKey) {
      if (isExpired(job) && job.counts?.rejected) throw rejectedExpired();
      throw notFound('file', 'no row of the job was rejected');
    }
    if (isExpired(job)) throw rejectedExpired();
    const name = `rejected-${job.id}.csv`;
    await sendFile(ctx, services.files, { key: job.rejectedKey, name, type: 'text/csv; charset=utf-8' });
  },
});
