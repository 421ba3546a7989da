import { promisify } from 'node:util';
import { crc32, gunzip } from 'node:zlib';
import { type RevertRow, revertOutcome } from '../../db/identities/chunk-outcome.js';
import { listParts, readPart, type StoredPart } from '../../db/identities/import-changes.js';
import { acceptanceOf } from '../../db/jobs/accepted-uploads.js';
import { sumSteps } from '../../db/jobs/job-steps.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { readChanges } from '../identities/changes/change-rows.js';
import { type IdentityStep, identitySteps } from '../identities/identity-steps.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { identityRevert } from '../queues/contracts/identity-revert.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { runSteps, type StepJob } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';

/**
 * Takes back what a job changed: each account that no later upload has asserted gets the owner that it had before. The job
 * can be interrupted at any point; the ledger records which chunks are reverted.
 */
export async function revertIdentities(job: Job, services: WorkerServices): Promise<JobResult> {
  const { database } = services;
  const { jobId, dryRun } = paramsOf(job, identityRevert);
  const reverted = await findJob(database, jobId);
  if (!reverted?.finishedAt)
    throw new JobFailure('job_not_finished', 'The job to revert runs again. Revert it once it has ended.');
  if (reverted.changesBytes === null) throw changesExpired();
  const progress = new ProgressKeeper(job.id, null, services);
  await revertChanges({ job, reverted, dryRun, progress }, services);
  const { restored = 0, skipped = 0 } = await sumSteps(database, job.id);
  return {
    state: 'completed',
    counts: { total: restored + skipped, restored, skipped },
    progress: progress.current,
    keptS: JOB_KEPT_S,
  };
}

const decompress = promisify(gunzip);

interface Revert extends StepJob {
  /** The job that is reverted. */
  reverted: Job;
  dryRun: boolean;
}

/** The parts of a chunk of the reverted job. */
type Parts = StoredPart[];

/** Reverts the recorded changes of a job. Each of its chunks is a step, with the number that it had in that job. */
async function revertChanges({ reverted, dryRun, ...run }: Revert, services: WorkerServices): Promise<void> {
  const { database, settings } = services;
  const { current } = run.progress;
  const chunks = byChunk(await listParts(database, reverted.id));
  current.bytesTotal = sizeOf([...chunks.values()].flat());
  const acceptance = acceptanceOf(reverted);
  await runSteps(
    {
      ...identitySteps({ phase: 0, acceptance, dryRun, decide: revertOutcome }, run.job, services),
      lanes: settings.importLanes,
      async *steps({ steps }) {
        for (const [number, parts] of chunks) {
          current.bytesRead += sizeOf(parts);
          if (steps.has(number)) continue;
          const step = await readChunk(database, reverted.id, number, parts);
          if (step.rows > 0) yield step;
        }
      },
      done: ({ rows }) => {
        current.rowsRead += rows;
      },
    },
    run,
    services,
  );
}

async function readChunk(
  database: WorkerServices['database'],
  jobId: string,
  number: number,
  parts: Parts,
): Promise<IdentityStep<RevertRow>> {
  const assertions: RevertRow[] = [];
  const checksum = Buffer.alloc(8);
  for (const part of parts) {
    const content = await readPart(database, jobId, 'changes', part);
    if (!content) throw changesExpired();
    checksum.writeUInt32BE(crc32(content, checksum.readUInt32BE(0)), 0);
    for (const change of readChanges((await decompress(content)).toString())) {
      if (change.before !== change.after) assertions.push({ ...change, email: change.before });
    }
  }
  return { number, rows: assertions.length, checksum, assertions };
}

const changesExpired = (): JobFailure =>
  new JobFailure('changes_expired', 'The changes of the job have expired, so it can no longer be reverted.');

/** Groups parts by their chunk. */
function byChunk(parts: readonly StoredPart[]): Map<number, Parts> {
  const chunks = new Map<number, Parts>();
  for (const part of parts) chunks.set(part.chunk, [...(chunks.get(part.chunk) ?? []), part]);
  return chunks;
}

const sizeOf = (parts: readonly StoredPart[]): number => parts.reduce((sum, part) => sum + part.textBytes, 0);
