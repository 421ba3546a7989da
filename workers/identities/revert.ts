import { promisify } from 'node:util';
import { crc32, gunzip } from 'node:zlib';
import { listParts, readPart, type StoredPart } from '../../db/identities/import-changes.js';
import { type LedgerEntry, readLedger } from '../../db/identities/import-chunks.js';
import { type RevertRow, revertOutcome } from '../../db/identities/revert-outcome.js';
import { IdentityWriter } from '../../db/identities/write-identities.js';
import type { Job } from '../../db/jobs/jobs.js';
import { JobFailure } from '../run/errors.js';
import type { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';
import { readChanges } from './changes/change-rows.js';
import { inLanes, stopIfJobEnded } from './lanes.js';
import { recordingOf } from './recording.js';

const decompress = promisify(gunzip);

interface Revert {
  job: Job;
  /** The job that is reverted. */
  reverted: Job;
  dryRun: boolean;
  progress: ProgressKeeper;
}

/** The parts of a chunk of the reverted job. */
type Parts = StoredPart[];

/**
 * Reverts the recorded changes of a job, a chunk at a time. A chunk has the number that it had in that job, and is skipped
 * if it is in the ledger, so a revert that was killed resumes where it stopped.
 */
export async function revertChanges(
  { job, reverted, dryRun, progress }: Revert,
  services: Services,
): Promise<void> {
  const { database, closing, settings } = services;
  const retry = <T>(work: () => Promise<T>): Promise<T> => retryWhileDatabaseUnavailable(closing, work);
  const entered = new Set((await retry(() => readLedger(database, job.id))).map(({ chunk }) => chunk));
  const chunks = byChunk(await retry(() => listParts(database, reverted.id)));
  progress.current.bytesTotal = sizeOf(chunks.flat());
  const writer = new IdentityWriter<RevertRow>(database, {
    jobId: job.id,
    acceptance: reverted.acceptance as number,
    dryRun,
    decide: revertOutcome,
    ...recordingOf(job, settings),
  });
  await progress.checkNow();
  await inLanes(
    settings.importLanes,
    async () => chunks.shift() ?? null,
    async (parts) => {
      const chunk = parts[0]?.chunk as number;
      if (!entered.has(chunk)) {
        const { entry, rows } = await retry(() => readChunk(chunk, parts));
        if (rows.length > 0) {
          const counts = await retry(() => writer.write(entry, rows)).catch(stopIfJobEnded);
          if (counts && !dryRun) services.metrics.countRows(counts);
          progress.moveOn();
        }
        progress.current.rowsRead += rows.length;
      }
      progress.current.bytesRead += sizeOf(parts);
      progress.checkpoint();
    },
  );

  async function readChunk(chunk: number, parts: Parts): Promise<{ entry: LedgerEntry; rows: RevertRow[] }> {
    const rows: RevertRow[] = [];
    const checksum = Buffer.alloc(8);
    for (const part of parts) {
      const content = await readPart(database, reverted.id, 'changes', part);
      if (!content) throw changesExpired();
      checksum.writeUInt32BE(crc32(content, checksum.readUInt32BE(0)), 0);
      for (const change of readChanges((await decompress(content)).toString())) {
        if (change.before !== change.after) rows.push({ ...change, email: change.before });
      }
    }
    return { entry: { chunk, rows: rows.length, checksum }, rows };
  }
}

export const changesExpired = (): JobFailure =>
  new JobFailure('changes_expired', 'The changes of the job have expired, so it can no longer be reverted.');

/** Groups parts by their chunk. */
function byChunk(parts: readonly StoredPart[]): Parts[] {
  const chunks = new Map<number, Parts>();
  for (const part of parts) chunks.set(part.chunk, [...(chunks.get(part.chunk) ?? []), part]);
  return [...chunks.values()];
}

const sizeOf = (parts: readonly StoredPart[]): number => parts.reduce((sum, part) => sum + part.textBytes, 0);
