import type { JobsOptions } from 'bullmq';
import type { z } from 'zod';

/**
 * What a queue carries, agreed between the API that adds and the worker that takes.
 *
 * Glossary: a **job** is a row of the table `jobs`, which is the authority on its state. Its **payload** is what lies in
 * Redis: keys, never files. Its **params** are what the request asked for, kept in the row. A **queue** is a BullMQ queue;
 * a contract may have several, which share one handler. A **handler** is the function in `workers/jobs` of the same name.
 *
 * Names and payloads are a stored format: jobs that an older release queued are still there after a deploy. So a payload
 * has a `version`, and a schema takes the previous version too when it changes.
 */
export interface Contract<Name extends string, Payload extends z.ZodType, Params extends z.ZodType> {
  name: Name;
  queues: readonly string[];
  payload: Payload;
  params: Params;
  options: RetryPolicy;
  /** How many jobs of each of its queues one worker does at a time; 1 unless said otherwise. */
  concurrency?: number;
}

export interface RetryPolicy extends Pick<JobsOptions, 'attempts' | 'backoff'> {
  attempts: number;
}

/**
 * Failures that are nobody's fault are tried again after about 1, 2, 4 and 8 s: five starts over 15 s.
 * A server that is away is no attempt at all, see `workers/run/retry-while-unavailable.ts`.
 */
export const PATIENT: RetryPolicy = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
};
