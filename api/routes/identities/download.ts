import { identityExport } from '../../../workers/queues/contracts/identity-export.js';
import type { Input } from '../../endpoint/route.js';
import { respondAfterJob } from '../../jobs/respond-with-job.js';
import { resultFile } from '../../jobs/result-file.js';
import { sendWholeFile } from '../../jobs/send-file.js';
import { submitJob } from '../../jobs/submit-job.js';
import { type GivenFilters, toExportParams } from './filters.js';

const WAIT_MS = 60_000;
/** The file is for the one request that asked for it, and for resuming its download. */
const KEPT_HOURS = 1;

/**
 * Submits an export, waits for its file, and sends it. An interrupted download can be resumed at its
 * `Content-Location`.
 */
export async function sendCsv(input: Input<GivenFilters, unknown>): Promise<void> {
  const { ctx, query, apiKey, requestId, services } = input;
  const jobId = await submitJob(services, {
    contract: identityExport,
    params: toExportParams(query, 'csv', KEPT_HOURS),
    apiKeyId: apiKey.id,
    requestId,
  });
  await respondAfterJob(ctx, services, jobId, {
    defaultWaitMs: WAIT_MS,
    completed: async (job) => {
      await sendWholeFile(ctx, services.files, resultFile(job));
      ctx.set('Content-Location', `/v2/jobs/${job.id}/file`);
    },
  });
}
