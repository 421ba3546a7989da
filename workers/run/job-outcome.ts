import { DelayedError, type Job as QueuedJob, UnrecoverableError, WaitingError } from 'bullmq';
import type { JobOutcome } from '../../db/jobs/job-lifecycle.js';
import { putBack, putBackFor } from '../queues/bullmq-internals.js';
import { annotate } from '../tracing/spans.js';
import type { WorkerMetrics } from './metrics.js';

/**
 * How one attempt at a job ends. The set is closed, and is the label `outcome` of `muster_job_duration_seconds`.
 *
 * | outcome                              | in the queue                       | by              |
 * | ------------------------------------ | ---------------------------------- | --------------- |
 * | `completed`, `completed_with_errors` | removed                            | returning it    |
 * | `canceled`                           | removed                            | returning it    |
 * | `dropped`: it had ended before       | removed                            | returning it    |
 * | `failed`: it can never succeed       | removed                            | `giveUp`        |
 * | `failed`: this was the last attempt  | removed                            | `retryLater`    |
 * | `retried`                            | waits, then costs one more attempt | `retryLater`    |
 * | `handed_back`: the worker shuts down | first in line, costs no attempt    | `handBack`      |
 * | `unknown_version`: of a newer release| waits, costs no attempt            | `leaveToOthers` |
 * | `database_lost`: only for this worker| waits, costs no attempt            | `leaveToOthers` |
 * | `not_yet`: an earlier job comes first| waits, costs no attempt            | `leaveToOthers` |
 *
 * `queues/contracts/contract.ts` has the waits before each attempt.
 */
export type AttemptOutcome = JobOutcome['state'] | 'dropped';
/** Why a worker leaves a job to others. */
type Reason = 'unknown_version' | 'database_lost' | 'not_yet';
type CountedOutcome = AttemptOutcome | 'handed_back' | Reason | 'retried';

/** Puts a job back at the front of its queue, so that another worker continues it. */
export async function handBack(queued: QueuedJob, token: string | undefined): Promise<never> {
  await putBack(queued, token);
  throw new WaitingError();
}

/** Puts a job back into its queue for a while, so that another worker can take it, or another job comes first. */
export async function leaveToOthers(
  queued: QueuedJob,
  token: string | undefined,
  { reason, waitMs }: { reason: Reason; waitMs: number },
): Promise<never> {
  await putBackFor(queued, token, waitMs);
  throw new DelayedError(reason);
}

/**
 * Ends an attempt, so that the job is retried if it has attempts left. The error that caused it goes to the log only: the
 * message of a driver's error contains the statement with its values, and BullMQ would store it in Redis.
 */
export function retryLater(): never {
  throw new Error('the attempt failed; the log has the reason');
}

/** Ends a job that can never succeed, without further attempts. */
export function giveUp(code: string): never {
  throw new UnrecoverableError(code);
}

/** Makes one attempt at a job, and counts its outcome and its duration. */
export async function countOutcome(
  metrics: WorkerMetrics,
  job: string,
  queued: QueuedJob,
  attempt: () => Promise<AttemptOutcome>,
): Promise<void> {
  const startedAt = performance.now();
  const count = (outcome: CountedOutcome) => {
    metrics.countJob(job, outcome, (performance.now() - startedAt) / 1_000);
    annotate({ 'muster.job.outcome': outcome });
  };
  try {
    count(await attempt());
  } catch (error) {
    count(outcomeOf(error, queued));
    throw error;
  }
}

function outcomeOf(error: unknown, queued: QueuedJob): CountedOutcome {
  if (error instanceof WaitingError) return 'handed_back';
  if (error instanceof DelayedError) return error.message as Reason;
  return error instanceof UnrecoverableError || isLastAttempt(queued) ? 'failed' : 'retried';
}

/** Returns whether the job fails for good if this attempt fails. */
export const isLastAttempt = ({ attemptsMade, opts }: QueuedJob): boolean =>
  attemptsMade + 1 >= (opts.attempts ?? 1);
