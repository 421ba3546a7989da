import { isAbsolute, join } from 'node:path';
import { printable } from '../text/printable.js';
import { byteSize, clockTime } from '../text/quantities.js';
import { type Access, findAccess } from './access.js';
import { help, type Options, readCommandLine } from './command-line.js';
import { UploadFailure, UsageError } from './failure.js';
import { curlFor, showOutcome } from './outcome.js';
import { phaseOf } from './phase.js';
import { Progress, type Screen } from './progress.js';
import { findFile, type SourceFile } from './source-file.js';
import { submit } from './submit.js';
import { type JobView, watchJob } from './watch-job.js';

/** What a run gets from the process around it. */
export interface CliContext {
  env: Record<string, string | undefined>;
  /** Takes the outcome. */
  out: { write(text: string): unknown };
  /** Takes progress, and what went wrong. */
  screen: Screen;
  /** Aborted when the run should end early; its reason is the exit code. */
  stop: AbortSignal;
}

/** One run, under way. `jobId` is there once the upload is accepted. */
interface Run extends CliContext {
  options: Options;
  access: Access;
  file: SourceFile;
  progress: Progress;
  sentAll: boolean;
  hasEnded: boolean;
  jobId?: string;
}

/** Carries out one command line from end to end, showing how it goes; see `help`. @returns the exit code */
export async function runUpload(args: readonly string[], around: CliContext): Promise<number> {
  const run = prepared(args, around);
  if (typeof run === 'number') return run;
  try {
    return await uploadAndFollow(run);
  } catch (error) {
    run.progress.clear();
    if (around.stop.aborted) return stopped(run);
    if (!(error instanceof UploadFailure)) throw error;
    run.progress.note(error.message);
    if (run.jobId) noteWhereToLook(run, run.jobId);
    return 1;
  }
}

/** All that can be wrong before the first byte is sent. */
function prepared(args: readonly string[], around: CliContext): Run | number {
  const { env, out, screen } = around;
  try {
    const options = readCommandLine(args);
    if (!options) {
      out.write(`${help}\n`);
      return 0;
    }
    const access = findAccess(options, env);
    const file = findFile(pathOf(options.file, env));
    return {
      ...around,
      options,
      access,
      file,
      progress: new Progress(screen),
      sentAll: false,
      hasEnded: false,
    };
  } catch (error) {
    if (error instanceof UsageError) {
      screen.write(`${printable(error.message)}.\nnpm run upload -- --help tells more.\n`);
      return 2;
    }
    if (!(error instanceof UploadFailure)) throw error;
    screen.write(`${printable(error.message)}\n`);
    return 1;
  }
}

/** npm runs scripts in the project's folder; a path is meant from where npm itself was called. */
function pathOf(file: string, { npm_lifecycle_event, INIT_CWD }: CliContext['env']): string {
  return npm_lifecycle_event && INIT_CWD && !isAbsolute(file) ? join(INIT_CWD, file) : file;
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

/** Says why there is another try; the same reason again is no news. */
function retryNote(progress: Progress): (why: string, waitMs: number) => void {
  let said = '';
  return (why, waitMs) => {
    if (why !== said) progress.note(`${why}; trying again in ${Math.ceil(waitMs / 1_000)} s`);
    said = why;
  };
}

function stopped(run: Run): number {
  const { progress, stop, jobId, sentAll, hasEnded } = run;
  if (jobId) {
    progress.note(hasEnded ? 'Stopped; the job has ended.' : 'Stopped watching; the job goes on by itself.');
    noteWhereToLook(run, jobId);
  } else if (sentAll) progress.note('Stopped before the answer came: the upload may have been accepted.');
  else progress.note('Stopped before the whole file was sent: nothing will be written.');
  return stop.reason as number;
}

function noteWhereToLook({ progress, access }: Run, jobId: string): void {
  progress.note(`To look at job ${jobId}:\n${curlFor(access, jobId)}`);
}
