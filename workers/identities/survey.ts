import type { JobFault, JobWarning } from '../../db/jobs.js';
import { MAX_FAULTS_KEPT } from '../errors.js';
import type { ProgressKeeper } from './progress.js';
import type { CsvBatch, RefusedRow } from './read-csv.js';
import type { RejectedFile } from './rejected-file.js';

/** What the first pass over an upload found. */
export interface Survey {
  rows: number;
  refusedRows: number;
  /** The first faults, one entry each. */
  faults: JobFault[];
  faultCount: number;
  warnings: JobWarning[];
}

interface Reading extends AsyncIterable<CsvBatch> {
  readonly warnings: JobWarning[];
}

/** Reads an upload once from end to end, writing nothing but the file of its refused rows. */
export async function survey(
  reading: Reading,
  place: 'line' | 'index',
  rejected: RejectedFile,
  progress: ProgressKeeper,
): Promise<Survey> {
  const found: Survey = { rows: 0, refusedRows: 0, faults: [], faultCount: 0, warnings: [] };
  for await (const { records, refused, bytesRead } of reading) {
    found.rows += records.length + refused.length;
    found.refusedRows += refused.length;
    for (const row of refused) note(found, row, place);
    await rejected.add(refused);
    progress.current.bytesRead = bytesRead;
    progress.checkpoint();
  }
  found.warnings = [...reading.warnings];
  return found;
}

function note(found: Survey, row: RefusedRow, place: 'line' | 'index'): void {
  found.faultCount += row.errors.length;
  if (found.faults.length >= MAX_FAULTS_KEPT) return;
  found.faults.push(...row.errors.map((error) => ({ [place]: row.line, ...error })));
}
