import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { acceptanceOf } from '../../db/jobs/accepted-uploads.js';
import { pinnedPlan, pinPlan } from '../../db/jobs/job-lifecycle.js';
import { hasSteps } from '../../db/jobs/job-steps.js';
import type { Job, JobWarning } from '../../db/jobs/jobs.js';
import { followsEarlier, placeAfter } from '../../db/jobs/upload-order.js';
import { MAX_PATTERNS } from '../../db/lookups/glob-patterns.js';
import { findTable, type LookupTable } from '../../db/lookups/lookup-tables.js';
import {
  activateRevision,
  beginRevision,
  discardRevision,
  findIdentical,
} from '../../db/lookups/revisions.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { type TableUploadParams, tableUpload } from '../queues/contracts/table-upload.js';
import { JobFailure, NotYet } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { requireUpload } from '../run/require-upload.js';
import { resumeMismatch, runSteps, type StepJob } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';
import { compareTable } from '../tables/compare-table.js';
import { KeyLines } from '../tables/key-lines.js';
import { readUpload } from '../tables/read-table.js';
import { validateTable } from '../tables/validate-table.js';
import { writeSteps } from '../tables/write-table.js';
import { wholeNumber } from '../text/quantities.js';

interface Upload extends StepJob {
  params: TableUploadParams;
  /** Its keys, once it has been read. */
  keys: KeyLines;
  read: () => ReturnType<typeof readUpload>;
}

/**
 * Makes an upload a revision of a lookup table. It is read three times, so that no file has to fit into memory: to be validated, to be compared with
 * the active revision, and to be written. What the first two find out is stored with the job. Until the last statement makes the new revision the
 * active one, the table is as it was.
 */
export async function uploadTable(job: Job, services: WorkerServices): Promise<JobResult> {
  const params = paramsOf(job, tableUpload);
  if (await followsEarlier(services.database, job, params.table)) throw new NotYet();
  const source = await requireUpload(job, services);
  const progress = new ProgressKeeper(job.id, params.bytes, services);
  const keys = new KeyLines();
  const read = () => readUpload(opened(source, services), params, keys);
  const upload = { job, params, progress, keys, read };
  const plan = await planOf(upload, services);
  const { counts, rejectedKey, resultKey } = plan;
  const warnings = params.dryRun ? [] : await write(upload, plan, services);
  return {
    state: counts.rejected ? 'completed_with_errors' : 'completed',
    counts,
    warnings: [...plan.warnings, ...warnings],
    progress: progress.current,
    ...(resultKey && { resultKey }),
    ...(rejectedKey && { rejectedKey }),
    keptS: JOB_KEPT_S,
  };
}

/** Reads a file from the moment on in which it is asked for: nobody would hear of an error before. */
async function* opened(key: string, { files }: WorkerServices): AsyncGenerator<Buffer> {
  yield* files.read(key);
}

/** What the validation and the comparison found out. A restart goes on with it: the table may have changed meanwhile. */
const tablePlan = z.object({
  version: z.literal(1),
  columns: z.array(z.string()),
  keyColumns: z.array(z.string()),
  lengths: z.array(z.number()),
  rowCount: z.number(),
  digest: z.string(),
  /** The revision that the upload was compared with. */
  base: z.number().nullable(),
  /** The revision that has the same content already. */
  identical: z.number().nullable(),
  counts: z.record(z.string(), z.number()),
  warnings: z.array(z.custom<JobWarning>()),
  resultKey: z.string().optional(),
  rejectedKey: z.string().nullable(),
});
type TablePlan = z.infer<typeof tablePlan>;

async function planOf(
  { job, params, progress, keys, read }: Upload,
  services: WorkerServices,
): Promise<TablePlan> {
  const { database } = services;
  const pinned = tablePlan.safeParse(await pinnedPlan<unknown>(database, job.id));
  if (pinned.success) return pinned.data;
  const reading = read();
  const { rejectedKey, ...found } = await validateTable(job, params, reading, progress, services);
  const { lengths } = reading.rows;
  const table = await findTable(database, params.table);
  const isMerge = params.mode === 'merge';
  if (isMerge && !table) throw tableGone();
  const isOther = params.base !== undefined && (table?.revision ?? null) !== params.base;
  if (isMerge && (isOther || !hasRules(table, params))) throw changed();
  const base = table && { database, table, merged: isMerge ? keys : null };
  const shape =
    isMerge && table
      ? table
      : { matching: params.matching, keyColumns: [...reading.keyColumns], columns: [...reading.columns] };
  const { digest, counts, rowCount, resultKey } = await compareTable(
    job,
    { reading: read(), keys, shape },
    base,
    services,
  );
  requireFit(shape.matching, rowCount, params);
  const plan = {
    version: 1,
    columns: shape.columns,
    keyColumns: shape.keyColumns,
    lengths: [...new Set([...(isMerge && table ? table.lengths : []), ...lengths])].sort((a, b) => b - a),
    rowCount,
    digest: digest.toString('hex'),
    base: table?.revision ?? null,
    identical: table && (await findIdentical(database, table.id, digest)),
    counts: { total: found.total, ...counts, rejected: found.rejected },
    warnings: [...reading.warnings, ...(isMerge && table ? unknownColumns(reading.columns, table) : [])],
    resultKey,
    rejectedKey,
  } satisfies TablePlan;
  return tablePlan.parse(await pinPlan<unknown>(database, job.id, plan));
}

