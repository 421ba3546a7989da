import { Readable } from 'node:stream';
import { saveUploadColumns } from '../../db/jobs/job-lifecycle.js';
import { type Counts, sumSteps } from '../../db/jobs/job-steps.js';
import type { Job, UploadColumns } from '../../db/jobs/jobs.js';
import type { Header } from '../identities/header/header.js';
import { Mirror } from '../identities/mirror.js';
import type { ReadPoint } from '../identities/parse/open-csv.js';
import { readCsv } from '../identities/parse/read-csv.js';
import { readJsonRecords } from '../identities/parse/read-json.js';
import { planImport } from '../identities/plan.js';
import { describeInvalidRows, FileError } from '../identities/record/errors.js';
import { RejectedFile } from '../identities/rejected/rejected-file.js';
import { warnOfRepeatedKeys } from '../identities/repeated-keys.js';
import { skippedRemovals } from '../identities/skipped-removals.js';
import { Spool } from '../identities/spool/spool.js';
import { spoolFolder } from '../identities/spool/spool-folders.js';
import type { Validation, ValidationResult } from '../identities/spool/spool-manifest.js';
import { validateRows } from '../identities/validate.js';
import { writeRows } from '../identities/write.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { type ImportParams, identityImport } from '../queues/contracts/identity-import.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';

/**
 * Imports an upload. The validation pass reads all of it, so nothing is written of a file that is rejected. The write pass
 * writes the rows that the validation pass has sorted. The import can stop anywhere and start over: the spool records how
 * far the validation pass has come, if it is on this machine, and the ledger records which chunks are written.
 */
export async function importIdentities(job: Job, services: WorkerServices): Promise<JobResult> {
  const params = paramsOf(job, identityImport);
  await requireUpload(job, services);
  const plan = await planImport(job, services);
  const progress = new ProgressKeeper(job.id, params.bytes, services);
  progress.current.keptBytes = job.progress?.keptBytes ?? 0;
  const origin = JSON.stringify({ plan: plan.version, params });
  const { runWriter } = services;
  const spool = await Spool.open({ folder: spoolFolder(job.id, services), origin, runWriter });
  try {
    const { rejectedKey, result } =
      (await finishedValidation(spool, services)) ??
      (await validateUpload(job, params, { spool, progress }, services));
    progress.current.bytesRead = params.bytes;
    progress.current.rowsTotal = result.rows - result.rejectedRows;
    const { dryRun } = params;
    const skipped = skippedRemovals(params.mirror?.integrationIds, result);
    const mirrored = skipped ? undefined : params.mirror;
    const run = { job, progress, chunkRows: plan.chunkRows, dryRun };
    const mirror = mirrored && new Mirror({ ...run, spool, ...mirrored }, services);
    await mirror?.checkLimit();
    const repeated = await writeRows(spool, run, services);
    await mirror?.removeUnnamed();
    const written = await sumSteps(services.database, job.id);
    return {
      state: result.rejectedRows > 0 ? 'completed_with_errors' : 'completed',
      counts: toCounts(params, result, written),
      warnings: [
        ...result.warnings,
        ...warnOfRepeatedKeys(repeated, placeIn(params)),
        ...(skipped ? [skipped] : []),
      ],
      progress: progress.current,
      ...(rejectedKey ? { rejectedKey } : {}),
      keptS: JOB_KEPT_S,
    };
  } finally {
    await spool.close();
  }
}

/** A job whose request was aborted may have a row and no file. A retry would not find the file either. */
async function requireUpload({ sourceKey }: Job, { files }: WorkerServices): Promise<void> {
  if (sourceKey && (await files.stat(sourceKey))) return;
  throw new JobFailure('source_expired', 'The uploaded file has been deleted. Upload it again.');
}

/** Returns the result of a worker that was killed after it had finished the validation pass; otherwise null. */
async function finishedValidation(spool: Spool, { files }: WorkerServices): Promise<Validation | null> {
  const { validation } = spool;
  if (!validation || validation.next) return null;
  if (!validation.rejectedKey || (await files.stat(validation.rejectedKey))) return validation;
  spool.startOver();
  return null;
}

/** How messages name the place of a row. */
const placeIn = ({ format }: ImportParams): 'index' | 'line' => (format === 'json' ? 'index' : 'line');

async function validateUpload(
  job: Job,
  params: ImportParams,
  { spool, progress }: { spool: Spool; progress: ProgressKeeper },
  services: WorkerServices,
): Promise<Validation> {
  const rejected = new RejectedFile(services.files, `results/${job.id}.rejected`, params.action);
  const { action } = params;
  try {
    const from = spool.validation?.next ?? undefined;
    const onProgress = (bytesRead: number) => {
      progress.current.bytesRead = bytesRead;
      progress.checkpoint();
    };
    const reading = read(job, params, { from, onProgress }, services);
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

interface ReadFrom {
  from: ReadPoint | undefined;
  onProgress: (bytesRead: number) => void;
}

function read(
  { id, sourceKey }: Job,
  params: ImportParams,
  { from, onProgress }: ReadFrom,
  { files, database }: WorkerServices,
) {
  if (sourceKey === null) throw new Error(`job ${id} has no upload`);
  const key = sourceKey;
  const keepsLost = params.damaged === 'keep';
  if (params.format === 'json') return readJsonRecords(files.read(key), params.action, keepsLost);
  const { charset, bytes, maxBytes, maxRows, expectedRows, onError, action, columns, integrationId } = params;
  const source = from ? readFrom(from.offset) : files.read(key);
  const rejectLongRows = onError === 'continue';
  // Saved as soon as they are known, so that a file that is rejected later also shows how its header was understood.
  const onHeader = (header: Header) => saveUploadColumns(database, id, columnNames(header));
  const choice = { action, columns, integrationId };
  const integrationIds = params.mirror && new Set(params.mirror.integrationIds);
  const limits = { maxBytes, maxRows };
  return readCsv(source, {
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
  });

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

function toCounts(
  { action, mirror }: ImportParams,
  { rows: total, rejectedRows: rejected }: ValidationResult,
  { created = 0, updated = 0, unchanged = 0, superseded = 0, removed = 0, notFound = 0 }: Counts,
): Record<string, number> {
  if (action === 'remove') return { total, removed, notFound, superseded, rejected };
  return { total, created, updated, unchanged, ...(mirror ? { removed } : {}), superseded, rejected };
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
