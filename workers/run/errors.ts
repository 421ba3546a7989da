import type { JobError, JobErrorDetail } from '../../db/jobs/jobs.js';

/** At most this many errors are stored with a job; `errorCount` is their full number. */
export const MAX_ERRORS_KEPT = 100;

interface FailureDetails {
  errorCount?: number;
  /** The key of the file of rejected rows, if there is one. */
  rejectedKey?: string;
  candidates?: JobError['candidates'];
}

/** A job that can never succeed. Its code, message and errors are shown to the user unchanged. */
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
    const { errorCount = errors.length, rejectedKey, candidates } = more;
    this.error = {
      code,
      message,
      errors: errors.slice(0, MAX_ERRORS_KEPT),
      errorCount,
      ...(candidates ? { candidates } : {}),
    };
    this.rejectedKey = rejectedKey;
  }
}

/** The job was canceled, and has stopped between two steps. */
export class JobCanceled extends Error {
  override name = 'JobCanceled';
}

/** The process shuts down. The job goes back to its queue, and another worker continues it. */
export class WorkerClosing extends Error {
  override name = 'WorkerClosing';
}

/** An earlier job has to end before. The job waits in its queue meanwhile. */
export class NotYet extends Error {
  override name = 'NotYet';
}

/** The database has been unavailable to this process for too long. The job goes back to its queue for workers that reach theirs. */
export class DatabaseLost extends Error {
  override name = 'DatabaseLost';
}
