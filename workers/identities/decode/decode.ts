import { byteOrderMark } from '../../text/byte-order-mark.js';
import { canonicalCharset } from '../record/charset.js';
import { FileError } from '../record/errors.js';
import type { Decoder } from './byte-text.js';
import { charsetDecoder } from './decode-charset.js';
import { utf8Decoder } from './decode-utf8.js';
import { utf16Decoder } from './decode-utf16.js';
import { rejectUnmarkedUtf16 } from './sniff.js';

/**
 * Chooses the decoder for a file.
 *
 * @param head the start of the file
 * @param charset as the client declared it, if it did
 * @returns the decoder, the encoding that it reads, and the number of bytes to skip before it: the length of the byte order
 *   mark
 * @throws FileError `charset_unknown`, `charset_conflict`, `not_csv`
 */
export function openDecoder(
  head: Buffer,
  charset: string | undefined,
): { decoder: Decoder; encoding: string; skip: number } {
  const mark = byteOrderMark(head);
  const encoding = agree(mark?.encoding, charset);
  const skip = mark?.length ?? 0;
  if (encoding === 'utf-16le' || encoding === 'utf-16be')
    return { decoder: utf16Decoder(encoding, skip), encoding, skip };
  rejectUnmarkedUtf16(head);
  return { decoder: encoding === 'utf-8' ? utf8Decoder(skip) : charsetDecoder(encoding), encoding, skip };
}

function agree(marked: string | undefined, charset: string | undefined): string {
  if (charset === undefined) return marked ?? 'utf-8';
  const declared = canonicalCharset(charset);
  if (marked === undefined && declared === 'utf-16') throw needsMark(charset);
  if (marked === undefined || marked === declared) return declared;
  // RFC 2781 §3.3: in text labelled UTF-16 the byte order mark says which of the two encodings it is.
  if (declared === 'utf-16' && marked !== 'utf-8') return marked;
  throw conflict(marked, charset);
}

function conflict(found: string, charset: string): FileError {
  const message = `the file starts with the byte order mark of ${found}, but the request declares charset=${charset}`;
  return new FileError('charset_conflict', message);
}

function needsMark(charset: string): FileError {
  const message = `charset=${charset} needs a byte order mark, and the file has none. Declare utf-16le or utf-16be`;
  return new FileError('charset_unknown', message);
}
