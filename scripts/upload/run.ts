import { byteSize, counted } from '../../workers/text/quantities.js';
import { calledAs } from '../text/called-as.js';
import { type CliContext, reportError, UsageError } from '../text/command-line.js';
import { givenPath } from '../text/given-path.js';
import { printable } from '../text/printable.js';
import { type Access, findAccess } from './access.js';
import { helpOf, type Options, readCommandLine } from './command-line.js';
import { type Converted, convert } from './convert/convert.js';
import { UploadFailure } from './failure.js';
import { curlFor, showOutcome } from './outcome.js';
import { clockTime, phaseOf } from './phase.js';
import { Progress, type Screen } from './progress.js';
import { findFile, type SourceFile } from './source-file.js';
import { submit } from './submit.js';
import { inOptions } from './upload-options.js';
import { type JobView, watchJob } from './watch-job.js';

/** What a run gets from its process. */
export interface UploadContext extends CliContext {
  /** Receives progress and errors. */
  err: Screen;
  /** Aborted when the run should end early. The reason is the exit code. */
  stop: AbortSignal;
}

/** A run in progress. `jobId` is set once the upload is accepted. */
interface Run extends UploadContext {
  options: Options;
  access: Access;
  file: SourceFile;
  progress: Progress;
  sentAll: boolean;
  hasEnded: boolean;
  jobId?: string;
}

/**
 * Runs one command line and shows its progress.
 * @returns the exit code
 */
export async function runUpload(args: readonly string[], context: UploadContext): Promise<number> {
  const run = prepared(args, context);
  if (typeof run === 'number') return run;
  let converted: Converted | null = null;
  try {
    converted = await convertExport(run);
    return await uploadAndFollow(run);
  } catch (error) {
    run.progress.clear();
    if (context.stop.aborted) return stopped(run);
    if (!(error instanceof UploadFailure)) throw error;
    run.progress.note(inOptions(error.message));
    if (run.jobId) noteWhereToLook(run, run.jobId);
    return 1;
  } finally {
    converted?.remove();
  }
}

/** Checks everything that can be checked before the first byte is sent. Returns the exit code if the run ends here. */
function prepared(args: readonly string[], context: UploadContext): Run | number {
  const { env, out, err } = context;
  try {
    const options = readCommandLine(args);
    if (!options) {
      out.write(`${helpOf(calledAs('upload', env))}\n`);
      return 0;
    }
    const access = findAccess(options, env);
    const file = findFile(givenPath(options.file, env));
    return {
      ...context,
      options,
      access,
      file,
      progress: new Progress(err),
      sentAll: false,
      hasEnded: false,
    };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof UploadFailure)) throw error;
    return reportError(error, calledAs('upload', env), err);
  }
}

/** Replaces an export of another product by the CSV file that it is converted to. */
async function convertExport(run: Run): Promise<Converted | null> {
  const { options, file, progress, env } = run;
  const { conversion, onError } = options;
  if (!conversion) return null;
  const users = conversion.users && givenPath(conversion.users, env);
  const converted = await convert({
    ...conversion,
    users,
    path: file.path,
    sendInvalid: onError === 'continue',
  });
  progress.note(`Converted ${printable(file.name)}: ${counted(converted.rows, 'account')}`);
  for (const note of converted.notes) progress.note(note);
  run.file = { ...findFile(converted.path), original: file.path };
  run.options = { ...options, query: { ...options.query, expectedRows: String(converted.rows) } };
  return converted;
}

async function uploadAndFollow(run: Run): Promise<number> {
  const { file, access, options, progress, out } = run;
  progress.note(`Sending ${printable(file.name)} (${byteSize(file.bytes)}) to ${access.base.origin}`);
  run.jobId = await send(run);
  if (!options.wait) {
    out.write(`${run.jobId}\n`);
    noteWhereToLook(run, run.jobId);
    return 0;
  }
  const job = await follow(run, run.jobId);
  run.hasEnded = true;
  progress.clear();
  return showOutcome(job, run);
}

async function send(run: Run): Promise<string> {
  const { file, access, options, progress, stop } = run;
  const started = performance.now();
  const onSent = (bytes: number) => {
    run.sentAll ||= bytes === file.bytes;
    progress.show({ name: 'sending', done: bytes, total: file.bytes, unit: 'bytes' });
  };
  const jobId = await submit(access, file, { options, onSent, onRetry: retryNote(progress) }, stop);
  progress.note(`Accepted as job ${jobId} after ${clockTime((performance.now() - started) / 1_000)}`);
  return jobId;
}

function follow(run: Run, jobId: string): Promise<JobView> {
  const { access, options, progress, stop } = run;
  let onRetry = retryNote(progress);
  const onJob = (job: JobView) => {
    onRetry = retryNote(progress);
    if (job.finishedAt === null) progress.show(phaseOf(job, options.dryRun));
  };
  const watch = {
    timeoutMs: options.timeoutMs,
    onJob,
    onRetry: (why: string, waitMs: number) => onRetry(why, waitMs),
  };
  return watchJob(access, jobId, watch, stop);
}

/** Returns a function that shows why there is another attempt, unless the reason is the same as before. */
function retryNote(progress: Progress): (why: string, waitMs: number) => void {
  let said = '';
  return (why, waitMs) => {
    if (why !== said) progress.note(`${why}; retrying in ${Math.ceil(waitMs / 1_000)} s`);
    said = why;
  };
}

function stopped(run: Run): number {
  const { progress, stop, jobId, sentAll, hasEnded } = run;
  if (jobId) {
    progress.note(hasEnded ? 'Stopped. The job has finished.' : 'Stopped watching. The job continues.');
    noteWhereToLook(run, jobId);
  } else if (sentAll)
    progress.note('Stopped before the response arrived. The upload may have been accepted.');
  else progress.note('Stopped before the whole file was sent. Nothing will be written.');
  return stop.reason as number;
}

function noteWhereToLook({ progress, access }: Run, jobId: string): void {
  progress.note(`To see job ${jobId}:\n${curlFor(access, jobId)}`);
}
