import type { Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import { lockJob } from '../../db/jobs/job-lifecycle.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { insertJobEnd } from '../../db/outbox/outbox.js';
import { callbackOf } from '../queues/contracts/contract.js';
import { presentJob } from './present-job.js';

/**
 * Makes a change that may end a job. If it does, and the request of the job named a destination, the end is written into the outbox in the
 * same transaction. `change` may run several times.
 */
export async function endJob<Result>(
  database: Database,
  job: Pick<Job, 'id' | 'params'>,
  change: (database: Database) => Promise<Result>,
): Promise<Result> {
  const destinationId = callbackOf(job);
  if (destinationId === null) return change(database);
  return inTransaction(database, async (transaction) => {
    const before = await lockJob(transaction, job.id);
    const result = await change(transaction);
    const after = await findJob(transaction, job.id);
    if (!before || before.finishedAt || !after?.finishedAt) return result;
    const told = { at: after.finishedAt, previousStatus: before.state, job: presentJob(after) };
    await insertJobEnd(transaction, { jobId: job.id, destinationId, job: JSON.stringify(told) });
    return result;
  });
}
