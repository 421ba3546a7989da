import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { FileError } from '../record/errors.js';
import { type Meter, splitHead } from './source.js';

/**
 * Decompresses a source if its content is gzip (RFC 1952), which may have several members. Other content passes
 * through.
 *
 * @param meter receives what was found
 * @param isCut whether the source is only the start of a file. Then its gzip data may end early
 * @throws FileError `gzip_corrupt`, `gzip_truncated`
 */
export async function* gunzipped(
  source: AsyncIterable<Buffer>,
  meter: Meter,
  isCut = false,
): AsyncGenerator<Buffer> {
  const { head, rest } = await splitHead(source, 2);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  meter.isGzip = isGzip;
  yield* isGzip ? decompress(joined(head, rest), meter, isCut) : joined(head, rest);
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* decompress(
  source: AsyncIterable<Buffer>,
  meter: Meter,
  isCut: boolean,
): AsyncGenerator<Buffer> {
  const finishFlush = isCut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  const gunzip = createGunzip({ chunkSize: 64 * 1024, finishFlush });
  let fed = 0;
  let sourceError: unknown;
  const counted = async function* () {
    try {
      for await (const chunk of source) {
        fed += chunk.length;
        yield chunk;
      }
    } catch (error) {
      sourceError = error;
      throw error;
    }
  };
  pipeline(Readable.from(counted(), { objectMode: false }), gunzip, () => {});
  try {
    for await (const chunk of gunzip) {
      meter.decompressed = gunzip.bytesWritten;
      yield chunk;
    }
    meter.decompressed = gunzip.bytesWritten;
  } catch (error) {
    throw sourceError ?? gzipError(error);
  }
  if (gunzip.bytesWritten < fed) {
    throw new FileError(
      'gzip_corrupt',
      'other content follows the end of the gzip data. Compress the file again',
    );
  }
}

function gzipError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new FileError('gzip_truncated', 'the gzip file ends early');
  if (code.startsWith('Z_')) return new FileError('gzip_corrupt', 'the gzip file is damaged');
  return error;
}
