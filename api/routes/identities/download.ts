import type Koa from 'koa';
import type { ApiKey } from '../../../db/api-keys.js';
import { identityExport } from '../../../workers/queues/identity-export.js';
import { answerWithJob } from '../../answer-job.js';
import { sendStored } from '../../send-stored.js';
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
    completed: ({ resultKey }) =>
      sendStored(ctx, services, { key: resultKey as string, name: 'developer-identities.csv' }),
  });
}
