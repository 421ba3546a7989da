import type { JobError, JobErrorDetail } from '../../db/jobs/jobs.js';

/** At most this many faults are kept with a job; `errorCount` has their number. */
export const MAX_ERRORS_KEPT = 100;

interface FailureDetails {
  errorCount?: number;
  /** The file of the refused rows, when there is one. */
  rejectedKey?: string;
}

/** A job that can never succeed, however often it is tried: what its owner is told, word for word. */
export class JobFailure extends Error {
  override name = 'JobFailure';
  readonly error: JobError;
  readonly rejectedKey: string | undefined;

  constructor(
    code: string,
    message: string,
    errors: readonly JobErrorDetail[] = [],
    more: FailureDetails = {},
  ) {
    super(message);
    const { errorCount = errors.length, rejectedKey } = more;
    this.error = { code, message, errors: errors.slice(0, MAX_ERRORS_KEPT), errorCount };
    this.rejectedKey = rejectedKey;
  }
}

/** Somebody asked to cancel the job, and it has stopped between two steps. */
export class JobCanceled extends Error {
  override name = 'JobCanceled';
}

/** The process is about to end: the job goes back to its queue and carries on elsewhere. */
export class WorkerClosing extends Error {
  override name = 'WorkerClosing';
}
