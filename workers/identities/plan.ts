import { z } from 'zod';
import { pinPlan } from '../../db/jobs/job-lifecycle.js';
import type { Job } from '../../db/jobs/jobs.js';
import { JobFailure } from '../run/errors.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';

/**
 * Changes whenever the reader, the record rules, the order of the rows or the way of cutting chunks do. A job that was
 * begun under another version cannot be carried on: its ledger may speak of other chunks.
 */
const PLAN_VERSION = 2;

const planSchema = z.object({ version: z.number(), chunkRows: z.number() });
export type Plan = z.infer<typeof planSchema>;

/** How an import is cut into chunks: fixed when it first starts, so that every restart cuts it alike. */
export async function planImport(job: Job, { settings, database, closing }: Services): Promise<Plan> {
  const wanted: Plan = { version: PLAN_VERSION, chunkRows: settings.importChunkRows };
  const plan = planSchema.parse(
    await retryWhileDatabaseUnavailable(closing, () => pinPlan(database, job.id, wanted)),
  );
  if (plan.version !== PLAN_VERSION) throw resumeMismatch('it was begun by another release');
  return plan;
}

/** What is in the ledger is not what the upload holds: to carry on would skip or repeat rows. */
export const resumeMismatch = (why: string): JobFailure =>
  new JobFailure(
    'resume_mismatch',
    `The import cannot be carried on where it stopped: ${why}. Upload the file again.`,
  );
