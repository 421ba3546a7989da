import { createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { badRequest, tooLarge } from '../../http/errors.js';

/** The content codings of an event. `x-gzip` is an old name of gzip. */
export type Coding = 'gzip' | 'x-gzip' | 'deflate';

const CODINGS: readonly string[] = ['gzip', 'x-gzip', 'deflate'] satisfies Coding[];

/** The names by which a sender that used another coding is told to send. */
export const ACCEPTED_CODINGS: readonly Coding[] = ['gzip', 'deflate'];

export const isCoding = (text: string): text is Coding => CODINGS.includes(text);

/**
 * Decompresses a body. Stops at the limit, so that a small body cannot fill the memory. Calls `reserve` with the number of bytes so
 * far before keeping them; it may throw.
 * @throws RequestError 413 if the decompressed body is larger than `limit` bytes, 400 `malformed_body` if the data is invalid
 */
export async function decompress(
  coding: Coding,
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
    for await (const chunk of plain as AsyncIterable<Buffer>) {
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

function decoder(coding: Coding, body: Buffer) {
  if (coding !== 'deflate') return createGunzip();
  return hasZlibHeader(body) ? createInflate() : createInflateRaw();
}

/** RFC 9110 requires the header of zlib (RFC 1950), and some senders omit it. */
const hasZlibHeader = (body: Buffer): boolean =>
  body.length >= 2 && ((body[0] as number) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
