import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Deadlines } from './deadlines.js';
import { DiskStore } from './disk.js';
import { S3Store } from './s3.js';
import type { FileStore } from './store.js';

export { SHORT_DEADLINES } from './deadlines.js';
export { errorCode, isStoreFull, isStoreUnavailable, StoreFull, StoreUnavailable } from './errors.js';
export { isOwnKey } from './keys.js';
export type { ByteRange, FileStore, StoredFile } from './store.js';

/**
 * Opens the store that `STORAGE_URL` names: `file:///folder` or `s3://bucket/prefix?endpoint=…&region=…`.
 * @param deadlines of a network store. Default: long ones, for work that can wait
 * @throws Error if files cannot be stored there
 */
export function openFileStore(url: string, deadlines?: Partial<Deadlines>): FileStore {
  const error = storageUrlError(url);
  if (error) throw new Error(`STORAGE_URL: ${error}`);
  return url.startsWith('s3:') ? new S3Store(url, deadlines) : new DiskStore(fileURLToPath(url));
}

/**
 * Returns why files cannot be stored at a URL, as the end of a sentence that starts with the setting's name; null if
 * they can.
 */
export function storageUrlError(url: string): string | null {
  if (!URL.canParse(url)) return 'must be file:///folder or s3://bucket/prefix';
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol === 'file:') return hostname === '' ? null : 'must have three slashes: file:///folder';
  if (protocol !== 's3:') return `cannot store files at ${protocol} (known: file:, s3:)`;
  if (hostname === '') return 'must name a bucket: s3://bucket/prefix';
  if (/^\/*$/.test(pathname))
    return `must name a prefix in the bucket, such as s3://${hostname}/muster: the rest of the bucket may hold files of others`;
  return null;
}

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
