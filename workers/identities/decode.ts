import { charsetDecoder } from './decode-charset.js';
import { utf8Decoder } from './decode-utf8.js';
import { utf16Decoder } from './decode-utf16.js';
import { FileFault } from './file-fault.js';
import { byteOrderMark, refuseUnmarkedUtf16 } from './sniff.js';

/** Turns a file's bytes into UTF-8, wherever the chunks are cut; an undecodable byte becomes a mark. */
export interface Decoder {
  write(chunk: Buffer): Buffer;
  /** @returns what was held back, once the file has ended */
  end(): Buffer;
}

const UTF8 = new Set(['utf8', 'utf-8', 'unicode-1-1-utf-8']);
const UTF16LE = new Set(['utf16le', 'utf-16le', 'ucs2', 'ucs-2']);
const UTF16BE = new Set(['utf16be', 'utf-16be']);

/**
 * @param head the start of the file
 * @param charset as the client declared it, if it did
 * @returns a decoder that wants the file's bytes from `skip` on, behind its byte order mark
 * @throws FileFault `charset_unknown`, `charset_conflict`, `not_csv`
 */
export function openDecoder(head: Buffer, charset: string | undefined): { decoder: Decoder; skip: number } {
  const mark = byteOrderMark(head);
  const declared = charset === undefined ? undefined : canonical(charset);
  if (mark && declared !== undefined && declared !== mark.encoding)
    throw conflict(mark.encoding, charset ?? '');
  const encoding = mark?.encoding ?? declared ?? 'utf-8';
  const skip = mark?.length ?? 0;
  if (encoding === 'utf-16le' || encoding === 'utf-16be')
    return { decoder: utf16Decoder(encoding, skip), skip };
  refuseUnmarkedUtf16(head);
  return { decoder: encoding === 'utf-8' ? utf8Decoder(skip) : charsetDecoder(encoding), skip };
}

function canonical(charset: string): string {
  const name = charset.trim().toLowerCase();
  if (UTF8.has(name)) return 'utf-8';
  if (UTF16LE.has(name)) return 'utf-16le';
  return UTF16BE.has(name) ? 'utf-16be' : name;
}

function conflict(found: string, charset: string): FileFault {
  const message = `the file starts with the byte order mark of ${found}, but charset=${charset} was declared`;
  return new FileFault('charset_conflict', message);
}
