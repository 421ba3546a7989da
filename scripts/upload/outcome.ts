import { printable } from '../text/printable.js';
import type { Access } from './access.js';
import type { Options } from './command-line.js';
import { UploadFailure } from './failure.js';
import { firstRejected, saveRejected } from './rejected-file.js';
import { errorLines, errorsShown, rejectedLines, reportOf } from './report.js';
import type { SourceFile } from './source-file.js';
import { inOptions } from './upload-options.js';
import type { JobView } from './watch-job.js';

interface OutcomeContext {
  options: Pick<Options, 'dryRun'>;
  access: Access;
  file: SourceFile;
  stop: AbortSignal;
  out: { write(text: string): unknown };
  err: { write(text: string): unknown };
}

/** The exit code if a mirror has written rows, but removed nothing. */
const REMOVALS_SKIPPED = 3;

/**
 * Shows the result, and saves the rejected rows. Writes a failure to the error output.
 * @returns the exit code
 */
export async function showOutcome(job: JobView, context: OutcomeContext): Promise<number> {
  const { options, access, out, err } = context;
  const isDone = job.state === 'completed' || job.state === 'completed_with_errors';
  const say = (lines: string[]) =>
    (isDone ? out : err).write(lines.map((line) => `${inOptions(line)}\n`).join(''));
  say([...reportOf(job, options.dryRun), ...errorLines(job)]);
  if (job.links.rejected) say(await keepRejected(job, context));
  if (job.links.changes) say(changesLines(job, context));
  if (job.error?.code === 'internal_error') say([`To see job ${job.id}:`, curlFor(access, job.id)]);
  if (!isDone) return 1;
  return job.warnings.some(({ code }) => code === 'removals_skipped') ? REMOVALS_SKIPPED : 0;
}

/** Returns where the changes are and, unless nothing was written, how to take them back. */
function changesLines({ id }: JobView, { options, access }: OutcomeContext): string[] {
  if (options.dryRun) return ['To download what would change:', curlFor(access, `${id}/changes`)];
  return [
    'To download what changed:',
    curlFor(access, `${id}/changes`),
    'To take it back, within 7 days:',
    curlFor(access, `${id}/revert`, '-X POST '),
  ];
}

/** Saves the rejected rows. Shows the first ones only if the job succeeded: a failed job contains its errors itself. */
async function keepRejected(job: JobView, { access, file, stop }: OutcomeContext): Promise<string[]> {
  try {
    const saved = await saveRejected(access, job.id, file.original, stop);
    const rows = job.error ? [] : await firstRejected(saved, errorsShown);
    const left = job.error ? 0 : (job.counts?.rejected ?? 0) - rows.length;
    return [...rejectedLines(rows, left), `The rejected rows are in ${printable(saved)}`];
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error;
    return [
      `The rejected rows could not be saved: ${error.message}`,
      'To download them:',
      curlFor(access, `${job.id}/rejected`),
    ];
  }
}

/**
 * Returns a shell command for a job: one that shows it, or one of its files.
 * @param more further options of curl, followed by a space
 */
export function curlFor({ base, keyInShell }: Access, job: string, more = ''): string {
  return `  curl ${more}-H "authorization: ApiKey ${keyInShell}" ${new URL(`v2/jobs/${job}`, base)}`;
}
