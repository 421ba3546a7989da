import { type Job as QueuedJob, UnrecoverableError, WaitingError } from 'bullmq';
import type { JobOutcome } from '../../db/jobs/job-lifecycle.js';
import type { WorkerMetrics } from './metrics.js';

/**
 * What a turn came to that did not throw: how the job ended, or `dropped` where it had ended before. A turn that throws was
 * `handed_back` (the worker ends), or the job `failed`, or it is to be `retried`.
 */
export type Outcome = JobOutcome['state'] | 'dropped';

/** Counts what a job's turn came to, and how long it took. */
export async function counted(
  metrics: WorkerMetrics,
  job: string,
  queued: QueuedJob,
  turn: () => Promise<Outcome>,
): Promise<void> {
  const startedAt = performance.now();
  const count = (outcome: string) => metrics.countJob(job, outcome, (performance.now() - startedAt) / 1_000);
  try {
    count(await turn());
  } catch (error) {
    count(outcomeOf(error, queued));
    throw error;
  }
}

function outcomeOf(error: unknown, queued: QueuedJob): string {
  if (error instanceof WaitingError) return 'handed_back';
  return error instanceof UnrecoverableError || isLastAttempt(queued) ? 'failed' : 'retried';
}

/** True when this attempt's failure would be the job's. */
export const isLastAttempt = ({ attemptsMade, opts }: QueuedJob): boolean =>
  attemptsMade + 1 >= (opts.attempts ?? 1);
