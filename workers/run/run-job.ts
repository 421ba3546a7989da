import { type Job as QueuedJob, UnrecoverableError, WaitingError } from 'bullmq';
import type { Logger } from 'pino';
import type { FileStore } from '../../db/files/index.js';
import { finishJob, type JobOutcome, startJob, takeBackStart } from '../../db/jobs/job-lifecycle.js';
import type { Job, JobError } from '../../db/jobs/jobs.js';
import { describeError } from '../process/describe-error.js';
import { jobPayload } from '../queues/contracts/contract.js';
import { JobCanceled, JobFailure, WorkerClosing } from './errors.js';
import { isLastAttempt, type Outcome } from './job-outcome.js';
import { retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';
import { runHandler } from './run-handler.js';
import type { JobHandler, QueueHandler, Services } from './services.js';

/** How long the file of the refused rows of a failed import is kept. */
const RESULT_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** This many starts in a row that got nowhere end a job: it, and no server, is what kills its worker. */
const MAX_STARTS_WITHOUT_PROGRESS = 5;

/** Clears away what a job needs no longer, however it ended. Must not throw. */
type CleanUp = (jobId: string, services: Services) => Promise<void>;

/** A handler of jobs that have a row in `jobs`. */
export const recorded =
  (handler: JobHandler, cleanUp: CleanUp = async () => {}): QueueHandler =>
  (queued, token, services) =>
    runJob({ handler, cleanUp }, queued, token, services);

/**
 * Takes one job from a queue to its end: row `running`, handler, row ended. The row decides: a job that has ended
 * (canceled, done by another worker) is dropped. Throws what tells BullMQ to try again, to wait, or to give up.
 */
async function runJob(
  { handler, cleanUp }: { handler: JobHandler; cleanUp: CleanUp },
  queued: QueuedJob,
  token: string | undefined,
  services: Services,
): Promise<Outcome> {
  const { jobId, requestId } = jobPayload.parse(queued.data);
  const log = services.log.child({ job: queued.name, jobId, requestId });
  const job = await retryWhileDatabaseUnavailable(services.closing, () => startJob(services.database, jobId));
  if (!job) {
    await cleanUp(jobId, services);
    log.info('job had ended already');
    return 'dropped';
  }
  const attempt = { services, job, queued, token, log, cleanUp };
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

interface Attempt {
  services: Services;
  job: Job;
  queued: QueuedJob;
  token: string | undefined;
  log: Logger;
  cleanUp: CleanUp;
}

/** What becomes of a job whose handler threw. */
async function settle(error: unknown, attempt: Attempt): Promise<Outcome> {
  const { services, job, queued, token, log } = attempt;
  if (error instanceof WorkerClosing) {
    await takeBackStart(services.database, job.id).catch(() => {});
    await queued.moveToWait(token);
    throw new WaitingError();
  }
  if (error instanceof JobCanceled) return end(attempt, { state: 'canceled' });
  if (error instanceof JobFailure) {
    const { error: fault, rejectedKey } = error;
    const kept = rejectedKey ? { rejectedKey, expiresAt: new Date(Date.now() + RESULT_KEPT_MS) } : {};
    await end(attempt, { state: 'failed', error: fault, ...kept });
    throw new UnrecoverableError(error.error.code);
  }
  const last = isLastAttempt(queued);
  log[last ? 'error' : 'warn'](
    { error: describeError(error) },
    last ? 'job failed' : 'job will be tried again',
  );
  if (last) await end(attempt, { state: 'failed', error: INTERNAL_ERROR });
  // The message of a driver's error holds the statement with its values, and BullMQ would store it in Redis.
  throw new Error('the attempt failed; the log has the reason');
}

async function end({ services, job, log, cleanUp }: Attempt, outcome: JobOutcome): Promise<Outcome> {
  const { database, closing, files } = services;
  const rejectedBytes = await sizeOf(files, outcome.rejectedKey);
  const resultBytes = rejectedBytes + (await sizeOf(files, outcome.resultKey));
  const sized = { ...outcome, resultBytes, rejectedBytes };
  const state = await retryWhileDatabaseUnavailable(closing, () => finishJob(database, job.id, sized));
  await cleanUp(job.id, services);
  // Canceled at the last moment: nobody can ask for the file that was made.
  if (state === 'canceled' && outcome.resultKey) await files.remove(outcome.resultKey).catch(() => {});
  const { counts, error } = outcome;
  const ms = Date.now() - job.createdAt.getTime();
  log.info(
    { state: state ?? outcome.state, counts, code: error?.code, ms },
    state ? 'job ended' : 'job had ended already',
  );
  return state ?? 'dropped';
}

/** For the key's limit on stored bytes. A store that does not tell must not keep a job from its end. */
async function sizeOf(files: FileStore, key: string | undefined): Promise<number> {
  if (key === undefined) return 0;
  const file = await files.stat(key).catch(() => null);
  return file?.bytes ?? 0;
}

const stuck = (): JobFailure =>
  new JobFailure(
    'no_progress',
    `The job was started ${MAX_STARTS_WITHOUT_PROGRESS} times in a row without getting any further.`,
  );

const INTERNAL_ERROR: JobError = {
  code: 'internal_error',
  message: 'Something went wrong on our side. It has been logged; the job can be tried again.',
  errors: [],
  errorCount: 0,
};
