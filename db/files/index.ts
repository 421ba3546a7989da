import { fileURLToPath } from 'node:url';
import { DiskStore } from './disk.js';
import { S3Store } from './s3.js';
import type { FileStore } from './store.js';

export type { ByteRange, FileStore, StoredFile } from './store.js';

/** Opens the store that `STORAGE_URL` names: `file:///folder` or `s3://bucket/prefix?endpoint=…&region=…`. */
export function openFileStore(url: string): FileStore {
  const { protocol } = new URL(url);
  if (protocol === 'file:') return new DiskStore(fileURLToPath(url));
  if (protocol === 's3:') return new S3Store(url);
  throw new Error(`STORAGE_URL: cannot store files at ${protocol} (known: file:, s3:)`);
}
