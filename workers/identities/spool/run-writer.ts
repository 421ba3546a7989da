import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type RunMemory, SortedRun, transferOf } from './sorted-run.js';
import type { RunRecord } from './stored-run.js';

/** What the thread is told. */
export interface RunToWrite {
  folder: string;
  memory: RunMemory;
}

/** What it responds, with the memory for another run. */
export interface RunWritten {
  outcome: { record: RunRecord } | { error: { message: string; code: string | undefined } };
  memory: RunMemory;
}

/** The runs' memory is outside the thread's heap. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/**
 * Sorts runs and writes them to files, in a thread of its own: reading and checking the rows takes as much time as this, and nothing
 * else uses the second core meanwhile.
 */
export class RunWriter {
  readonly #thread: Worker;
  /** Rejects when the thread has ended, for whatever reason. */
  readonly #ended: Promise<never>;

  /** @param program the compiled `run-writer-thread` */
  constructor(program: URL) {
    this.#thread = new Worker(program, { resourceLimits: LIMITS });
    this.#ended = new Promise((_, reject) => {
      this.#thread.on('error', reject);
      this.#thread.on('exit', () => reject(new Error('the thread that writes runs has ended')));
    });
    this.#ended.catch(() => {});
  }

  /**
   * Writes a run to a file in the folder. The run cannot be used any more. Call it again only when the promise has settled.
   * @returns the record of the file, and an empty run
   * @throws Error with the `code` of the system, such as `ENOSPC`, if the file cannot be written
   */
  async write(folder: string, run: SortedRun): Promise<{ record: RunRecord; run: SortedRun }> {
    const { memory } = run;
    this.#thread.postMessage({ folder, memory } satisfies RunToWrite, transferOf(memory));
    const [written] = (await Promise.race([once(this.#thread, 'message'), this.#ended])) as [RunWritten];
    const { outcome } = written;
    if ('error' in outcome)
      throw Object.assign(new Error(outcome.error.message), { code: outcome.error.code });
    return { record: outcome.record, run: new SortedRun(written.memory) };
  }

  /** Ends the thread, also in the middle of a run. */
  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
