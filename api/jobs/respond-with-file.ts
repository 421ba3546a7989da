import type { RecordedContract } from '../../workers/queues/contracts/contract.js';
import type { Input } from '../endpoint/route.js';
import { requireCallback } from './callback.js';
import { respondAfterJob } from './respond-with-job.js';
import { resultFile } from './result-file.js';
import { sendWholeFile } from './send-file.js';
import { type Submission, submitJob } from './submit-job.js';

const WAIT_MS = 60_000;

/**
 * Submits an export, waits for its file, and sends it. An interrupted download can be resumed at its `Content-Location`.
 * Responds with 202 if the file takes longer than 60 s, or than the request prefers to wait.
 */
export async function respondWithFile<Submitted extends RecordedContract>(
  { ctx, principal, origin, services }: Input<unknown, unknown>,
  {
    callback,
    ...submission
  }: Pick<Submission<Submitted>, 'contract' | 'params'> & { callback: string | undefined },
): Promise<void> {
  const jobId = await submitJob(services, {
    ...submission,
    origin,
    callback: await requireCallback(services, principal, callback),
  });
  await respondAfterJob(ctx, services, jobId, {
    defaultWaitMs: WAIT_MS,
    completed: async (job) => {
      await sendWholeFile(ctx, services.files, resultFile(job));
      ctx.set('Content-Location', `/v2/jobs/${job.id}/file`);
    },
  });
}
