import { Readable } from 'node:stream';
import { type ChunkCounts, sumLedger } from '../../db/identities/import-chunks.js';
import { saveUploadColumns } from '../../db/jobs/job-lifecycle.js';
import type { Job } from '../../db/jobs/jobs.js';
import { applySpool } from '../identities/apply.js';
import type { Header } from '../identities/parse/header.js';
import { FileError, readCsv } from '../identities/parse/read-csv.js';
import { readJson } from '../identities/parse/read-json.js';
import type { ReadPoint } from '../identities/parse/read-point.js';
import { planImport } from '../identities/plan.js';
import { RejectedFile } from '../identities/rejected/rejected-file.js';
import { repeatedKeys } from '../identities/repeated-keys.js';
import { Spool } from '../identities/spool/spool.js';
import { spoolFolder } from '../identities/spool/spool-folders.js';
import type { Surveyed } from '../identities/spool/spool-manifest.js';
import { type Survey, survey } from '../identities/validate.js';
import { type ImportParams, importParams } from '../queues/contracts/identity-import.js';
import { JobFailure } from '../run/errors.js';
import { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { JobResult, Services } from '../run/services.js';

const RESULT_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Imports an upload. The first pass reads all of it, so that nothing is written of a file that is refused; the second
 * writes what the first has sorted. It can be broken off anywhere and started over: the spool knows how far the first
 * pass is, if it is on this machine, and the ledger what is written.
 */
export async function importIdentities(job: Job, services: Services): Promise<JobResult> {
  const params = importParams.parse(job.params);
  await requireUpload(job, services);
  const plan = await planImport(job, services);
  const progress = new ProgressKeeper(job.id, params.bytes, services);
  progress.current.keptBytes = job.progress?.keptBytes ?? 0;
  const origin = JSON.stringify({ plan: plan.version, params });
  const spool = await Spool.open(spoolFolder(job.id, services), origin);
  try {
    const { rejectedKey, found } =
      (await surveyedBefore(spool, services)) ??
      (await surveyUpload(job, params, { spool, progress }, services));
    progress.current.bytesRead = params.bytes;
    progress.current.rowsTotal = found.rows - found.refusedRows;
    const repeated = await applySpool(spool, { job, plan, progress, dryRun: params.dryRun }, services);
    const done = await retryWhileDatabaseUnavailable(services.closing, () =>
      sumLedger(services.database, job.id),
    );
    return {
      state: found.refusedRows > 0 ? 'completed_with_errors' : 'completed',
      counts: countsOf(params, found, done),
      warnings: [...found.warnings, ...repeatedKeys(repeated, placeIn(params))],
      progress: progress.current,
      ...(rejectedKey ? { rejectedKey } : {}),
      expiresAt: new Date(Date.now() + RESULT_KEPT_MS),
    };
  } finally {
    spool.close();
  }
}

/** A job whose request was refused in the middle may have a row and no file; trying again would not bring it. */
async function requireUpload({ sourceKey }: Job, { files }: Services): Promise<void> {
  if (sourceKey && (await files.stat(sourceKey))) return;
  throw new JobFailure('source_expired', 'The uploaded file is no longer there; upload it again.');
}

/** What a worker found that was killed when the first pass was over. */
async function surveyedBefore(spool: Spool, { files }: Services): Promise<Surveyed | null> {
  const { surveyed } = spool;
  if (!surveyed || surveyed.next) return null;
  if (!surveyed.rejectedKey || (await files.stat(surveyed.rejectedKey))) return surveyed;
  spool.startOver();
  return null;
}

/** How messages say where a row is. */
const placeIn = ({ format }: ImportParams): 'index' | 'line' => (format === 'json' ? 'index' : 'line');

async function surveyUpload(
  job: Job,
  params: ImportParams,
  { spool, progress }: { spool: Spool; progress: ProgressKeeper },
  services: Services,
): Promise<Surveyed> {
  const rejected = new RejectedFile(services.files, `results/${job.id}.rejected`);
  const place = placeIn(params);
  try {
    const from = spool.surveyed?.next ?? undefined;
    const { action } = params;
    const onProgress = (bytesRead: number) => {
      progress.current.bytesRead = bytesRead;
      progress.checkpoint();
    };
    const found = await survey(read(job, params, { from, onProgress }, services), {
      spool,
      progress,
      rejected,
      action,
      place,
    });
    const rejectedKey = await rejected.end();
    if (params.onError === 'abort' && found.refusedRows > 0) throw refusal(found, rejectedKey);
    const surveyed = { found, next: null, rejectedKey };
    if (spool.isStored) {
      spool.keep(surveyed);
      progress.keptUpTo(params.bytes);
    }
    return surveyed;
  } catch (error) {
    rejected.abandon();
    throw error instanceof FileError ? fileRefusal(error) : error;
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
  { files, database, closing }: Services,
) {
  const key = sourceKey as string;
  if (params.format === 'json') return readJson(files.read(key), params.action);
  const { charset, bytes, maxBytes, maxRows, onError } = params;
  const source = from ? readFrom(from.offset) : files.read(key);
  const rejectLongRows = onError === 'continue';
  // As soon as they are known: also a file that is rejected later should say how its header was understood.
  const onHeader = ({ columns: { email, integrationId, identity } }: Header) => {
    const names = { email: email.name, integrationId: integrationId.name, identity: identity.name };
    return retryWhileDatabaseUnavailable(closing, () => saveUploadColumns(database, id, names));
  };
  const limits = { maxBytes, maxRows };
  return readCsv(source, { charset, from, limits, rejectLongRows, onHeader, onProgress });

  function readFrom(start: number) {
    // A range without a byte is an error to some stores.
    return start < bytes ? files.read(key, { start, end: bytes - 1 }) : Readable.from([]);
  }
}

function countsOf({ action }: ImportParams, found: Survey, done: ChunkCounts): Record<string, number> {
  const { created, updated, unchanged, superseded, removed, notFound } = done;
  if (action === 'remove') return { total: found.rows, removed, notFound, superseded };
  return { total: found.rows, created, updated, unchanged, superseded, rejected: found.refusedRows };
}

function fileRefusal({ code, message, errors }: FileError): JobFailure {
  const faults = errors.map(({ line, ...fault }) => (line === null ? fault : { line, ...fault }));
  return new JobFailure(code, `Invalid file format: ${message}. Nothing was written.`, faults);
}

/** Names the number of refused rows and the first of them, and what to do. */
function refusal(found: Survey, rejectedKey: string | null): JobFailure {
  const [first] = found.faults;
  const where = [first?.line === undefined ? `record ${first?.index}` : `line ${first.line}`, first?.field];
  const rows = found.refusedRows === 1 ? '1 row is' : `${found.refusedRows} rows are`;
  const message =
    `Invalid file format: ${rows} not right, first: ${where.filter(Boolean).join(', ')}: ${first?.message}. ` +
    'Nothing was written: correct these lines in your file and upload it whole.';
  return new JobFailure('invalid_rows', message, found.faults, {
    errorCount: found.faultCount,
    ...(rejectedKey ? { rejectedKey } : {}),
  });
}
