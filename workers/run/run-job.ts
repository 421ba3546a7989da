import type { Job as QueuedJob } from 'bullmq';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import type { FileStore } from '../../db/files/index.js';
import {
  finishJob,
  type JobOutcome,
  startJob,
  takeBackStart,
  undoStart,
} from '../../db/jobs/job-lifecycle.js';
import { takeOverLedger } from '../../db/jobs/job-steps.js';
import { findJob, type Job, type JobError } from '../../db/jobs/jobs.js';
import { endJob } from '../callbacks/end-job.js';
import { describeError } from '../process/describe-error.js';
import {
  callbackOf,
  checkVersion,
  JOB_KEPT_S,
  jobPayload,
  type RecordedContract,
} from '../queues/contracts/contract.js';
import { jobTypeOf, recordedContracts } from '../queues/index.js';
import { DatabaseLost, JobCanceled, JobFailure, NotYet, WorkerClosing } from './errors.js';
import type { JobHandler, QueueHandler } from './handler.js';
import {
  type AttemptOutcome,
  giveUp,
  handBack,
  isLastAttempt,
  leaveToOthers,
  retryLater,
} from './job-outcome.js';
import { retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';
import { runHandler } from './run-handler.js';
import type { WorkerServices } from './services.js';

/** A job that was started this often in a row without progress fails: the job itself kills its worker. */
const MAX_STARTS_WITHOUT_PROGRESS = 5;

/** How long a job waits before it looks again whether an earlier one has ended. */
const NOT_YET_MS = 200;

/** What ends the jobs of a type, however they end. */
interface Ending {
  /** Returns how many bytes the recorded changes take; null if none or not all were recorded. */
  measureChanges: (database: Database, jobId: string) => Promise<number | null>;
  /** Removes what a job leaves behind once it has ended. Must not throw. */
  cleanUp: (jobId: string, services: WorkerServices) => Promise<void>;
}

const PLAIN_ENDING: Ending = { measureChanges: async () => null, cleanUp: async () => {} };

/** Returns a handler for jobs that have a row in `jobs`. */
export const recorded =
  (handler: JobHandler, ending: Partial<Ending> = {}): QueueHandler =>
  (queued, token, services) =>
    runJob(handler, { ...PLAIN_ENDING, ...ending }, queued, token, services);

/**
 * Makes one attempt at a job: marks its row `running`, runs the handler, and ends the row. The row decides: a job whose row has
 * ended (canceled, or finished by another worker) is dropped.
 * @throws UnknownVersion if a newer release made the job, DatabaseLost, and what `handBack`, `retryLater` and `giveUp` throw
 */
async function runJob(
  handler: JobHandler,
  ending: Ending,
  queued: QueuedJob,
  token: string | undefined,
  services: WorkerServices,
): Promise<AttemptOutcome> {
  const { jobId, requestId } = jobPayload.parse(queued.data);
  const log = services.log.child({ job: queued.name, jobId, requestId });
  const job = await retryWhileDatabaseUnavailable(services.closing, () => start(services.database, jobId));
  if (!job) {
    await ending.cleanUp(jobId, services);
    log.info('job had already ended');
    return 'dropped';
  }
  const attempt = { services, job, queued, token, log, ending };
  log.info({ attempt: job.attempts }, 'job started');
  try {
    if (job.cancelRequestedAt) throw new JobCanceled();
    if (job.startsWithoutProgress > MAX_STARTS_WITHOUT_PROGRESS) throw stuck();
    const result = await runHandler(handler, job, { ...services, log });
    return await end(attempt, result);
  } catch (error) {
    return await settle(error, attempt);
  }
}

/**
 * Marks a job as running. A job that this release cannot read stays as it is, so that it can be canceled at once meanwhile.
 * @returns null if the job has ended
 */
async function start(database: Database, jobId: string): Promise<Job | null> {
  const job = await findJob(database, jobId);
  if (!job || job.finishedAt) return null;
  const contract: RecordedContract = recordedContracts[jobTypeOf(job)];
  checkVersion(contract.params, job.params);
  const started = await startJob(database, jobId, contract.startedAs);
  if (started && started.attempts > 1) await takeOverLedger(database, started);
  return started;
}

interface Attempt {
  services: WorkerServices;
  job: Job;
  queued: QueuedJob;
  token: string | undefined;
  log: Logger;
  ending: Ending;
}

/** Decides the outcome of a job whose handler threw. */
async function settle(error: unknown, attempt: Attempt): Promise<AttemptOutcome> {
  const { services, job, queued, token, log } = attempt;
  if (error instanceof WorkerClosing) {
    await takeBackStart(services.database, job.id).catch(() => {});
    return handBack(queued, token);
  }
  if (error instanceof NotYet) {
    await undoStart(services.database, job.id).catch(() => {});
    return leaveToOthers(queued, token, { reason: 'not_yet', waitMs: NOT_YET_MS });
  }
  if (error instanceof DatabaseLost) throw error;
  if (error instanceof JobCanceled) return end(attempt, { state: 'canceled' });
  if (error instanceof JobFailure) {
    const { error: jobError, rejectedKey } = error;
    const kept = rejectedKey ? { rejectedKey, keptS: JOB_KEPT_S } : {};
    await end(attempt, { state: 'failed', error: jobError, ...kept });
    return giveUp(error.error.code);
  }
  const last = isLastAttempt(queued);
  log[last ? 'error' : 'warn']({ error: describeError(error) }, last ? 'job failed' : 'job will be retried');
  if (last) await end(attempt, { state: 'failed', error: INTERNAL_ERROR });
  return retryLater();
}

async function end({ services, job, log, ending }: Attempt, outcome: JobOutcome): Promise<AttemptOutcome> {
  const { database, closing, files } = services;
  const rejectedBytes = await sizeOf(files, outcome.rejectedKey);
  const resultBytes = rejectedBytes + (await sizeOf(files, outcome.resultKey));
  const state = await retryWhileDatabaseUnavailable(closing, async () => {
    const changesBytes = await ending.measureChanges(database, job.id);
    const keptS = outcome.keptS ?? (changesBytes ? JOB_KEPT_S : undefined);
    const sized = {
      ...outcome,
      resultBytes,
      rejectedBytes,
      changesBytes,
      ...(keptS === undefined ? {} : { keptS }),
    };
    return endJob(database, job, (writing) => finishJob(writing, job.id, sized));
  });
  if (callbackOf(job) !== null) services.wakeOutbox();
  await ending.cleanUp(job.id, services);
  // Canceled at the last moment: the result is not available to anybody.
  if (state === 'canceled' && outcome.resultKey) await files.remove(outcome.resultKey).catch(() => {});
  const { counts, error } = outcome;
  const ms = Date.now() - job.createdAt.getTime();
  log.info(
    { state: state ?? outcome.state, counts, code: error?.code, ms },
    state ? 'job ended' : 'job had already ended',
  );
  return state ?? 'dropped';
}

/** Returns a file's size, for the API key's limit on stored bytes; 0 if the store does not respond, so that the job can end. */
async function sizeOf(files: FileStore, key: string | undefined): Promise<number> {
  if (key === undefined) return 0;
  const file = await files.stat(key).catch(() => null);
  return file?.bytes ?? 0;
}

const stuck = (): JobFailure =>
  new JobFailure(
    'no_progress',
    `The job was started ${MAX_STARTS_WITHOUT_PROGRESS} times in a row without any progress.`,
  );

const INTERNAL_ERROR: JobError = {
  code: 'internal_error',
  message: 'Something went wrong on our side, and was logged. The job can be retried.',
  errors: [],
  errorCount: 0,
};
