import { Readable } from 'node:stream';
import { saveUploadColumns } from '../../db/jobs/job-lifecycle.js';
import type { Job, UploadColumns } from '../../db/jobs/jobs.js';
import type { ImportParams } from '../queues/contracts/identity-import.js';
import { JobFailure, MAX_ERRORS_KEPT } from '../run/errors.js';
import type { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';
import type { Header } from './header/header.js';
import { NOT_MIRRORED } from './parse/check-row.js';
import type { ReadPoint } from './parse/open-csv.js';
import { readByRecipe } from './parse/read-by-recipe.js';
import { type CsvOptions, type CsvReading, readCsv } from './parse/read-csv.js';
import { readJsonRecords } from './parse/read-json.js';
import { describeInvalidRows, FileError } from './record/errors.js';
import { identityForm, RejectedFile, tableForm } from './rejected/rejected-file.js';
import type { RejectedRow } from './rejected/rejected-row.js';
import type { Spool } from './spool/spool.js';
import { emptyResult, type Validation, type ValidationResult } from './spool/spool-manifest.js';
import { storedWorkbook } from './workbook/workbook.js';

/** How messages name the place of a row. */
export const placeIn = ({ format }: ImportParams): 'index' | 'line' => (format === 'json' ? 'index' : 'line');

/**
 * Makes the validation pass over the upload of a job, or returns the result of an earlier one.
 * @throws JobFailure if the file is invalid, or has invalid rows and the job aborts on them
 */
export async function validateUpload(
  job: Job,
  params: ImportParams,
  { spool, progress }: { spool: Spool; progress: ProgressKeeper },
  services: WorkerServices,
): Promise<Validation> {
  const finished = await finishedValidation(spool, services);
  if (finished) return finished;
  const names: string[] = [];
  const rejected = new RejectedFile(services.files, `results/${job.id}.rejected`, () =>
    params.recipe ? tableForm(names) : identityForm(params.action),
  );
  const { action } = params;
  try {
    const from = spool.validation?.next ?? undefined;
    const onProgress = (bytesRead: number) => {
      progress.current.bytesRead = bytesRead;
      progress.checkpoint();
    };
    const onNames = (found: readonly string[]) => void names.push(...found);
    const reading = read(job, params, { from, onProgress, onNames }, services);
    const isMirror = params.mirror !== undefined;
    const into = { spool, progress, rejected, action, isMirror, place: placeIn(params) };
    const result = await validateRows(reading, into);
    const rejectedKey = await rejected.end();
    if (params.onError === 'abort' && result.rejectedRows > 0) throw invalidRows(result, rejectedKey);
    const validation = { result, next: null, rejectedKey };
    if (spool.isStored || params.mirror) await spool.keep(validation, () => progress.keptUpTo(params.bytes));
    await spool.finish();
    return validation;
  } catch (error) {
    rejected.abandon();
    throw error instanceof FileError ? invalidFile(error) : error;
  }
}

/** Returns the result of a worker that was killed after it had finished the validation pass; otherwise null. */
async function finishedValidation(spool: Spool, { files }: WorkerServices): Promise<Validation | null> {
  const { validation } = spool;
  if (!validation || validation.next) return null;
  if (!validation.rejectedKey || (await files.stat(validation.rejectedKey))) return validation;
  spool.startOver();
  return null;
}

interface ReadFrom {
  from: ReadPoint | undefined;
  onProgress: (bytesRead: number) => void;
  onNames: (names: readonly string[]) => void;
}

function read(
  { id, sourceKey }: Job,
  params: ImportParams,
  { from, onProgress, onNames }: ReadFrom,
  { files, database }: WorkerServices,
) {
  if (sourceKey === null) throw new Error(`job ${id} has no upload`);
  const key = sourceKey;
  const keepsLost = params.damaged === 'keep';
  if (params.format === 'json') return readJsonRecords(files.read(key), params.action, keepsLost);
  const { charset, bytes, maxBytes, maxRows, expectedRows, onError, action, columns, integrationId } = params;
  const workbook = params.workbook && storedWorkbook(files, key, { ...params.workbook, maxBytes });
  const source = workbook ?? (from ? readFrom(from.offset) : files.read(key));
  const rejectLongRows = onError === 'continue';
  // Saved as soon as they are known, so that a file that is rejected later also shows how its header was understood.
  const onHeader = (header: Header) => saveUploadColumns(database, id, columnNames(header));
  const onlyIntegrationId = params.uploadLink?.integrationId;
  const choice = { action, columns, integrationId, onlyIntegrationId };
  const integrationIds = params.mirror && new Set(params.mirror.integrationIds);
  const limits = { maxBytes, maxRows };
  const options: CsvOptions = {
    charset,
    choice,
    from,
    limits,
    expectedRows,
    integrationIds,
    keepsLost,
    rejectLongRows,
    onHeader,
    onProgress,
  };
  return params.recipe ? readByRecipe(source, options, params.recipe, { onNames }) : readCsv(source, options);

  function readFrom(start: number) {
    // Some stores reject an empty range.
    return start < bytes ? files.read(key, { start, end: bytes - 1 }) : Readable.from([]);
  }
}

const columnNames = ({ columns: { email, integrationId, identity } }: Header): UploadColumns => ({
  ...(email ? { email: email.name } : {}),
  ...(integrationId ? { integrationId: integrationId.name } : {}),
  ...(identity ? { identity: identity.name } : {}),
});

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
async function validateRows(reading: CsvReading, into: ValidateInto): Promise<ValidationResult> {
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

function invalidFile({ code, message, details, candidates }: FileError): JobFailure {
  const text = `Invalid file format: ${message}. Nothing was written.`;
  return new JobFailure(code, text, details, candidates ? { candidates } : {});
}

/** Returns the failure of a file with rejected rows: how many there are, the first error, and what to do. */
function invalidRows(result: ValidationResult, rejectedKey: string | null): JobFailure {
  const { rows, rejectedRows, errors, errorCount } = result;
  const message =
    `Invalid file format: ${describeInvalidRows(rejectedRows, rows, errors[0])}. ` +
    'Nothing was written. Fix these rows and upload the complete file again.';
  return new JobFailure('invalid_rows', message, errors, {
    errorCount,
    ...(rejectedKey ? { rejectedKey } : {}),
  });
}
