import { MAX_ERRORS_KEPT } from '../run/errors.js';
import type { ProgressKeeper } from '../run/progress.js';
import { NOT_MIRRORED } from './parse/check-row.js';
import type { CsvReading } from './parse/read-csv.js';
import type { RejectedFile } from './rejected/rejected-file.js';
import type { RejectedRow } from './rejected/rejected-row.js';
import type { Spool } from './spool/spool.js';
import { emptyResult, type ValidationResult } from './spool/spool-manifest.js';

interface ValidateInto {
  spool: Spool;
  rejected: RejectedFile;
  progress: ProgressKeeper;
  /** In an upload of removals every row says that its key has no owner. */
  action: 'assert' | 'remove';
  isMirror: boolean;
  place: 'line' | 'index';
}

/**
 * The validation pass: reads an upload from start to end, and adds its valid rows to the spool and the others to the
 * rejected file. If the reading resumes an earlier one, the result continues from what the spool has stored.
 */
export async function validateRows(reading: CsvReading, into: ValidateInto): Promise<ValidationResult> {
  const { spool, rejected, progress, action, isMirror, place } = into;
  const result = spool.validation?.result ?? emptyResult();
  const named = new Set(result.namedAccountSystems);
  for await (const batch of reading) {
    let at = 0;
    for (const { integrationId, identity, email } of batch.records) {
      if (spool.full) await spool.makeRoom();
      spool.add(integrationId, identity, action === 'remove' ? null : email, batch.lines[at++] ?? 0);
    }
    if (isMirror) for (const { integrationId } of batch.records) named.add(integrationId);
    result.namedAccountSystems = [...named];
    result.rows += batch.records.length + batch.rejected.length;
    result.rejectedRows += batch.rejected.length;
    for (const row of batch.rejected) addErrors(result, row, place);
    await rejected.add(batch.rejected);
    // The rejected file is written as one stream, so the pass cannot resume after the first rejected row.
    if (spool.nearlyFull && batch.next && result.rejectedRows === 0) {
      const { next } = batch;
      await spool.keep({ result, next, rejectedKey: null }, () => {
        progress.keptUpTo(next.offset);
        progress.checkpoint();
      });
    }
    progress.current.bytesRead = batch.bytesRead;
    progress.checkpoint();
  }
  result.warnings = [...reading.warnings];
  return result;
}

function addErrors(result: ValidationResult, row: RejectedRow, place: 'line' | 'index'): void {
  result.errorCount += row.errors.length;
  if (row.errors.some(({ code }) => code === NOT_MIRRORED)) result.foreignRows += 1;
  if (result.errors.length >= MAX_ERRORS_KEPT) return;
  result.errors.push(...row.errors.map((error) => ({ [place]: row.line, ...error })));
}
