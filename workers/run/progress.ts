import { saveProgress } from '../../db/jobs/job-lifecycle.js';
import type { JobProgress } from '../../db/jobs/jobs.js';
import { describeError } from '../process/describe-error.js';
import { JobCanceled, WorkerClosing } from './errors.js';
import { retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';
import type { WorkerServices } from './services.js';

const SAVE_EVERY_MS = 1_000;

/** Saves a job's progress at most once a second, and stops the job at a safe point if it should stop. */
export class ProgressKeeper {
  readonly current: JobProgress;
  readonly #jobId: string;
  readonly #services: WorkerServices;
  #savedAt = performance.now();
  #movedOn = false;
  #saving: Promise<void> | null = null;
  #canceled = false;

  constructor(jobId: string, bytesTotal: number | null, services: WorkerServices) {
    this.#jobId = jobId;
    this.#services = services;
    this.current = { rowsRead: 0, rowsTotal: null, bytesRead: 0, bytesTotal };
  }

  /** Records that work was done which a restart does not repeat. The first time is saved at once, before a possible crash. */
  moveOn(): void {
    if (!this.#movedOn) this.#savedAt = Number.NEGATIVE_INFINITY;
    this.#movedOn = true;
  }

  /**
   * Records that the upload was read and kept up to an offset. This counts as progress only if no earlier start came so far:
   * otherwise, on hosts that lose the spool with the worker, a job that kills its worker at each start would never fail.
   */
  keptUpTo(bytes: number): void {
    if (bytes <= (this.current.keptBytes ?? 0)) return;
    this.current.keptBytes = bytes;
    this.moveOn();
  }

  /** Marks a safe point to stop. It costs almost nothing. @throws WorkerClosing, JobCanceled */
  checkpoint(): void {
    if (this.#services.closing.aborted) throw new WorkerClosing('closing');
    if (this.#canceled) throw new JobCanceled('canceled');
    if (this.#saving || performance.now() - this.#savedAt < SAVE_EVERY_MS) return;
    this.#savedAt = performance.now();
    this.#saving = this.#save().finally(() => {
      this.#saving = null;
    });
  }

  /**
   * Checks now whether the job was canceled; {@link checkpoint} checks only once a second. Call it before the first write,
   * which cannot be undone.
   */
  async checkNow(): Promise<void> {
    await this.#saving;
    this.#savedAt = performance.now();
    await this.#save();
    this.checkpoint();
  }

  async #save(): Promise<void> {
    const { database, closing, log } = this.#services;
    const movedOn = this.#movedOn;
    try {
      const save = () => saveProgress(database, this.#jobId, this.current, movedOn);
      this.#canceled = (await retryWhileDatabaseUnavailable(closing, save)).cancelRequested;
    } catch (error) {
      log.warn({ error: describeError(error) }, 'progress was not saved');
    }
  }
}
