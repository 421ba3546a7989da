import { z } from 'zod';
import { pinPlan } from '../../db/jobs/job-lifecycle.js';
import type { Job } from '../../db/jobs/jobs.js';
import { resumeMismatch } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';

/**
 * Changes whenever the reader, the record rules, the order of the rows or the cutting of chunks changes. A job that started
 * under another version cannot continue, because its ledger may describe other chunks.
 */
const PLAN_VERSION = 3;

const planSchema = z.object({ version: z.number(), chunkRows: z.number() });
export type Plan = z.infer<typeof planSchema>;

/** Returns how an import is cut into chunks. The plan is fixed at the first start, so every restart cuts the same chunks. */
export async function planImport(job: Job, { settings, database }: WorkerServices): Promise<Plan> {
  const wanted: Plan = { version: PLAN_VERSION, chunkRows: settings.importChunkRows };
  const plan = planSchema.parse(await pinPlan(database, job.id, wanted));
  if (plan.version !== PLAN_VERSION) throw resumeMismatch('another release started it');
  return plan;
}
