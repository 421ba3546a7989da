import { printable } from '../text/printable.js';
import type { Access } from './access.js';
import type { Options } from './command-line.js';
import { UploadFailure } from './failure.js';
import { firstRefused, saveRejected } from './rejected-file.js';
import { faultLines, faultsShown, refusedLines, reportOf } from './report.js';
import type { SourceFile } from './source-file.js';
import type { JobView } from './watch-job.js';

interface OutcomeContext {
  options: Pick<Options, 'dryRun'>;
  access: Access;
  file: SourceFile;
  stop: AbortSignal;
  out: { write(text: string): unknown };
  screen: { write(text: string): unknown };
}

/**
 * Says what became of the rows, and saves those that were refused. What failed goes where errors go.
 * @returns the exit code
 */
export async function showOutcome(job: JobView, context: OutcomeContext): Promise<number> {
  const { options, access, out, screen } = context;
  const isDone = job.state === 'completed' || job.state === 'completed_with_errors';
  const say = (lines: string[]) => (isDone ? out : screen).write(lines.map((line) => `${line}\n`).join(''));
  say([...reportOf(job, options.dryRun), ...faultLines(job)]);
  if (job.links.rejected) say(await keepRejected(job, context));
  if (job.error?.code === 'internal_error') say([`To look at job ${job.id}:`, curlFor(access, job.id)]);
  return isDone ? 0 : 1;
}

/** The faults of a job that failed are in the job; of one that was done in spite of them, in the file alone. */
async function keepRejected(job: JobView, { access, file, stop }: OutcomeContext): Promise<string[]> {
  try {
    const saved = await saveRejected(access, job.id, file.path, stop);
    const rows = job.error ? [] : await firstRefused(saved, faultsShown);
    const left = job.error ? 0 : (job.counts?.rejected ?? 0) - rows.length;
    return [...refusedLines(rows, left), `The refused rows are in ${printable(saved)}`];
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error;
    return [
      `The refused rows could not be saved: ${error.message}`,
      'To get them:',
      curlFor(access, `${job.id}/rejected`),
    ];
  }
}

/** A command for the shell that shows a job, or one of its files. */
export function curlFor({ base, keyInShell }: Access, job: string): string {
  return `  curl -H "authorization: ApiKey ${keyInShell}" ${new URL(`v2/jobs/${job}`, base)}`;
}
