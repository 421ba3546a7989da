import type { Readable } from 'node:stream';

export interface StoredFile {
  /** Size in bytes. */
  bytes: number;
  modifiedAt: Date;
}

export interface ByteRange {
  /** First byte, counted from 0. */
  start: number;
  /** Last byte, included. */
  end: number;
}

/**
 * Where uploads and results are kept. A file is there whole or not at all; keys are made by the server alone. A store on the
 * network fails with StoreUnavailable within its deadlines, and never waits for ever.
 */
export interface FileStore {
  /** Stores all of `source` under `key`. Rejects, leaving nothing behind, when the source fails or the disk is full. */
  write(key: string, source: Readable): Promise<{ bytes: number }>;
  /**
   * The bytes of a file, or of a part of it. The stream fails with `ENOENT` when there is none.
   *
   * @param chunkBytes how much a disk is asked for at a time; it is held twice while the reader is slow
   */
  read(key: string, range?: ByteRange, chunkBytes?: number): Readable;
  stat(key: string): Promise<StoredFile | null>;
  /** Removes a file; none there is no error. */
  remove(key: string): Promise<void>;
  /**
   * Yields the keys in Muster's folders, in no order; also of what is being written, if the store can tell. Names that
   * cannot be keys are somebody else's, and are left out.
   */
  list(): AsyncIterable<string>;
}
