import type { Readable } from 'node:stream';

export interface StoredFile {
  /** Size in bytes. */
  bytes: number;
  modifiedAt: Date;
}

export interface ByteRange {
  /** The first byte, from 0. */
  start: number;
  /** The last byte, included. */
  end: number;
}

/**
 * Stores uploads and results. A file exists whole or not at all, and only the server creates keys. A network store
 * fails with StoreUnavailable within its deadlines and never waits forever.
 */
export interface FileStore {
  /**
   * Stores all of `source` under `key`. If the source fails or the disk is full, it rejects and leaves nothing
   * behind.
   */
  write(key: string, source: Readable): Promise<{ bytes: number }>;
  /**
   * Returns the bytes of a file, or of a part of it. The stream fails with `ENOENT` if the file does not exist.
   *
   * @param chunkBytes how much is read from a disk at a time; it is held in memory twice while the reader is slow
   */
  read(key: string, range?: ByteRange, chunkBytes?: number): Readable;
  stat(key: string): Promise<StoredFile | null>;
  /** Removes a file. It is not an error if the file does not exist. */
  remove(key: string): Promise<void>;
  /**
   * Yields the keys in Muster's folders, in no particular order, including files that are being written if the store
   * can tell. Names that are not valid keys belong to somebody else and are left out.
   */
  list(): AsyncIterable<string>;
  /** Resolves if the store responds, and rejects with the reason if it does not. It changes nothing in the store. */
  check(): Promise<void>;
}
