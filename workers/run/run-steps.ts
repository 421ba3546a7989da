import type { Knex } from 'knex';
import { isContentRejected, isDuplicateKey } from '../../db/client/errors.js';
import { inTransaction } from '../../db/client/transaction.js';
import {
  enterStep,
  findStep,
  JobNotRunning,
  Ledger,
  readLedger,
  type Step,
  type StepResult,
} from '../../db/jobs/job-steps.js';
import type { Job } from '../../db/jobs/jobs.js';
import { inSpan } from '../tracing/spans.js';
import { JobCanceled, JobFailure } from './errors.js';
import type { ProgressKeeper } from './progress.js';
import { retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';
import type { WorkerServices } from './services.js';

/** A part of a job that is cut into steps. Only what is particular to it: the runner sees to everything else. */
export interface Phase<S extends Step, R extends StepResult = StepResult> {
  /** Its number within the job, as it is stored. */
  number: number;
  /** How many steps are written at the same time. Default: 1. */
  lanes?: number;
  /** Cuts the steps, one after another, as they are needed. Steps that are in the ledger may be left out. */
  steps(ledger: Ledger): AsyncIterable<S>;
  /** Does the work of a step. It may be repeated, in another transaction. */
  write(transaction: Knex.Transaction, step: S): Promise<R>;
  /** Called when a step is done, also if it was done at an earlier start. */
  done?(step: S): void;
  /** Called when a step was committed, with what it did. */
  committed?(result: R): void;
  /** Returns whether a step is tried again after this error. By default, no error is. */
  startsOver?(error: unknown): boolean;
  /** Cuts a step in two that the database rejects for what it contains; null if it is too small. */
  halve?(step: S): [S, S] | null;
  /** Returns what is entered of a step that the database rejects and that cannot be halved. */
  rejected?(step: S): R;
  /** Called if this or another worker has committed a step with this number meanwhile. By default, it must be the same step. */
  lost?(entered: Step, step: S): void;
}

/** A job that runs steps. */
export interface StepJob {
  job: Job;
  progress: ProgressKeeper;
}

/** Other transactions would have to get in the way of the same step again and again. None does that for so long. */
const MAX_TRIES = 50;

/**
 * Runs a phase of a job: writes each step in one transaction with its row in the ledger, and skips those that are in it. It waits while the
 * database is unavailable, saves the progress, and stops between two steps if the job is to stop. If a lane fails, the others finish their
 * step before the error is thrown.
 * @throws JobCanceled, WorkerClosing, DatabaseLost, and what the phase throws
 */
export const runSteps = <S extends Step, R extends StepResult>(
  phase: Phase<S, R>,
  job: StepJob,
  services: WorkerServices,
): Promise<void> => new PhaseRun(phase, job, services).run();

class PhaseRun<S extends Step, R extends StepResult> {
  readonly #phase: Phase<S, R>;
  readonly #job: Job;
  readonly #services: WorkerServices;
  readonly #progress: ProgressKeeper;
  #ledger = new Ledger();
  #hasFailed = false;

  constructor(phase: Phase<S, R>, { job, progress }: StepJob, services: WorkerServices) {
    this.#phase = phase;
    this.#job = job;
    this.#services = services;
    this.#progress = progress;
  }

  async run(): Promise<void> {
    const { number, lanes = 1 } = this.#phase;
    this.#ledger = await this.#retry(() => readLedger(this.#services.database, this.#job.id, number));
    await this.#progress.checkNow();
    const steps = this.#phase.steps(this.#ledger)[Symbol.asyncIterator]();
    const ends = await Promise.allSettled(Array.from({ length: lanes }, () => this.#lane(steps)));
    await steps.return?.();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #lane(steps: AsyncIterator<S>): Promise<void> {
    try {
      for (let next = await steps.next(); !next.done && !this.#hasFailed; next = await steps.next()) {
        const known = this.#ledger.steps.get(next.value.number);
        if (known) expectSame(known, next.value);
        else await this.#write(next.value);
        this.#phase.done?.(next.value);
        this.#progress.checkpoint();
      }
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** Writes a step, or each of its halves if the database rejects what it contains. */
  async #write(step: S): Promise<void> {
    try {
      await this.#enter(step, (transaction) => this.#phase.write(transaction, step));
    } catch (error) {
      const { halve, rejected } = this.#phase;
      if (!halve || !rejected || !isContentRejected(error)) throw error;
      const halves = halve(step);
      if (halves) for (const half of halves) await this.#write(half);
      else await this.#enter(step, async () => rejected(step));
    }
  }

  async #enter(step: S, work: (transaction: Knex.Transaction) => Promise<R>): Promise<void> {
    const attributes = { 'muster.step.number': step.number, 'muster.step.rows': step.rows };
    const result = await inSpan('write step', { attributes }, () =>
      this.#retry(() => this.#commit(step, work)),
    );
    if (result) this.#phase.committed?.(result);
    this.#ledger.add(step, result?.counts ?? {});
    this.#progress.moveOn();
  }

  /** Returns what the step did; null if it was committed before, also by the first attempt of a commit whose response was lost. */
  async #commit(step: S, work: (transaction: Knex.Transaction) => Promise<R>): Promise<R | null> {
    const { database } = this.#services;
    const place = { jobId: this.#job.id, phase: this.#phase.number };
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(database, async (transaction) => {
          const result = await work(transaction);
          await enterStep(transaction, place, step, result);
          return result;
        });
      } catch (error) {
        if (error instanceof JobNotRunning) throw new JobCanceled(error.message);
        const entered = isDuplicateKey(error)
          ? await findStep(database, { ...place, number: step.number })
          : null;
        if (entered) {
          (this.#phase.lost ?? expectSame)(entered, step);
          return null;
        }
        if (tries === MAX_TRIES || !this.#phase.startsOver?.(error)) throw error;
      }
    }
  }

  #retry<T>(work: () => Promise<T>): Promise<T> {
    return retryWhileDatabaseUnavailable(this.#services.closing, work);
  }
}

/** @throws JobFailure if the ledger has other content under the number of this step */
function expectSame(known: Step, { number, rows, checksum }: Step): void {
  if (known.rows === rows && known.checksum.equals(checksum)) return;
  throw resumeMismatch(`step ${number} has other rows than when it was written`);
}

/** Returns the failure of a job whose ledger does not match its upload. Continuing would skip or repeat rows. */
export const resumeMismatch = (why: string): JobFailure =>
  new JobFailure('resume_mismatch', `The job cannot resume where it stopped: ${why}. Submit it again.`);
