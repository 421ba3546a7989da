import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { importOutcome } from '../../db/identities/import-outcome.js';
import { acceptanceOf } from '../../db/jobs/accepted-uploads.js';
import type { ProgressKeeper } from '../run/progress.js';
import type { StepJob } from '../run/run-steps.js';
import { runSteps } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';
import { type Chunk, ChunkCutter } from './chunks.js';
import { identitySteps } from './identity-steps.js';
import type { RepeatedKeys } from './repeated-keys.js';
import type { Spool } from './spool/spool.js';

interface Import extends StepJob {
  chunkRows: number;
  dryRun: boolean;
}

/**
 * The write pass: writes the spooled rows in chunks. All rows of a key are in one chunk, so the order of the chunks does not
 * matter.
 * @returns the rows that repeat a key
 */
export async function writeRows(
  spool: Spool,
  { chunkRows, dryRun, ...run }: Import,
  services: WorkerServices,
): Promise<RepeatedKeys> {
  const { current } = run.progress;
  const cutter = new ChunkCutter(spool.readers(), chunkRows);
  const acceptance = acceptanceOf(run.job);
  await runSteps(
    {
      ...identitySteps({ phase: 0, acceptance, dryRun, decide: importOutcome }, run.job, services),
      lanes: services.settings.importLanes,
      steps: () => chunksOf(cutter, run.progress),
      done: ({ rows }) => {
        current.rowsRead += rows;
      },
    },
    run,
    services,
  );
  return { rows: cutter.repeatedRows, contradictions: cutter.contradictions };
}

async function* chunksOf(cutter: ChunkCutter, progress: ProgressKeeper): AsyncGenerator<Chunk> {
  for (let chunk = await cutChunk(cutter, progress); chunk; chunk = await cutChunk(cutter, progress))
    yield chunk;
}

/** Returns the next chunk. While a long one is gathered, other work can run. */
export async function cutChunk(cutter: ChunkCutter, progress: ProgressKeeper): Promise<Chunk | null> {
  let chunk = cutter.next();
  for (; chunk === 'unfinished'; chunk = cutter.next()) {
    progress.checkpoint();
    await yieldToOthers();
  }
  return chunk;
}
