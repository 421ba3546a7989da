import type { Job, JobErrorDetail } from '../../db/jobs/jobs.js';
import { describeInvalidRows, FileError } from '../identities/record/errors.js';
import { RejectedFile, type RejectedForm, tableForm } from '../identities/rejected/rejected-file.js';
import { codesOf, messagesOf } from '../identities/rejected/rejected-row.js';
import type { TableUploadParams } from '../queues/contracts/table-upload.js';
import { JobFailure, MAX_ERRORS_KEPT } from '../run/errors.js';
import type { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';
import type { TableReading } from './read-table.js';

/** What the validation pass found out about an upload. */
export interface Validation {
  total: number;
  rejected: number;
  rejectedKey: string | null;
}

/**
 * Reads an upload to its end and writes its rejected rows to a file.
 * @throws JobFailure if the file is invalid, or has invalid rows and the job aborts on them
 */
export async function validateTable(
  job: Job,
  params: TableUploadParams,
  reading: TableReading,
  progress: ProgressKeeper,
  { files }: WorkerServices,
): Promise<Validation> {
  const place = params.format === 'json' ? 'index' : 'line';
  const errors: JobErrorDetail[] = [];
  const found = { rows: 0, rejected: 0, errorCount: 0 };
  const rejected = new RejectedFile(files, `results/${job.id}.rejected`, () =>
    place === 'index' ? JSON_FORM : tableForm(reading.columns),
  );
  try {
    for await (const batch of reading) {
      found.rows += batch.records.length + batch.rejected.length;
      found.rejected += batch.rejected.length;
      for (const row of batch.rejected) {
        found.errorCount += row.errors.length;
        if (errors.length < MAX_ERRORS_KEPT)
          errors.push(...row.errors.map((error) => ({ [place]: row.line, ...error })));
      }
      await rejected.add(batch.rejected);
      progress.current.bytesRead = batch.bytesRead;
      progress.checkpoint();
    }
    const rejectedKey = await rejected.end();
    if (found.rejected > 0 && (params.onError === 'abort' || found.rejected === found.rows)) {
      const message =
        `Invalid file format: ${describeInvalidRows(found.rejected, found.rows, errors[0])}. ` +
        'The table is as it was. Fix these rows and upload the complete file again.';
      throw new JobFailure('invalid_rows', message, errors, {
        errorCount: found.errorCount,
        ...(rejectedKey && { rejectedKey }),
      });
    }
    return { total: found.rows, rejected: found.rejected, rejectedKey };
  } catch (error) {
    rejected.abandon();
    throw error instanceof FileError ? invalidFile(error, params) : error;
  }
}

function invalidFile(
  { code, message, details, candidates }: FileError,
  { mode }: TableUploadParams,
): JobFailure {
  const lacksKey = code === 'column_missing' && mode === 'replace';
  const hint = lacksKey
    ? ' Without `?key=`, the key is that of the present table. Pass `?key=` for another column.'
    : '';
  const text = `Invalid file format: ${message}. The table is as it was.${hint}`;
  return new JobFailure(code, text, details, candidates ? { candidates } : {});
}

const JSON_FORM: RejectedForm = {
  columns: ['index', 'code', 'message', 'record'],
  cells: (row) => [row.line, codesOf(row).join('; '), messagesOf(row).join('; '), row.original],
};
