import { FileError } from '../record/errors.js';
import { charsetDecoder } from './decode-charset.js';
import { utf8Decoder } from './decode-utf8.js';
import { utf16Decoder } from './decode-utf16.js';
import type { Decoder } from './decoder.js';
import { byteOrderMark, refuseUnmarkedUtf16 } from './sniff.js';

const NAMES: Record<string, string> = {
  utf8: 'utf-8',
  'unicode-1-1-utf-8': 'utf-8',
  utf16: 'utf-16',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  'ucs-2': 'utf-16le',
  ucs2: 'utf-16le',
};

/**
 * @param head the start of the file
 * @param charset as the client declared it, if it did
 * @returns a decoder that wants the file's bytes from `skip` on, behind its byte order mark
 * @throws FileError `charset_unknown`, `charset_conflict`, `not_csv`
 */
export function openDecoder(head: Buffer, charset: string | undefined): { decoder: Decoder; skip: number } {
  const mark = byteOrderMark(head);
  const encoding = agree(mark?.encoding, charset);
  const skip = mark?.length ?? 0;
  if (encoding === 'utf-16le' || encoding === 'utf-16be')
    return { decoder: utf16Decoder(encoding, skip), skip };
  refuseUnmarkedUtf16(head);
  return { decoder: encoding === 'utf-8' ? utf8Decoder(skip) : charsetDecoder(encoding), skip };
}

function agree(marked: string | undefined, charset: string | undefined): string {
  if (charset === undefined) return marked ?? 'utf-8';
  const declared = canonical(charset);
  if (marked === undefined && declared === 'utf-16') throw needsMark(charset);
  if (marked === undefined || marked === declared) return declared;
  // RFC 2781 §3.3: text labelled UTF-16 says by its mark which of the two it is.
  if (declared === 'utf-16' && marked !== 'utf-8') return marked;
  throw conflict(marked, charset);
}

function canonical(charset: string): string {
  const name = charset.trim().toLowerCase();
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : name;
}

function conflict(found: string, charset: string): FileError {
  const message = `the file starts with the byte order mark of ${found}, but charset=${charset} was declared`;
  return new FileError('charset_conflict', message);
}

function needsMark(charset: string): FileError {
  const message = `charset=${charset} goes with a byte order mark, and there is none: declare utf-16le or utf-16be`;
  return new FileError('charset_unknown', message);
}
