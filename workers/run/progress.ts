import { saveProgress } from '../../db/jobs/job-lifecycle.js';
import type { JobProgress } from '../../db/jobs/jobs.js';
import { describeError } from '../process/describe-error.js';
import { JobCanceled, WorkerClosing } from './errors.js';
import { retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';
import type { Services } from './services.js';

const SAVE_EVERY_MS = 1_000;

/** Tells how far a job is, at most once a second, and stops it at a safe point when it should stop. */
export class ProgressKeeper {
  readonly current: JobProgress;
  readonly #jobId: string;
  readonly #services: Services;
  #savedAt = Date.now();
  #movedOn = false;
  #saving: Promise<void> | null = null;
  #canceled = false;

  constructor(jobId: string, bytesTotal: number | null, services: Services) {
    this.#jobId = jobId;
    this.#services = services;
    this.current = { rowsRead: 0, rowsTotal: null, bytesRead: 0, bytesTotal };
  }

  /** Says that work was done that a restart need not repeat. The first time is saved at once: a kill may be near. */
  moveOn(): void {
    if (!this.#movedOn) this.#savedAt = 0;
    this.#movedOn = true;
  }

  /**
   * Says that the upload is read for good up to there. That is work done only if no start before came so far: or else a
   * job that kills its worker at each start would never fail where the spool is lost with the worker.
   */
  keptUpTo(bytes: number): void {
    if (bytes <= (this.current.keptBytes ?? 0)) return;
    this.current.keptBytes = bytes;
    this.moveOn();
  }

  /** A safe point to stop. Throws `WorkerClosing` or `JobCanceled`; otherwise costs next to nothing. */
  checkpoint(): void {
    if (this.#services.closing.aborted) throw new WorkerClosing('closing');
    if (this.#canceled) throw new JobCanceled('canceled');
    if (this.#saving || Date.now() - this.#savedAt < SAVE_EVERY_MS) return;
    this.#savedAt = Date.now();
    this.#saving = this.#save().finally(() => {
      this.#saving = null;
    });
  }

  /**
   * Looks now whether the job was canceled, which {@link checkpoint} does only once a second. For the step that cannot be
   * undone: before the first write.
   */
  async checkNow(): Promise<void> {
    await this.#saving;
    this.#savedAt = Date.now();
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
