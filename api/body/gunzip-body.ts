import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { badRequest, tooLarge } from '../http/errors.js';

/**
 * Decompresses a body or a part while it arrives.
 * @param limit the most bytes that it may have then
 * @param allowed the bytes that are allowed beyond `limit`
 * @throws RequestError 413, or 400 `malformed_body` if the data is not complete gzip data
 */
export async function* gunzipBody(
  source: AsyncGenerator<Buffer>,
  limit: number,
  allowed = 0,
): AsyncGenerator<Buffer> {
  const plain = pipeline(Readable.from(source, { objectMode: false }), createGunzip(), () => {});
  let bytes = 0;
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit + allowed) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    const isDamaged = (error as NodeJS.ErrnoException).code?.startsWith('Z_');
    throw isDamaged ? badRequest('malformed_body', 'The body is not complete gzip data.') : error;
  }
}
