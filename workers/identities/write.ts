import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LedgerEntry, readLedger } from '../../db/identities/import-chunks.js';
import { importOutcome } from '../../db/identities/import-outcome.js';
import { IdentityWriter } from '../../db/identities/write-identities.js';
import type { Job } from '../../db/jobs/jobs.js';
import type { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';
import { inSpan } from '../tracing/spans.js';
import { type Chunk, ChunkCutter } from './chunks.js';
import { inLanes, stopIfJobEnded } from './lanes.js';
import { type Plan, resumeMismatch } from './plan.js';
import { recordingOf } from './recording.js';
import type { RepeatedKeys } from './repeated-keys.js';
import type { Spool } from './spool/spool.js';

interface Import {
  job: Job;
  plan: Plan;
  dryRun: boolean;
  progress: ProgressKeeper;
}

/**
 * The write pass: writes the spooled rows in chunks and skips the chunks that are in the ledger. Several lanes take one
 * chunk after another. All rows of a key are in one chunk, so the order of the chunks does not matter.
 * @returns the rows that repeat a key
 */
export async function writeRows(
  spool: Spool,
  { job, plan, dryRun, progress }: Import,
  services: Services,
): Promise<RepeatedKeys> {
  const { database, closing } = services;
  const ledger = await retryWhileDatabaseUnavailable(closing, () => readLedger(database, job.id));
  const entered = new Map(ledger.map((entry) => [entry.chunk, entry]));
  const writer = new IdentityWriter(database, {
    jobId: job.id,
    acceptance: job.acceptance as number,
    dryRun,
    decide: importOutcome,
    ...recordingOf(job, services.settings),
  });
  const cutter = new ChunkCutter(spool.readers(), plan.chunkRows);
  await progress.checkNow();
  const next = () => cut(cutter, progress);
  await inLanes(services.settings.importLanes, next, async (chunk) => {
    const known = entered.get(chunk.number);
    if (known) expectSame(known, chunk);
    else {
      const entry = { chunk: chunk.number, rows: chunk.rows, checksum: chunk.checksum };
      const attributes = { 'muster.chunk.number': chunk.number, 'muster.chunk.rows': chunk.rows };
      const counts = await inSpan('write chunk', { attributes }, () =>
        retryWhileDatabaseUnavailable(closing, () => writer.write(entry, chunk.assertions)),
      ).catch(stopIfJobEnded);
      if (counts && !dryRun) services.metrics.countRows(counts);
      progress.moveOn();
    }
    progress.current.rowsRead += chunk.rows;
    progress.checkpoint();
  });
  return { rows: cutter.repeatedRows, contradictions: cutter.contradictions };
}

/**
 * Returns the next chunk. While a long chunk is gathered, the event loop gets its turns, and other lanes may continue the
 * same chunk: the lane that completes it writes it.
 */
export async function cut(cutter: ChunkCutter, progress: ProgressKeeper): Promise<Chunk | null> {
  let chunk = cutter.next();
  for (; chunk === 'unfinished'; chunk = cutter.next()) {
    progress.checkpoint();
    await nextTurn();
  }
  return chunk;
}

function expectSame(known: LedgerEntry, chunk: Chunk): void {
  if (known.rows !== chunk.rows || !known.checksum.equals(chunk.checksum)) {
    throw resumeMismatch(`chunk ${chunk.number} has other rows than when it was written`);
  }
}
