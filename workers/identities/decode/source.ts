import { FileError } from '../record/errors.js';

export type Bytes = AsyncIterable<Uint8Array>;

/** Counts of a source, updated while it is read. */
export interface Meter {
  /** Bytes that were read so far, before decompression. */
  bytes: number;
  isGzip: boolean;
  /** How many bytes of a gzip source are decompressed so far. A few KiB can expand to a GiB, which takes time. */
  decompressed: number;
}

/** Returns how many bytes of the source have been processed, before decompression. */
export const bytesRead = ({ bytes, isGzip, decompressed }: Meter): number => (isGzip ? decompressed : bytes);

/** Passes a source through and counts its bytes. */
export async function* metered(source: Bytes, meter: Meter): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    meter.bytes += chunk.length;
    yield asBuffer(chunk);
  }
}

/**
 * Passes up to `maxBytes` through and only then checks for more, so the result does not depend on how the file is cut
 * into chunks.
 *
 * @param before bytes at the start of the file that the source leaves out
 * @throws FileError `file_too_large`
 */
export async function* limited(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  before: number,
): AsyncGenerator<Buffer> {
  let left = maxBytes - before;
  for await (const chunk of source) {
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left < 0) {
      throw new FileError('file_too_large', `the file is larger than ${maxBytes} bytes (decompressed)`);
    }
  }
}

/** Splits a source into its first `size` bytes (fewer only if it is shorter) and the rest. */
export async function splitHead(source: AsyncIterable<Buffer>, size: number) {
  const chunks = source[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let length = 0;
  let ended = false;
  while (length < size && !ended) {
    const { value, done } = await chunks.next();
    if (done) ended = true;
    else {
      read.push(value);
      length += value.length;
    }
  }
  const bytes = Buffer.concat(read);
  return { head: bytes.subarray(0, size), whole: ended, rest: remaining(bytes.subarray(size), chunks) };
}

async function* remaining(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first;
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
