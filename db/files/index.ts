import { fileURLToPath } from 'node:url';
import type { Deadlines } from './deadlines.js';
import { DiskStore } from './disk.js';
import { S3Store } from './s3.js';
import { storageUrlError } from './storage-url.js';
import type { FileStore } from './store.js';

export { SHORT_DEADLINES } from './deadlines.js';
export { isStoreFull, isStoreUnavailable, StoreFull, StoreUnavailable } from './errors.js';
export { isOwnKey } from './keys.js';
export { StoreProbe } from './probe.js';
export { storageUrlError } from './storage-url.js';
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
