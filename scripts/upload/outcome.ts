import { counted, wholeNumber } from '../../workers/text/quantities.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import type { Access } from './access.js';
import type { Options } from './command-line.js';
import { UploadFailure } from './failure.js';
import { firstRejected, type RejectedRow, saveRejected } from './rejected-file.js';
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

/** Returns where the changes are, and how to write those of a dry run or to take others back. */
function changesLines({ id }: JobView, { options, access }: OutcomeContext): string[] {
  if (options.dryRun)
    return [
      'To download what would change:',
      curlFor(access, `${id}/changes`),
      'To write exactly that, within 7 days and without the file:',
      curlFor(access, `${id}/apply`, '-X POST '),
    ];
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

/** How many errors are shown. The rejected file contains all of them. */
const errorsShown = 10;

/** Returns the result of a job in one sentence, then its counts and warnings. */
function reportOf(job: JobView, dryRun: boolean): string[] {
  return [headline(job, dryRun), ...countLines(job), ...columnLines(job), ...warningLines(job)];
}

function headline({ state, error, counts }: JobView, dryRun: boolean): string {
  if (state === 'failed') return `Failed: ${printable(error?.message ?? 'no reason was given.')}`;
  if (state === 'canceled')
    return 'Canceled. Rows that were already written stay; the others were not written.';
  const rejected = counts?.rejected ?? 0;
  const which =
    rejected > 0 ? `${counted(rejected, 'ROW')} REJECTED`.replace('ROWs', 'ROWS') : 'no rows rejected';
  if (dryRun) return `Dry run, ${which}. Nothing was written. The upload would do this:`;
  return rejected > 0 ? `Done, ${which}, the others written:` : `Done, ${which}:`;
}

function countLines({ counts }: JobView): string[] {
  const rows = Object.entries(counts ?? {}).map(([name, count]) => ['', name, wholeNumber(count)]);
  return table(rows, [2]);
}

/** Returns which column each field was read from, such as `Columns: email from "Mail Address", identity from "Login"`. */
function columnLines({ columns }: JobView): string[] {
  const read = Object.entries(columns ?? {}).map(
    ([field, column]) => `${field} from "${printable(column ?? '')}"`,
  );
  return read.length === 0 ? [] : [`Columns: ${read.join(', ')}`];
}

function warningLines({ warnings }: JobView): string[] {
  return warnings.map(({ message }) => `Warning: ${printable(message)}`);
}

/** Returns a line for each of the first errors of a file that was rejected as a whole. */
function errorLines({ error }: JobView): string[] {
  const errors = error?.errors ?? [];
  const rows = errors
    .slice(0, errorsShown)
    .map(({ line, field, message }) => [
      '',
      line === undefined ? '' : `line ${line}`,
      printable(field ? `${field}: ${message}` : message),
    ]);
  return [...table(rows), ...more((error?.errorCount ?? 0) - rows.length, 'error')];
}

/** Returns a line for each rejected row, and how many more there are. */
function rejectedLines(first: readonly RejectedRow[], left: number): string[] {
  const rows = first.map(({ line, message }) => ['', `line ${line}`, printable(message)]);
  return [...table(rows), ...more(left, 'row')];
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`  ... and ${counted(count, `more ${what}`)}`] : [];
}
