import { setTimeout as sleep } from 'node:timers/promises';

type Watcher<Found> = (found: Found | null) => void;

interface PollTimes {
  /** How long after the first wait the first poll is, in milliseconds. */
  firstMs: number;
  /** How long after a poll the next one is, in milliseconds. */
  everyMs: number;
}

/** Waits for something to be found by polling: one query per interval, however many requests wait. */
export class PollWaiter<Key, Found> {
  readonly #poll: (keys: Key[]) => Promise<ReadonlyMap<Key, Found>>;
  readonly #times: PollTimes;
  readonly #watchers = new Map<Key, Set<Watcher<Found>>>();
  #polling = false;
  #stopped = false;

  /** @param poll returns what it finds of these keys */
  constructor(times: PollTimes, poll: (keys: Key[]) => Promise<ReadonlyMap<Key, Found>>) {
    this.#times = times;
    this.#poll = poll;
  }

  /** Ends all waits, current and future ones, because the process is shutting down. */
  stop(): void {
    this.#stopped = true;
    this.#endAll();
  }

  /** Resolves to what is found; to null after `timeoutMs`, if `signal` fires, or if a poll fails. */
  async wait(key: Key, timeoutMs: number, signal: AbortSignal): Promise<Found | null> {
    if (timeoutMs <= 0 || this.#stopped || signal.aborted) return null;
    const done = new AbortController();
    const ended = new Promise<Found | null>((resolve) => {
      this.#watch(key, resolve, done.signal);
      sleep(timeoutMs, undefined, { signal: done.signal }).then(
        () => resolve(null),
        () => resolve(null),
      );
      signal.addEventListener('abort', () => resolve(null), { signal: done.signal, once: true });
    });
    return ended.finally(() => done.abort());
  }

  #watch(key: Key, watcher: Watcher<Found>, until: AbortSignal): void {
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers.add(watcher));
    until.addEventListener('abort', () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(key);
    });
    if (!this.#polling) void this.#run();
  }

  async #run(): Promise<void> {
    this.#polling = true;
    await sleep(this.#times.firstMs);
    while (this.#watchers.size > 0) {
      // If the database is unavailable, all waits end: the next request reports it.
      await this.#pollOnce().catch(() => this.#endAll());
      await sleep(this.#times.everyMs);
    }
    this.#polling = false;
  }

  #endAll(): void {
    for (const watchers of this.#watchers.values()) for (const watcher of watchers) watcher(null);
  }

  async #pollOnce(): Promise<void> {
    const found = await this.#poll([...this.#watchers.keys()]);
    for (const [key, what] of found) for (const watcher of this.#watchers.get(key) ?? []) watcher(what);
  }
}
