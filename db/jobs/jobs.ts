import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';

/** A job goes from `queued` to `running` to one of the last four; a retry sets `failed` back to `queued`. */
export const JOB_STATES = [
  'queued',
  'running',
  'completed',
  'completed_with_errors',
  'failed',
  'canceled',
] as const;
export type JobState = (typeof JOB_STATES)[number];

export interface JobProgress {
  rowsRead: number;
  rowsTotal: number | null;
  bytesRead: number;
  bytesTotal: number | null;
  /** Up to which byte the upload was read and kept, so that no restart on the same host reads it again. */
  keptBytes?: number;
}

export interface JobErrorDetail {
  line?: number;
  index?: number;
  field: string | null;
  code: string;
  message: string;
}

/** Why a job failed, in the format of an HTTP error body. */
export interface JobError {
  code: string;
  message: string;
  errors: JobErrorDetail[];
  errorCount: number;
  /** If the header of an upload is not understood: its columns. */
  candidates?: ColumnCandidate[];
}

/** A column of an uploaded file, and the field that it contains or may contain. */
export interface ColumnCandidate {
  column: string;
  field: keyof UploadColumns | null;
}

export interface JobWarning {
  code: string;
  message: string;
  count?: number;
}

/**
 * The column that each field of an upload was read from, as spelled in the file's header. A removal has no `email`, and
 * an upload that sets the account system of all rows no `integrationId`.
 */
export interface UploadColumns {
  email?: string;
  integrationId?: string;
  identity?: string;
}

export interface Job {
  id: string;
  type: string;
  queue: string;
  state: JobState;
  apiKeyId: string;
  requestId: string;
  /** The upload's place in the order of acceptance, in µs since 1970 or slightly above; null for jobs without an upload. */
  acceptance: number | null;
  params: unknown;
  plan: unknown;
  sourceKey: string | null;
  /** The name of the uploaded file, as its client sent it: only to be shown. Null without one. */
  fileName: string | null;
  resultKey: string | null;
  rejectedKey: string | null;
  /** What the recorded changes of the job take; null if they are not recorded completely, or it has not ended. */
  changesBytes: number | null;
  /** Null unless the job imports a CSV file whose header has been read. */
  uploadColumns: UploadColumns | null;
  progress: JobProgress | null;
  counts: Record<string, number> | null;
  warnings: JobWarning[];
  error: JobError | null;
  attempts: number;
  startsWithoutProgress: number;
  cancelRequestedAt: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  expiresAt: Date | null;
}

export interface NewJob {
  id: string;
  type: string;
  /** The BullMQ queue that carries it. */
  queue: string;
  apiKeyId: string;
  requestId: string;
  acceptance?: number;
  params: unknown;
  sourceKey?: string;
  /** Size of the upload. */
  sourceBytes?: number;
  fileName?: string | null;
}

export async function insertJob(database: Database, job: NewJob): Promise<void> {
  await database('jobs').insert({
    id: job.id,
    type: job.type,
    queue: job.queue,
    state: 'queued',
    api_key_id: job.apiKeyId,
    request_id: job.requestId,
    acceptance: job.acceptance ?? null,
    params: JSON.stringify(job.params),
    source_key: job.sourceKey ?? null,
    source_bytes: job.sourceBytes ?? null,
    file_name: job.fileName ?? null,
    created_at: sqlNow(database),
  });
}

/** Time limit of the query after a failed COMMIT, in milliseconds. Its request has already waited for the COMMIT. */
const LOOKUP_WITHIN_MS = 400;

/** Returns whether a job's row is committed, once the transaction that inserted it has ended. */
export async function isJobCommitted(database: Database, id: string): Promise<boolean> {
  const locking = 'SELECT id FROM jobs WHERE id = ? FOR UPDATE';
  const [rows] = await database.raw(locking, [id]).timeout(LOOKUP_WITHIN_MS);
  return rows.length > 0;
}

/** Returns the jobs with these ids, in no particular order. Unknown ids are left out. */
export async function findJobs(database: Database, ids: readonly string[]): Promise<Job[]> {
  if (ids.length === 0) return [];
  const rows = await database('jobs').whereIn('id', ids);
  return rows.map(toJob);
}

export async function findJob(database: Database, id: string): Promise<Job | null> {
  const [job] = await findJobs(database, [id]);
  return job ?? null;
}

/** Returns the name of the uploaded file of each job that has one. */
export async function fileNamesOfJobs(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database('jobs').whereIn('id', ids).select('id', 'file_name');
  return new Map(rows.flatMap((row) => (row.file_name === null ? [] : [[row.id, row.file_name]])));
}

/** Returns the highest acceptance number in the table; 0 if there is none. */
export async function greatestAcceptance(database: Database): Promise<number> {
  const row = await database('jobs').max({ greatest: 'acceptance' }).first();
  return Number(row?.greatest ?? 0);
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));

function toJob(row: Tables['jobs']): Job {
  return {
    id: row.id,
    type: row.type,
    queue: row.queue,
    state: row.state,
    apiKeyId: row.api_key_id,
    requestId: row.request_id,
    acceptance: row.acceptance === null ? null : Number(row.acceptance),
    params: parsed(row.params),
    plan: parsed(row.plan),
    sourceKey: row.source_key,
    fileName: row.file_name,
    resultKey: row.result_key,
    rejectedKey: row.rejected_key,
    changesBytes: row.changes_bytes === null ? null : Number(row.changes_bytes),
    uploadColumns: parsed(row.upload_columns),
    progress: parsed(row.progress),
    counts: parsed(row.counts),
    warnings: parsed(row.warnings) ?? [],
    error: parsed(row.error),
    attempts: row.attempts,
    startsWithoutProgress: row.starts_without_progress,
    cancelRequestedAt: row.cancel_requested_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  };
}
