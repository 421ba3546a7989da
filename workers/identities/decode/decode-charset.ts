import iconv from 'iconv-lite';
import { keepsAscii } from '../record/charset.js';
import { FileError } from '../record/errors.js';
import { type Decoder, MarkedText } from './byte-text.js';

const LOST = '\uFFFD';

/** The most bytes that are held back while the text cannot be cut. */
const MAX_HELD = 256 * 1024;

/**
 * Returns a decoder for a declared charset, which uses iconv-lite. Every accepted charset keeps ASCII as it is and
 * has no byte below 0x30 inside a longer sequence (a test checks all of them). So the text can be cut after such a
 * byte without carrying any state over.
 *
 * @throws FileError `charset_unknown`
 */
export function charsetDecoder(charset: string): Decoder {
  if (!keepsAscii(charset)) {
    throw new FileError('charset_unknown', `unknown charset ${JSON.stringify(charset.slice(0, 40))}`);
  }
  const read = sequenceReader(charset);
  let held: Buffer = Buffer.alloc(0);
  let offset = 0;
  const take = (bytes: Buffer): Buffer => {
    const text = iconv.decode(bytes, charset, { stripBOM: false });
    const out = text.includes(LOST) ? decodeWithMarks(bytes, offset, read) : Buffer.from(text);
    offset += bytes.length;
    return out;
  };
  return {
    write(chunk) {
      const bytes = Buffer.concat([held, chunk]);
      const cut = lastSafeCut(bytes);
      held = bytes.subarray(cut);
      if (held.length > MAX_HELD) throw new FileError('not_csv', 'no delimiter within 256 KiB');
      return take(bytes.subarray(0, cut));
    },
    end: () => take(held),
    isVerbatim: false,
  };
}

function lastSafeCut(bytes: Buffer): number {
  let at = bytes.length;
  while (at > 0 && (bytes[at - 1] ?? 0) >= 0x30) at--;
  return at;
}

/**
 * Decodes sequence by sequence. A byte that does not start a sequence becomes a mark, and decoding continues with the
 * next byte.
 */
function decodeWithMarks(bytes: Buffer, offset: number, read: SequenceReader): Buffer {
  const out = new MarkedText(bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    const found = byte < 0x80 ? null : read(bytes, at);
    if (byte < 0x80) out.addByte(byte);
    else if (found) for (const one of found.utf8) out.addByte(one);
    else out.addMark(byte, offset + at);
    at += found?.length ?? 1;
  }
  return out.end();
}

interface Sequence {
  utf8: Buffer;
  length: number;
}

type SequenceReader = (bytes: Buffer, at: number) => Sequence | null;

/** Returns a reader of sequences that caches those of one and two bytes, which are nearly all there are. */
function sequenceReader(charset: string): SequenceReader {
  const longest = longestSequence(charset);
  const known = new Map<number, Sequence | null>();
  return (bytes, at) => {
    for (let length = 1; length <= longest && at + length <= bytes.length; length++) {
      if (length > 1 && (bytes[at + length - 1] as number) < 0x30) return null;
      const found = length > 2 ? decodeOne(bytes, at, length, charset) : remembered(bytes, at, length);
      if (found) return found;
    }
    return null;
  };
  function remembered(bytes: Buffer, at: number, length: number): Sequence | null {
    const key =
      length === 1 ? -(bytes[at] as number) : ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = decodeOne(bytes, at, length, charset);
    known.set(key, found);
    return found;
  }
}

function decodeOne(bytes: Buffer, at: number, length: number, charset: string): Sequence | null {
  const text = iconv.decode(bytes.subarray(at, at + length), charset, { stripBOM: false });
  return text.includes(LOST) ? null : { utf8: Buffer.from(text), length };
}

function longestSequence(charset: string): number {
  if (/18030/.test(charset)) return 4;
  return /euc-?jp/.test(charset) ? 3 : 2;
}
