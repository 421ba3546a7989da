import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/client/connect.js';
import { findJobs, type Job } from '../../db/jobs/jobs.js';

const FIRST_LOOK_MS = 15;
const LOOK_EVERY_MS = 60;

type Watcher = (job: Job | null) => void;

/** Waits for jobs to end: one poller, one query a turn, however many requests wait. The table is the only truth. */
export class JobWaiter {
  readonly #database: Database;
  readonly #watchers = new Map<string, Set<Watcher>>();
  #polling = false;
  #stopped = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Waits no more, now and later: the process is about to end, and the jobs' own addresses tell of them. */
  stop(): void {
    this.#stopped = true;
    this.#endAll();
  }

  /** The job once it has ended; null when that takes longer than `timeoutMs`, `signal` fires, or it cannot be told. */
  async wait(id: string, timeoutMs: number, signal: AbortSignal): Promise<Job | null> {
    if (timeoutMs <= 0 || this.#stopped) return null;
    const done = new AbortController();
    const ended = new Promise<Job | null>((resolve) => {
      this.#watch(id, resolve, done.signal);
      sleep(timeoutMs, undefined, { signal: done.signal }).then(
        () => resolve(null),
        () => resolve(null),
      );
      signal.addEventListener('abort', () => resolve(null), { signal: done.signal, once: true });
    });
    return ended.finally(() => done.abort());
  }

  #watch(id: string, watcher: Watcher, until: AbortSignal): void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(watcher));
    until.addEventListener('abort', () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(id);
    });
    if (!this.#polling) void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    await sleep(FIRST_LOOK_MS);
    while (this.#watchers.size > 0) {
      // Nobody waits for a database that is away: the job goes on, and its own address tells of it later.
      await this.#look().catch(() => this.#endAll());
      await sleep(LOOK_EVERY_MS);
    }
    this.#polling = false;
  }

  #endAll(): void {
    for (const watchers of this.#watchers.values()) for (const watcher of watchers) watcher(null);
  }

  async #look(): Promise<void> {
    for (const job of await findJobs(this.#database, [...this.#watchers.keys()])) {
      if (job.finishedAt) for (const watcher of this.#watchers.get(job.id) ?? []) watcher(job);
    }
  }
}
