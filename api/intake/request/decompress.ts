import { createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { ContentCoding } from '../../http/content-coding.js';
import { badRequest, tooLarge } from '../../http/errors.js';
import { hasZlibHeader } from './charset.js';

/** The content codings of an event. */
export const CODINGS = ['gzip', 'deflate'] as const satisfies ContentCoding[];

/**
 * Decompresses a body. Stops at the limit, so that a small body cannot fill the memory. Calls `reserve` with the number of bytes so
 * far before keeping them; it may throw.
 * @throws RequestError 413 if the decompressed body is larger than `limit` bytes, 400 `malformed_body` if the data is invalid
 */
export async function decompress(
  coding: ContentCoding,
  body: Buffer,
  limit: number,
  reserve: (bytes: number) => void,
): Promise<Buffer> {
  const plain = decoder(coding, body);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let malformed = false;
  plain.on('error', () => {
    malformed = true;
  });
  plain.end(body);
  try {
    // Leaving the loop early destroys the decoder.
    for await (const chunk of plain) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit, 'decompressed body');
      reserve(bytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (malformed) throw badRequest('malformed_body', `The body is not complete ${coding} data.`);
    throw error;
  }
  return Buffer.concat(chunks, bytes);
}

function decoder(coding: ContentCoding, body: Buffer) {
  if (coding !== 'deflate') return createGunzip();
  // RFC 9110 requires the header of zlib, and some senders omit it.
  return hasZlibHeader(body) ? createInflate() : createInflateRaw();
}
