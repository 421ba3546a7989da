import { createHash } from 'node:crypto';
import { isZip } from '../../workers/text/file-formats.js';

/** A stored upload. */
export interface Upload {
  key: string;
  bytes: number;
  /**
   * SHA-256 of the file without the multipart envelope: a client that repeats a request may choose another boundary.
   */
  digest: Buffer;
  /** Whether the file starts like a gzip file. */
  isGzip?: boolean;
  /** Whether the file starts like a zip file, which a workbook is. */
  isZip?: boolean;
  /** The name that the client gave the file. */
  fileName?: string | null;
  /** The charset that the request or its part declares. */
  charset?: string | undefined;
}

/** RFC 1952 §2.3.1. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** Enough to tell the format of a file. */
const START_BYTES = 4;

/** Describes the content of a file while it passes by on its way to the store. */
export class ContentDigest {
  #bytes = 0;
  #start: Buffer = Buffer.alloc(0);
  readonly #hash = createHash('sha256');

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    if (this.#start.length < START_BYTES)
      this.#start = Buffer.concat([this.#start, chunk.subarray(0, START_BYTES)]);
  }

  /** Returns the description of everything that was added. Call it once, at the end. */
  end(): Pick<Upload, 'bytes' | 'digest'> & { isGzip: boolean; isZip: boolean } {
    return {
      bytes: this.#bytes,
      digest: this.#hash.digest(),
      isGzip: this.#start.indexOf(GZIP_MAGIC) === 0,
      isZip: isZip(this.#start),
    };
  }
}
