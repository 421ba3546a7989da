import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/client/connect.js';
import { findJobs, type Job } from '../../db/jobs/jobs.js';

const FIRST_POLL_MS = 15;
const POLL_INTERVAL_MS = 60;

type Watcher = (job: Job | null) => void;

/** Waits for jobs to end, by polling the table: one query per interval, however many requests wait. */
export class JobWaiter {
  readonly #database: Database;
  readonly #watchers = new Map<string, Set<Watcher>>();
  #polling = false;
  #stopped = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Ends all waits, current and future ones, because the process is shutting down. */
  stop(): void {
    this.#stopped = true;
    this.#endAll();
  }

  /** Resolves to the job once it has ended; to null after `timeoutMs`, if `signal` fires, or if the database is unavailable. */
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
    await sleep(FIRST_POLL_MS);
    while (this.#watchers.size > 0) {
      // If the database is unavailable, all waits end: the jobs go on, and their paths report the outcome later.
      await this.#pollOnce().catch(() => this.#endAll());
      await sleep(POLL_INTERVAL_MS);
    }
    this.#polling = false;
  }

  #endAll(): void {
    for (const watchers of this.#watchers.values()) for (const watcher of watchers) watcher(null);
  }

  async #pollOnce(): Promise<void> {
    for (const job of await findJobs(this.#database, [...this.#watchers.keys()])) {
      if (job.finishedAt) for (const watcher of this.#watchers.get(job.id) ?? []) watcher(job);
    }
  }
}
