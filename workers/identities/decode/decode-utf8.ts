import { isUtf8 } from 'node:buffer';
import { type Decoder, MarkedText } from './byte-text.js';

/** An incomplete sequence at the end, which the next chunk may complete. */
const UNFINISHED = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;

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
  const out = new MarkedText(bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const end = at + sequenceLength(bytes, at);
    if (end === at) out.addMark(bytes[at] as number, offset + at++);
    while (at < end) out.addByte(bytes[at++] as number);
  }
  return out.end();
}

/** Returns the length of the well-formed sequence that starts at a byte (RFC 3629 §4), or 0 if none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > bytes.length) return 0;
  const second = bytes[at + 1] as number;
  if (second < (LOWEST_SECOND[first] ?? 0x80) || second > (HIGHEST_SECOND[first] ?? 0xbf)) return 0;
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] as number) & 0xc0) !== 0x80) return 0;
  return length;
}

/** The second bytes that exclude overlong forms, halves of surrogate pairs, and what is above U+10FFFF. */
const LOWEST_SECOND: Readonly<Record<number, number>> = { 224: 0xa0, 240: 0x90 };
const HIGHEST_SECOND: Readonly<Record<number, number>> = { 237: 0x9f, 244: 0x8f };
