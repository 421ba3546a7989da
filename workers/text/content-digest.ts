import { createHash } from 'node:crypto';
import { isZip } from './file-formats.js';

/** What a file is, by its bytes. */
export interface Content {
  bytes: number;
  /** SHA-256. */
  digest: Buffer;
  /** Whether it starts like a gzip file. */
  isGzip: boolean;
  /** Whether it starts like a zip file, which a workbook is. */
  isZip: boolean;
  /** Whether it ends with a line break, also in UTF-16. */
  endsLine: boolean;
}

/** RFC 1952 §2.3.1. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** Enough to tell the format of a file. */
const START_BYTES = 4;

/** Describes the content of a file while it passes by on its way to the store. */
export class ContentDigest {
  #bytes = 0;
  #start: Buffer = Buffer.alloc(0);
  #end: Buffer = Buffer.alloc(0);
  readonly #hash = createHash('sha256');

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    this.#end = chunk.length < 2 ? Buffer.concat([this.#end, chunk]).subarray(-2) : chunk.subarray(-2);
    if (this.#start.length < START_BYTES)
      this.#start = Buffer.concat([this.#start, chunk.subarray(0, START_BYTES)]);
  }

  /** Adds what passes by. */
  async *through(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      this.add(chunk);
      yield chunk;
    }
  }

  /** Returns the description of everything that was added. Call it once, at the end. */
  end(): Content {
    return {
      bytes: this.#bytes,
      digest: this.#hash.digest(),
      isGzip: this.#start.indexOf(GZIP_MAGIC) === 0,
      isZip: isZip(this.#start),
      endsLine: /[\r\n]\0?$/.test(this.#end.toString('latin1')),
    };
  }
}
