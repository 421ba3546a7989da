import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import { isStoreFull } from '../../db/files/index.js';
import type { Job } from '../../db/jobs/jobs.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';
import type { CsvPage } from './csv.js';

const HOUR_S = 60 * 60;
/** An export that takes longer than this is worth the count that its percentage needs. */
const COUNT_AFTER_MS = 2_000;
const COUNT_WITHIN_MS = 10_000;

/** What an export writes. */
export interface ExportContent {
  header: string;
  /** Yields all rows, a page at a time. Called again if the export starts over. Only for the progress, `rows` may count something else. */
  pages: () => AsyncIterable<CsvPage>;
  /** Counts the rows, within the given number of milliseconds. */
  count: (withinMs: number) => Promise<number>;
  gzip?: boolean;
  /** How long the file is kept, in hours. */
  keptHours: number;
}

/**
 * Writes all rows as one CSV file; it is in the store whole or not at all. If the database connection is lost or the worker
 * shuts down, the export starts over. A job that is canceled stops after the page that it is writing.
 *
 * Each attempt writes under a key of its own: the key is a strong ETag, so a client that resumes a download must never join
 * the bytes of two attempts, and two workers that both believe to hold the job must not change a file that is being
 * downloaded.
 *
 * @throws JobFailure `storage_full`, JobCanceled, WorkerClosing
 */
export async function writeExport(
  job: Job,
  content: ExportContent,
  services: WorkerServices,
): Promise<JobResult> {
  const progress = new ProgressKeeper(job.id, null, services);
  const resultKey = `results/${job.id}.${uuidv7().slice(-8)}`;
  await writeFile(resultKey, content, progress, services).catch(failIfStoreIsFull);
  progress.current.rowsTotal = progress.current.rowsRead;
  return {
    state: 'completed',
    counts: { rows: progress.current.rowsRead },
    progress: progress.current,
    resultKey,
    keptS: content.keptHours * HOUR_S,
  };
}

async function writeFile(
  key: string,
  content: ExportContent,
  progress: ProgressKeeper,
  { files }: WorkerServices,
): Promise<void> {
  progress.current.rowsRead = 0;
  const counting = setTimeout(() => count(content, progress), COUNT_AFTER_MS);
  try {
    const text = Readable.from(encode(content, progress), { objectMode: false });
    // pipeline destroys each stream when the other fails. The store then sees the failure and keeps nothing.
    await files.write(key, content.gzip ? pipeline(text, createGzip(), () => {}) : text);
  } finally {
    clearTimeout(counting);
  }
}

async function* encode({ header, pages }: ExportContent, progress: ProgressKeeper): AsyncGenerator<Buffer> {
  yield Buffer.from(header);
  for await (const { bytes, rows } of pages()) {
    if (bytes.length > 0) yield bytes;
    progress.current.rowsRead += rows;
    progress.checkpoint();
  }
}

/** Counts the rows for the percentage. The count is taken later than the file's rows are read, so it is an estimate. */
function count(content: ExportContent, { current }: ProgressKeeper): void {
  content.count(COUNT_WITHIN_MS).then(
    (rows) => {
      current.rowsTotal ??= rows;
    },
    () => {},
  );
}

/** A full store fails an export with a clear error instead of a retry, because a client is waiting for the file. */
function failIfStoreIsFull(error: unknown): never {
  if (!isStoreFull(error)) throw error;
  throw new JobFailure(
    'storage_full',
    'The file store is full, so the export could not be stored. Free some space, then retry the job.',
  );
}
