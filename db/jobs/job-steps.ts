import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { inTransaction } from '../client/transaction.js';

/*
 * The ledger of a job: each step that is committed has a row, written in the transaction that does its work. The primary key is the fence between
 * two workers on the same job and the place where a restart resumes, and the rows are the source of the job's counts.
 */

/** Sums by name. A name that is missing counts 0. */
export type Counts = Readonly<Record<string, number>>;

/** One step of a phase of a job, and enough of its content to recognize it after a restart. */
export interface Step {
  number: number;
  rows: number;
  /** 8 bytes over all that it contains. */
  checksum: Buffer;
  /** Where the next step starts, unless that follows from the numbers. */
  end?: string | null;
}

/** What a step did. */
export interface StepResult {
  counts: Counts;
  /** Stores what is recorded of the step besides. */
  record?: ((transaction: Knex.Transaction) => Promise<void>) | undefined;
  /** Whether that includes all changes. */
  changesKept?: boolean;
}

/** The place of a step in the ledger. */
export interface StepPlace {
  jobId: string;
  phase: number;
  number: number;
}

/** The job has ended: another worker has finished it, and its ledger may be deleted. */
export class JobNotRunning extends Error {
  override name = 'JobNotRunning';
}

/** The committed steps of a phase of a job. */
export class Ledger {
  /** By number. */
  readonly steps = new Map<number, Step>();
  /** The step with the greatest number. */
  last: Step | null = null;
  #counts: Counts = {};

  /** The sum over all steps. */
  get counts(): Counts {
    return this.#counts;
  }

  /** Keeps what identifies the step, and not its content: a long job has more rows than memory. */
  add({ number, rows, checksum, end = null }: Step, counts: Counts): void {
    const step = { number, rows, checksum, end };
    this.steps.set(number, step);
    if (!this.last || number > this.last.number) this.last = step;
    this.#counts = addCounts(this.#counts, counts);
  }
}

export function addCounts(sum: Counts, more: Counts): Counts {
  const total: Record<string, number> = { ...sum };
  for (const [name, count] of Object.entries(more)) total[name] = (total[name] ?? 0) + count;
  return total;
}

/** Returns the ledger of one phase of a job. */
export async function readLedger(database: Database, jobId: string, phase: number): Promise<Ledger> {
  const rows = await database('job_steps').where({ job_id: jobId, phase });
  const ledger = new Ledger();
  for (const { step, row_count, checksum, resume, counts } of rows)
    ledger.add({ number: step, rows: row_count, checksum, end: resume }, JSON.parse(counts));
  return ledger;
}

export async function hasSteps(database: Database, jobId: string): Promise<boolean> {
  return (await database('job_steps').where({ job_id: jobId }).first('step')) !== undefined;
}

/** Returns the sum of the counts of all committed steps of a job. */
export async function sumSteps(database: Database, jobId: string): Promise<Counts> {
  const counts: string[] = await database('job_steps').where({ job_id: jobId }).pluck('counts');
  return counts.reduce<Counts>((sum, text) => addCounts(sum, JSON.parse(text)), {});
}

/** Returns a committed step; null if there is none with this number. */
export async function findStep(
  database: Database,
  { jobId, phase, number }: StepPlace,
): Promise<Step | null> {
  const row = await database('job_steps').where({ job_id: jobId, phase, step: number }).first();
  return row ? { number, rows: row.row_count, checksum: row.checksum, end: row.resume } : null;
}

/**
 * Enters a step in the transaction that does its work. The second worker that enters a step fails with a duplicate key, and its transaction is
 * rolled back.
 * @throws JobNotRunning if the job has ended
 */
export async function enterStep(
  transaction: Knex.Transaction,
  { jobId, phase }: { jobId: string; phase: number },
  { number, rows, checksum, end = null }: Step,
  { counts, record, changesKept = false }: StepResult,
): Promise<void> {
  const [{ affectedRows }] = await transaction.raw(
    `INSERT INTO job_steps (job_id, phase, step, row_count, checksum, resume, counts, changes_kept)
     SELECT id, ?, ?, ?, ?, ?, ?, ? FROM jobs WHERE id = ? AND state = 'running'`,
    [phase, number, rows, checksum, end, JSON.stringify(counts), changesKept ? 1 : null, jobId],
  );
  if (affectedRows === 0) throw new JobNotRunning('the job has ended already');
  // Last, because a job that has ended may still have what is recorded of this step, and because others wait for the locks that it takes.
  await record?.(transaction);
}

/** The first chunk of a mirror's removals in the ledger of earlier releases. */
const FIRST_REMOVAL = 2 ** 31;

/** Moves what an earlier release has entered of a job into the ledger. */
export async function takeOverLedger(
  database: Database,
  { id: jobId, sourceKey }: { id: string; sourceKey: string | null },
): Promise<void> {
  if (!(await database('import_chunks').where({ job_id: jobId }).first('chunk'))) return;
  // A revert has the numbers of the job that it reverts.
  const firstRemoval = sourceKey === null ? Number.POSITIVE_INFINITY : FIRST_REMOVAL;
  await inTransaction(database, async (transaction) => {
    const rows = await transaction('import_chunks').where({ job_id: jobId }).forUpdate();
    const steps = rows.map(({ chunk, row_count, checksum, changes_kept, not_found, job_id, ...counts }) => ({
      job_id,
      phase: chunk < firstRemoval ? 0 : 1,
      step: chunk < firstRemoval ? chunk : chunk - firstRemoval,
      row_count,
      checksum,
      counts: JSON.stringify({ ...counts, notFound: not_found }),
      changes_kept,
    }));
    await transaction.batchInsert('job_steps', steps, 1_000);
    await transaction('import_chunks').where({ job_id: jobId }).delete();
  });
}
