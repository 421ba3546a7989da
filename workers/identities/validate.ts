import type { JobErrorDetail, JobWarning } from '../../db/jobs/jobs.js';
import { MAX_ERRORS_KEPT } from '../run/errors.js';
import type { ProgressKeeper } from '../run/progress.js';
import type { CsvBatch, RejectedRow } from './parse/read-csv.js';
import type { RejectedFile } from './rejected/rejected-file.js';
import type { Spool } from './spool/spool.js';

/** What the first pass over an upload found. */
export interface Survey {
  rows: number;
  refusedRows: number;
  /** The first faults, one entry each. */
  faults: JobErrorDetail[];
  faultCount: number;
  warnings: JobWarning[];
}

interface Reading extends AsyncIterable<CsvBatch> {
  readonly warnings: JobWarning[];
}

interface SurveyInto {
  spool: Spool;
  rejected: RejectedFile;
  progress: ProgressKeeper;
  /** What an upload of removals says of each key is that nobody owns it. */
  action: 'assert' | 'remove';
  place: 'line' | 'index';
}

/**
 * Reads an upload once from end to end: its good rows go to the spool, the others to the rejected file. A reading that
 * is taken up again goes on with what the spool says was found before.
 */
export async function survey(reading: Reading, into: SurveyInto): Promise<Survey> {
  const { spool, rejected, progress, action, place } = into;
  const found: Survey = spool.surveyed?.found ?? noFindings();
  for await (const { records, lines, refused, bytesRead, next } of reading) {
    let at = 0;
    for (const { integrationId, identity, email } of records) {
      spool.add(integrationId, identity, action === 'remove' ? null : email, lines[at++] as number);
    }
    found.rows += records.length + refused.length;
    found.refusedRows += refused.length;
    for (const row of refused) note(found, row, place);
    await rejected.add(refused);
    // A rejected file is written in one go, so behind the first refused row there is nowhere to go on.
    if (spool.nearlyFull && next && found.refusedRows === 0) {
      spool.keep({ found, next, rejectedKey: null });
      progress.keptUpTo(next.offset);
    }
    progress.current.bytesRead = bytesRead;
    progress.checkpoint();
  }
  found.warnings = [...reading.warnings];
  return found;
}

const noFindings = (): Survey => ({ rows: 0, refusedRows: 0, faults: [], faultCount: 0, warnings: [] });

function note(found: Survey, row: RejectedRow, place: 'line' | 'index'): void {
  found.faultCount += row.errors.length;
  if (found.faults.length >= MAX_ERRORS_KEPT) return;
  found.faults.push(...row.errors.map((error) => ({ [place]: row.line, ...error })));
}
