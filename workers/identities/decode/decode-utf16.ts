import { type Decoder, MarkedText } from './byte-text.js';

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
      if (last === undefined) return out;
      const mark = new MarkedText(1);
      mark.addMark(last, at);
      return Buffer.concat([out, mark.end()]);
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
  if (text.isWellFormed()) return Buffer.from(text);
  const out = new MarkedText(bytes.length);
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) as number;
    if ((code & 0xfffff800) !== 0xd800) out.addCode(code);
    else {
      const at = index * 2;
      out.addMark(bytes[at] as number, offset + at);
      out.addMark(bytes[at + 1] as number, offset + at + 1);
    }
    if (code > 0xffff) index++;
  }
  return out.end();
}
