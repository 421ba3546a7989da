import { z } from 'zod';
import { inTransaction } from '../../../db/client/transaction.js';
import { reopenJob, requestCancel } from '../../../db/jobs/job-lifecycle.js';
import { enqueueJob } from '../../../workers/queues/enqueue-job.js';
import { requireScope } from '../../access/auth.js';
import { failures } from '../../endpoint/error-responses.js';
import { ACCEPTED_HEADERS, FILE_HEADERS, PART_HEADERS, success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict, gone, notFound } from '../../http/errors.js';
import { findVisibleJob, scopesOf } from '../../jobs/job-access.js';
import { jobResponse, jobSchema } from '../../jobs/job-schema.js';
import { isExpired, presentJob } from '../../jobs/present-job.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { sendFile } from '../../jobs/send-file.js';

const rejectedExpired = () =>
  gone('result_expired', 'The rejected rows are no longer kept. Upload the file again to get them.');

const jobAnswer = { description: 'The job', body: z.object({ ...success, data: jobSchema }) };

export const cancelJob = defineRoute({
  method: 'post',
  path: '/v2/jobs/{id}/cancel',
  operationId: 'cancelJob',
  tag: 'Job',
  summary: 'Stop a job; what it has written stays, the rest never starts',
  scopes: ['developer_records:write', 'webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: jobAnswer,
    202: {
      ...jobAnswer,
      description:
        'It is running. It stops at its next safe point and ends `canceled`, or `failed` if it fails first',
      headers: ACCEPTED_HEADERS,
    },
    ...failures(404, 409),
  },
  handle: async ({ ctx, params, apiKey, services }) => {
    requireScope(apiKey, [scopesOf(await findVisibleJob(services, apiKey, params.id)).change]);
    await requestCancel(services.database, params.id);
    const job = await findVisibleJob(services, apiKey, params.id);
    if (job.finishedAt && job.state !== 'canceled') {
      throw conflict('job_ended', `The job has ended: it is ${job.state}.`, job.id);
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
  summary: 'Carry a failed job on from where it stopped',
  description: 'It keeps its place in the order of acceptance: what was accepted after it still wins.',
  scopes: ['developer_records:write', 'webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'Done within the time of `Prefer: wait`', body: jobResponse },
    202: { description: 'Queued again; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(404, 409, 410),
  },
  headers: ['Prefer'],
  handle: async ({ ctx, params, apiKey, requestId, once, services }) => {
    const { database, files, producer } = services;
    const job = await findVisibleJob(services, apiKey, params.id);
    requireScope(apiKey, [scopesOf(job).change]);
    if (job.state !== 'failed') {
      throw conflict('job_not_failed', `Only a failed job can be tried again; it is ${job.state}.`, job.id);
    }
    const needsUpload = job.type === 'identity-import';
    if (needsUpload && !(job.sourceKey && (await files.stat(job.sourceKey)))) {
      throw gone('source_expired', 'The uploaded file is no longer kept; upload it again.');
    }
    await inTransaction(database, async (transaction) => {
      if (!(await reopenJob(transaction, job)))
        throw conflict('job_not_failed', 'The job was tried again already.', job.id);
      await once?.linkJob(transaction, job.id);
    });
    // The job is queued by now. If Redis is unavailable, upkeep puts it into its queue later.
    await enqueueJob(producer, job, requestId).catch(() => {});
    await respondWithJob(ctx, services, job.id, 'The job has ended.');
  },
});

export const getRejected = defineRoute({
  method: 'get',
  path: '/v2/jobs/{id}/rejected',
  operationId: 'downloadRejectedRows',
  tag: 'Job',
  summary: 'The refused rows of an upload, as a CSV to correct',
  description:
    'The original cells, with what a spreadsheet could take for a formula escaped, then `line`, `code` and `message`. ' +
    'Of an upload with `onError=continue` it can be corrected and uploaded as it is. ' +
    'It is UTF-8 with a byte order mark, whatever the charset of the upload: upload it without `charset`.',
  scopes: ['developer_records:read', 'developer_records:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  headers: ['Range', 'If-Range', 'If-None-Match'],
  responses: {
    200: { description: 'The file', body: { 'text/csv': z.string() }, headers: FILE_HEADERS },
    206: {
      description: 'The part that `Range` asked for',
      body: { 'text/csv': z.string() },
      headers: PART_HEADERS,
    },
    304: { description: '`If-None-Match` names this very file', headers: FILE_HEADERS },
    ...failures(404, 410, 416),
  },
  handle: async ({ ctx, params, apiKey, services }) => {
    const job = await findVisibleJob(services, apiKey, params.id);
    if (!job.rejectedKey) {
      if (isExpired(job) && job.counts?.rejected) throw rejectedExpired();
      throw notFound('file', 'no row of the job was rejected');
    }
    if (isExpired(job)) throw rejectedExpired();
    const name = `rejected-${job.id}.csv`;
    await sendFile(ctx, services.files, { key: job.rejectedKey, name, type: 'text/csv; charset=utf-8' });
  },
});
