import { printable } from '../text/printable.js';
import { counted, wholeNumber } from '../text/quantities.js';
import { table } from '../text/table.js';
import type { RejectedRow } from './rejected-file.js';
import type { JobView } from './watch-job.js';

/** How many faults are shown; all are in the rejected file. */
export const faultsShown = 10;

/** The outcome of a job in one sentence, counts and warnings below it. */
export function reportOf(job: JobView, dryRun: boolean): string[] {
  return [headline(job, dryRun), ...countLines(job), ...warningLines(job)];
}

function headline({ state, error, counts }: JobView, dryRun: boolean): string {
  if (state === 'failed') return `Failed: ${printable(error?.message ?? 'no reason was given.')}`;
  if (state === 'canceled') return 'Canceled: what was written until then stays, the rest was not written.';
  const refused = counts?.rejected ?? 0;
  const which = refused > 0 ? `${counted(refused, 'ROW')} REFUSED`.replace('ROWs', 'ROWS') : 'no row refused';
  if (dryRun) return `Dry run, ${which}. Nothing was written; the upload would do this:`;
  return refused > 0 ? `Done, ${which}, the others written:` : `Done, ${which}:`;
}

function countLines({ counts }: JobView): string[] {
  const rows = Object.entries(counts ?? {}).map(([name, count]) => ['', name, wholeNumber(count)]);
  return table(rows, [2]);
}

function warningLines({ warnings }: JobView): string[] {
  return warnings.map(({ message }) => `Warning: ${printable(message)}`);
}

/** The first faults of a file that was refused as a whole, a line each. */
export function faultLines({ error }: JobView): string[] {
  const faults = error?.errors ?? [];
  const rows = faults
    .slice(0, faultsShown)
    .map(({ line, field, message }) => [
      '',
      line === undefined ? '' : `line ${line}`,
      printable(field ? `${field}: ${message}` : message),
    ]);
  return [...table(rows), ...more((error?.errorCount ?? 0) - rows.length, 'fault')];
}

/** Refused rows, a line each, and how many there are beside them. */
export function refusedLines(first: readonly RejectedRow[], left: number): string[] {
  const rows = first.map(({ line, message }) => ['', `line ${line}`, printable(message)]);
  return [...table(rows), ...more(left, 'row')];
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`  ... and ${counted(count, `more ${what}`)}`] : [];
}