/** @throws JobFailure if the table would have too many rows */
function requireFit(
  matching: TableUploadParams['matching'],
  rowCount: number,
  { maxRows }: TableUploadParams,
): void {
  const most = matching === 'glob' ? MAX_PATTERNS : maxRows;
  if (rowCount <= most) return;
  const message = `The table would have ${wholeNumber(rowCount)} rows. With the matching ${matching} it has at most ${wholeNumber(most)}. Nothing was changed.`;
  throw new JobFailure('too_many_rows', message);
}

const tableGone = () => new JobFailure('table_not_found', 'The table was deleted. Upload it as a whole.');
const changed = () =>
  new JobFailure(
    'table_changed',
    'The table has another active revision, which was uploaded or chosen later and stays. Nothing was changed, and a retry changes nothing either. Upload the rows again.',
  );

/** Returns whether a table has the rules by which the request was checked. */
const hasRules = (table: LookupTable | null, { matching, key }: TableUploadParams): boolean =>
  table?.matching === matching && isDeepStrictEqual(table.keyColumns, key);

function unknownColumns(names: readonly string[], { columns }: LookupTable): JobWarning[] {
  const unknown = names.filter((name) => !columns.includes(name));
  if (unknown.length === 0) return [];
  return [
    {
      code: 'extra_columns',
      message: `ignored columns: ${unknown.map((name) => JSON.stringify(name)).join(', ')}`,
    },
  ];
}

/** Writes the revision, unless the table has it already, and makes it the active one. */
async function write(upload: Upload, plan: TablePlan, services: WorkerServices): Promise<JobWarning[]> {
  const { job, params, progress } = upload;
  const { database } = services;
  const { identical, base: baseRevision } = plan;
  const isMerge = params.mode === 'merge';
  const isBased = isMerge || params.base !== undefined;
  const table = await findTable(database, params.table);
  const activation = {
    // Rows that are added keep those of an upload that was faster. A whole table would lose them.
    acceptance: isMerge && table ? await placeAfter(database, job, table.acceptance) : acceptanceOf(job),
    base: isMerge ? (baseRevision ?? undefined) : params.base,
    managedBy: params.managedBy,
  };
  if (identical !== null && table) {
    const isActive = await activateRevision(database, { id: table.id, revision: identical }, activation);
    if (!isActive && isBased) throw changed();
    if (!isActive) return superseded();
    if (identical === baseRevision)
      return [{ code: 'already_active', message: `the active revision, ${identical}, has the same content` }];
    const message = `the table had the same content before, as revision ${identical}. That one is active again`;
    return [{ code: 'identical_revision', message }];
  }
  const { keyColumns, columns, lengths, rowCount } = plan;
  const isStarted = await hasSteps(database, job.id);
  const revision = await beginRevision(database, {
    isStarted,
    name: params.table,
    matching: params.matching,
    keyColumns,
    columns,
    lengths,
    rowCount,
    digest: Buffer.from(plan.digest, 'hex'),
    jobId: job.id,
    author: { id: job.apiKeyId, name: params.keyName },
  });
  if (!revision) throw resumeMismatch('its rows were deleted');
  Object.assign(progress.current, { rowsRead: 0, rowsTotal: rowCount });
  // A job that was killed once its revision was the active one has nothing left to write.
  if (table?.revision === revision.revision) progress.current.rowsRead = rowCount;
  else {
    const base = await baseOf(upload, plan, table, services);
    await runSteps(writeSteps(upload.read(), base, revision, progress), upload, services);
  }
  if (await activateRevision(database, revision, activation)) return [];
  await discardRevision(database, revision);
  if (isBased) throw changed();
  return superseded();
}

/** Returns the revision whose other rows stay, and reads the keys of the upload again; null if no rows stay. */
async function baseOf(
  upload: Upload,
  plan: TablePlan,
  table: LookupTable | null,
  { database }: WorkerServices,
) {
  if (upload.params.mode !== 'merge') return null;
  if (!table || table.revision !== plan.base) throw changed();
  for await (const _ of upload.read());
  return { database, table, merged: upload.keys };
}

const superseded = (): JobWarning[] => [
  {
    code: 'superseded',
    message:
      'the table has another active revision, which was uploaded, chosen or deleted later. This upload changed nothing',
  },
];
