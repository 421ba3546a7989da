import { isUtf8 } from 'node:buffer';
import { markBadByte } from './byte-text.js';
import type { Decoder } from './decoder.js';

/** An incomplete sequence at the end, which the next chunk may complete. */
const UNFINISHED = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;

/** Well-formed sequences (RFC 3629 §4), or one byte that does not belong to any. */
const SEQUENCE =
  /(?:[^\x80-\xff]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+|[\x80-\xff]/g;

/**
 * Returns a decoder that passes UTF-8 through. While everything is well-formed it needs one native scan per chunk and
 * no copy.
 *
 * @param offset the offset of the first byte in the file
 */
export function utf8Decoder(offset: number): Decoder {
  let held: Buffer = Buffer.alloc(0);
  let at = offset;
  let isVerbatim = true;
  const take = (bytes: Buffer): Buffer => {
    const isWellFormed = isUtf8(bytes);
    const out = isWellFormed ? bytes : markMalformed(bytes, at);
    isVerbatim &&= isWellFormed;
    at += bytes.length;
    return out;
  };
  return {
    write(chunk) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      const whole = bytes.length - unfinished(bytes);
      held = bytes.subarray(whole);
      return take(bytes.subarray(0, whole));
    },
    end: () => take(held),
    get isVerbatim() {
      return isVerbatim;
    },
  };
}

function unfinished(bytes: Buffer): number {
  return UNFINISHED.exec(bytes.toString('latin1', Math.max(0, bytes.length - 3)))?.[0].length ?? 0;
}

function markMalformed(bytes: Buffer, offset: number): Buffer {
  const parts: Buffer[] = [];
  for (const { 0: found, index } of bytes.toString('latin1').matchAll(SEQUENCE)) {
    const bad = found.length === 1 && found > '\x7f';
    if (bad) parts.push(markBadByte({ byte: found.charCodeAt(0), offset: offset + index }));
    else parts.push(bytes.subarray(index, index + found.length));
  }
  return Buffer.concat(parts);
}
