import type { Job as QueuedJob } from 'bullmq';
import type { Logger } from 'pino';
import type { UnknownVersion } from '../queues/contracts/contract.js';
import { leaveToOthers } from './job-outcome.js';

/** The wait after the first worker that does not know the version. It doubles with each further one, up to the maximum. */
const FIRST_WAIT_MS = 500;
/** While only workers of the old release run, each waiting job is read this often, and a batch of events has half a MiB. */
const MAX_WAIT_MS = 10_000;
/** A type of job is logged once in this time: thousands of jobs may wait. */
const LOG_EVERY_MS = 60_000;

/**
 * Gives back the jobs that this release cannot read, because a newer one made them: during an upgrade, or after a rollback. They
 * wait in their queue until a worker that knows their version takes them.
 */
export class UnknownVersions {
  readonly #log: Logger;
  readonly #loggedAt = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Gives a job back, at no cost of an attempt. @throws what `leaveToOthers` throws */
  giveBack(queued: QueuedJob, token: string | undefined, { version }: UnknownVersion): Promise<never> {
    const waitMs = waitOf(queued);
    this.#report(queued, version, waitMs);
    return leaveToOthers(queued, token, { reason: 'unknown_version', waitMs });
  }

  #report({ name, queueName, id }: QueuedJob, version: unknown, waitMs: number): void {
    const now = performance.now();
    if (now - (this.#loggedAt.get(queueName) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedAt.set(queueName, now);
    this.#log.warn(
      { job: name, queue: queueName, id, version: typeof version === 'number' ? version : null, waitMs },
      'jobs of a version that this release cannot read stay in the queue until a worker of a newer release takes them: upgrade the workers',
    );
  }
}

/** Returns how long to wait, in milliseconds. Half of it is random, so that jobs do not all come back together. */
function waitOf({ attemptsStarted, attemptsMade }: QueuedJob): number {
  const earlier = Math.max(0, attemptsStarted - attemptsMade - 1);
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** earlier, MAX_WAIT_MS);
  return Math.round(waitMs * (0.5 + Math.random() / 2));
}
