import type Koa from 'koa';
import type { ApiKey } from '../../../db/api-keys.js';
import type { Job } from '../../../db/jobs.js';
import { identityExport } from '../../../workers/queues/identity-export.js';
import { answerWithJob } from '../../answer-job.js';
import type { Services } from '../../services.js';
import { submitJob } from '../../submit-job.js';
import type { ListQuery } from './list.js';

const WAIT_MS = 60_000;

interface DownloadInput {
  ctx: Koa.Context;
  query: ListQuery;
  apiKey: ApiKey;
  requestId: string;
  services: Services;
}

/** Has a worker make the file, waits for it, and sends it. */
export async function sendCsv({ ctx, query, apiKey, requestId, services }: DownloadInput): Promise<void> {
  const { emails, integrationIds, identities } = query;
  const jobId = await submitJob(services, {
    contract: identityExport,
    queue: 'identity-export',
    params: { version: 1, filters: { emails, integrationIds, identities }, format: 'csv' },
    apiKeyId: apiKey.id,
    requestId,
  });
  await answerWithJob(ctx, services, jobId, {
    defaultWaitMs: WAIT_MS,
    completed: (job) => sendFile(ctx, services, job),
  });
}

/** Sends a job's file whole. */
export async function sendFile(ctx: Koa.Context, { files }: Services, job: Job): Promise<void> {
  const key = job.resultKey as string;
  const file = await files.stat(key);
  if (!file) throw new Error(`the file of job ${job.id} is not in the store`);
  ctx.type = 'text/csv; charset=utf-8';
  ctx.length = file.bytes;
  ctx.attachment('developer-identities.csv');
  ctx.set('Cache-Control', 'no-store, no-transform');
  ctx.body = files.read(key);
}
