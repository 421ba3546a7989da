import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../db/client/connect.js';
import { countIdentities } from '../../db/identities/identities.js';
import { streamIdentities } from '../../db/identities/stream-identities.js';
import type { Job } from '../../db/jobs/jobs.js';
import { CSV_HEADER, ESCAPED_CSV_HEADER, toCsv, toEscapedCsv } from '../export/identities-csv.js';
import { failWhenStoreIsFull } from '../export/store-full.js';
import { type ExportParams, exportParams } from '../queues/contracts/identity-export.js';
import { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { JobResult, Services } from '../run/services.js';

const HOUR_MS = 60 * 60 * 1_000;
/** An export that takes longer than this is worth the count that its percentage needs. */
const COUNT_AFTER_MS = 2_000;
const COUNT_WITHIN_MS = 10_000;

/**
 * Writes the identities that fit, as they are at one instant, as one file; it is in the store whole or not at all. What
 * breaks it off (a lost connection, this worker's end) has it start over. Each start writes under a name of its own, so
 * that two workers which both believe to have the job cannot change a file that somebody is downloading.
 */
export async function exportIdentities(job: Job, services: Services): Promise<JobResult> {
  const params = exportParams.parse(job.params);
  const progress = new ProgressKeeper(job.id, null, services);
  const resultKey = `results/${job.id}.${uuidv7().slice(-8)}`;
  await failWhenStoreIsFull(
    retryWhileDatabaseUnavailable(services.closing, () => writeFile(resultKey, params, progress, services)),
  );
  progress.current.rowsTotal = progress.current.rowsRead;
  return {
    state: 'completed',
    counts: { rows: progress.current.rowsRead },
    progress: progress.current,
    resultKey,
    expiresAt: new Date(Date.now() + params.keptHours * HOUR_MS),
  };
}

async function writeFile(
  key: string,
  params: ExportParams,
  progress: ProgressKeeper,
  { files, reading }: Services,
): Promise<void> {
  const database = await reading.choose();
  progress.current.rowsRead = 0;
  const counting = setTimeout(() => count(database, params, progress), COUNT_AFTER_MS);
  try {
    const text = Readable.from(csvOf(database, params, progress), { objectMode: false });
    // pipeline ends the one with the other, whichever fails; the store then sees the failure and keeps nothing.
    await files.write(key, params.format === 'csv' ? text : pipeline(text, createGzip(), () => {}));
  } finally {
    clearTimeout(counting);
  }
}

/** The count is of a moment later than the file, so it is good for a percentage and no more. */
function count(database: Database, { filters }: ExportParams, { current }: ProgressKeeper): void {
  countIdentities(database, filters, COUNT_WITHIN_MS).then(
    (rows) => {
      current.rowsTotal ??= rows;
    },
    () => {},
  );
}

async function* csvOf(
  database: Database,
  { filters, sort, escapeFormulas }: ExportParams,
  progress: ProgressKeeper,
): AsyncGenerator<Buffer> {
  const write = escapeFormulas ? toEscapedCsv : toCsv;
  yield Buffer.from(escapeFormulas ? ESCAPED_CSV_HEADER : CSV_HEADER);
  for await (const rows of streamIdentities(database, filters, sort)) {
    yield Buffer.from(write(rows));
    progress.current.rowsRead += rows.length;
    progress.checkpoint();
  }
}
