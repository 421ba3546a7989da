import { counted, wholeNumber } from '../../workers/text/quantities.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import type { RejectedRow } from './rejected-file.js';
import type { JobView } from './watch-job.js';

/** How many errors are shown. The rejected file contains all of them. */
export const errorsShown = 10;

/** Returns the result of a job in one sentence, then its counts and warnings. */
export function reportOf(job: JobView, dryRun: boolean): string[] {
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
export function errorLines({ error }: JobView): string[] {
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
export function rejectedLines(first: readonly RejectedRow[], left: number): string[] {
  const rows = first.map(({ line, message }) => ['', `line ${line}`, printable(message)]);
  return [...table(rows), ...more(left, 'row')];
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`  ... and ${counted(count, `more ${what}`)}`] : [];
}
