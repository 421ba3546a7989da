import { markBadByte } from './byte-text.js';
import type { Decoder } from './decoder.js';

const LONE_SURROGATE = /\p{Cs}/gu;

/**
 * Returns a decoder for UTF-16.
 *
 * @param encoding as the byte order mark or the client says
 * @param offset the offset of the first byte in the file
 */
export function utf16Decoder(encoding: 'utf-16le' | 'utf-16be', offset: number): Decoder {
  let held: Buffer = Buffer.alloc(0);
  let at = offset;
  const take = (bytes: Buffer): Buffer => {
    const out = toUtf8(bytes, encoding, at);
    at += bytes.length;
    return out;
  };
  return {
    write(chunk) {
      const bytes = Buffer.concat([held, chunk]);
      const whole = bytes.length - unfinished(bytes, encoding);
      held = bytes.subarray(whole);
      return take(bytes.subarray(0, whole));
    },
    end() {
      const even = held.length - (held.length % 2);
      const out = take(held.subarray(0, even));
      const last = held[even];
      return last === undefined ? out : Buffer.concat([out, markBadByte({ byte: last, offset: at })]);
    },
    isVerbatim: false,
  };
}

/** Returns how many bytes wait for the next chunk: an odd byte, and the first half of a surrogate pair. */
function unfinished(bytes: Buffer, encoding: string): number {
  const odd = bytes.length % 2;
  const high = bytes[bytes.length - odd - (encoding === 'utf-16be' ? 2 : 1)];
  return high !== undefined && high >= 0xd8 && high <= 0xdb ? odd + 2 : odd;
}

function toUtf8(bytes: Buffer, encoding: string, offset: number): Buffer {
  const text = (encoding === 'utf-16be' ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
  const parts: Buffer[] = [];
  let from = 0;
  for (const { index } of text.matchAll(LONE_SURROGATE)) {
    parts.push(Buffer.from(text.slice(from, index)));
    for (const at of [index * 2, index * 2 + 1]) {
      parts.push(markBadByte({ byte: bytes[at] ?? 0, offset: offset + at }));
    }
    from = index + 1;
  }
  if (from === 0) return Buffer.from(text);
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
}
