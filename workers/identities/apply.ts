import { setImmediate as nextTurn } from 'node:timers/promises';
import { JobNotRunning, type LedgerEntry, readLedger } from '../../db/identities/import-chunks.js';
import { IdentityWriter } from '../../db/identities/write-identities.js';
import type { Job } from '../../db/jobs/jobs.js';
import { JobCanceled } from '../run/errors.js';
import type { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';
import { type Chunk, ChunkCutter } from './chunks.js';
import { type Plan, resumeMismatch } from './plan.js';
import type { Repetitions } from './repeated-keys.js';
import type { Spool } from './spool/spool.js';

interface Import {
  job: Job;
  plan: Plan;
  dryRun: boolean;
  progress: ProgressKeeper;
}

/**
 * The second pass: writes the spooled rows in chunks, skipping those that are in the ledger. Several lanes take chunk
 * after chunk; a key is in one chunk only, so their order does not matter. Returns which rows repeated a key.
 */
export async function applySpool(
  spool: Spool,
  { job, plan, dryRun, progress }: Import,
  services: Services,
): Promise<Repetitions> {
  const { database, closing } = services;
  const ledger = await retryWhileDatabaseUnavailable(closing, () => readLedger(database, job.id));
  const entered = new Map(ledger.map((entry) => [entry.chunk, entry]));
  const writer = new IdentityWriter(database, {
    jobId: job.id,
    acceptance: job.acceptance as number,
    dryRun,
  });
  const cutter = new ChunkCutter(spool.readers(), plan.chunkRows);
  await progress.checkNow();
  const next = () => cut(cutter, progress);
  await inLanes(services.settings.importLanes, next, async (chunk) => {
    const known = entered.get(chunk.number);
    if (known) expectSame(known, chunk);
    else {
      const entry = { chunk: chunk.number, rows: chunk.rows, checksum: chunk.checksum };
      const counts = await retryWhileDatabaseUnavailable(closing, () =>
        writer.write(entry, chunk.assertions),
      ).catch(stopWhenEnded);
      if (counts && !dryRun) services.metrics.countRows(counts);
      progress.moveOn();
    }
    progress.current.rowsRead += chunk.rows;
    progress.checkpoint();
  });
  return { rows: cutter.repeatedRows, contradictions: cutter.contradictions };
}

/** When one lane fails the others end with the chunk at hand, and nothing goes on behind the failure's back. */
async function inLanes(
  lanes: number,
  next: () => Promise<Chunk | null>,
  write: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let chunk = await next(); chunk && !failed; chunk = await next()) await write(chunk);
  };
  const ends = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((error) => {
        failed = true;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** The next chunk. Others get their turn while a long one is gathered, be they the lanes beside: who ends it has it. */
async function cut(cutter: ChunkCutter, progress: ProgressKeeper): Promise<Chunk | null> {
  let chunk = cutter.next();
  for (; chunk === 'unfinished'; chunk = cutter.next()) {
    progress.checkpoint();
    await nextTurn();
  }
  return chunk;
}

/** A worker that was away for so long that its job was ended without it stops; the first outcome stands. */
function stopWhenEnded(error: unknown): never {
  throw error instanceof JobNotRunning ? new JobCanceled(error.message) : error;
}

function expectSame(known: LedgerEntry, chunk: Chunk): void {
  if (known.rows !== chunk.rows || !known.checksum.equals(chunk.checksum)) {
    throw resumeMismatch(`chunk ${chunk.number} holds other rows than when it was written`);
  }
}
