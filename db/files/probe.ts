import { setTimeout as sleep } from 'node:timers/promises';
import type { FileStore } from './store.js';

/** Checks whether a file store responds. */
export class StoreProbe {
  readonly #files: FileStore;
  #checking: Promise<boolean> | null = null;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** Returns whether the store responds within that time. Concurrent callers share one request, so that a hung store holds only one. */
  responds(withinMs: number): Promise<boolean> {
    this.#checking ??= this.#files
      .check()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#checking = null;
      });
    return Promise.race([this.#checking, sleep(withinMs, false, { ref: false })]);
  }
}
