import iconv from 'iconv-lite';
import { keepsAscii } from '../record/charset.js';
import { FileError } from '../record/errors.js';
import { type Decoder, MarkedText } from './byte-text.js';

const LOST = '\uFFFD';
const LOST_CODE = 0xfffd;

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
  const lengthAt = sequences(charset);
  let held: Buffer = Buffer.alloc(0);
  let offset = 0;
  const take = (bytes: Buffer): Buffer => {
    const text = iconv.decode(bytes, charset, { stripBOM: false });
    const isWhole = !text.includes(LOST) && text.isWellFormed();
    const out = isWhole ? Buffer.from(text) : withMarks(bytes, { text, offset, lengthAt });
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

interface Decoded {
  /** Has a U+FFFD for each byte that starts no sequence. */
  text: string;
  /** Of the bytes in the file. */
  offset: number;
  lengthAt: SequenceLength;
}

/** Encodes decoded text as UTF-8, with a mark for each undecodable byte. Follows the bytes, because they have the values for the marks. */
function withMarks(bytes: Buffer, { text, offset, lengthAt }: Decoded): Buffer {
  const out = new MarkedText(bytes.length);
  let next = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    const length = byte < 0x80 ? 1 : lengthAt(bytes, at);
    const code = codeOf(text, next, length === 4 && byte < FIRST_OF_PAIRS);
    const isHalf = (code & 0xfffff800) === 0xd800;
    next += code > 0xffff || (isHalf && byte >= FIRST_OF_PAIRS) ? 2 : 1;
    if (code === LOST_CODE || isHalf) {
      const end = at + (isHalf || isReplacement(bytes, at, length) ? length : 1);
      for (; at < end; at++) out.addMark(bytes[at] as number, offset + at);
      continue;
    }
    out.addCode(code);
    at += length;
    // Big5 has four sequences of a letter with an accent.
    if (length === 2) for (; isAccent(text.charCodeAt(next)); next++) out.addCode(text.charCodeAt(next));
  }
  return out.end();
}

/** The first byte of the sequences of four in GB18030 that are pairs of units, or two halves of pairs if they are unassigned. */
const FIRST_OF_PAIRS = 0x84;

const codeOf = (text: string, at: number, isUnit: boolean): number =>
  isUnit ? text.charCodeAt(at) : (text.codePointAt(at) ?? LOST_CODE);

/** Returns the length of the sequence at an offset, in bytes. */
type SequenceLength = (bytes: Buffer, at: number) => number;

function sequences(charset: string): SequenceLength {
  const isSingle = Array.from(
    { length: 256 },
    (_, byte) => !iconv.decode(Buffer.from([byte]), charset, { stripBOM: false }).includes(LOST),
  );
  const [hasFour, hasThree] = [/18030/.test(charset), /euc-?jp/.test(charset)];
  return (bytes, at) => {
    if (isSingle[bytes[at] as number]) return 1;
    if (hasThree && bytes[at] === 0x8f) return 3;
    const second = bytes[at + 1] as number;
    return hasFour && second >= 0x30 && second <= 0x39 ? 4 : 2;
  };
}

/** Returns whether U+FFFD itself is at an offset, which GB18030 has. */
const isReplacement = (bytes: Buffer, at: number, length: number): boolean =>
  length === 4 && at + 4 <= bytes.length && bytes.readUInt32BE(at) === 0x8431a437;

const isAccent = (unit: number): boolean => unit === 0x304 || unit === 0x30c;
