import { badRequest, type RequestError, unsupportedMedia } from '../http/errors.js';

/** How a part is written as text (RFC 2045 §6). */
export type TransferEncoding = 'quoted-printable' | 'base64';

/** Decodes a part, wherever the chunks are cut. */
export interface TransferDecoder {
  write(chunk: Buffer): Buffer;
  /** Returns the rest, once the part has ended. */
  end(): Buffer;
}

export const malformedTransfer = (encoding: TransferEncoding, why: string): RequestError =>
  badRequest(
    'malformed_transfer_encoding',
    `The part declares \`Content-Transfer-Encoding: ${encoding}\`, but ${why}.`,
  );

const AS_IS: readonly string[] = ['', '7bit', '8bit', 'binary'];
const DECODED: readonly TransferEncoding[] = ['quoted-printable', 'base64'];

/**
 * Returns how a part is encoded, or null if it is sent as it is.
 * @param header the value of `Content-Transfer-Encoding`
 * @throws RequestError 415 for an unknown encoding
 */
export function transferEncoding(header: string | undefined): TransferEncoding | null {
  const name = header?.trim().toLowerCase() ?? '';
  if (AS_IS.includes(name)) return null;
  const decoded = DECODED.find((known) => known === name);
  if (decoded) return decoded;
  throw unsupportedMedia(
    `Unsupported \`Content-Transfer-Encoding\` ${JSON.stringify(name.slice(0, 40))}. Use quoted-printable, base64 or binary.`,
  );
}

/**
 * Decodes a part while it arrives.
 * @throws RequestError 400 `malformed_transfer_encoding`, with the line, for text that is not encoded in this way
 */
export function decodeTransfer(
  source: AsyncGenerator<Buffer>,
  encoding: TransferEncoding | null,
): AsyncGenerator<Buffer> {
  if (encoding === null) return source;
  return decoded(source, encoding === 'base64' ? new Base64() : new QuotedPrintable());
}

async function* decoded(source: AsyncGenerator<Buffer>, decoder: TransferDecoder): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield decoder.write(chunk);
  yield decoder.end();
}

/** Strict, because a file that was cut or changed on its way must not be read as a shorter one. */
class Base64 implements TransferDecoder {
  /** At most three characters of a group that is not complete. */
  #held = '';
  #hasEnded = false;

  write(chunk: Buffer): Buffer {
    const text = this.#held + withoutSpace(chunk);
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || (this.#hasEnded && text !== ''))
      throw malformedTransfer('base64', 'its content has other characters, or continues after its padding');
    const whole = text.length - (text.length % 4);
    this.#held = text.slice(whole);
    this.#hasEnded ||= text.charAt(whole - 1) === '=';
    return Buffer.from(text.slice(0, whole), 'base64');
  }

  end(): Buffer {
    if (this.#held !== '') throw malformedTransfer('base64', 'its content ends early');
    return Buffer.alloc(0);
  }
}

/** Returns the text without white space. A pattern takes three times as long if each character has its own line. */
function withoutSpace(chunk: Buffer): string {
  const out = Buffer.allocUnsafe(chunk.length);
  let length = 0;
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at] as number;
    if (byte !== 0x0d && byte !== 0x0a && byte !== 0x20 && byte !== 0x09) out[length++] = byte;
  }
  return out.toString('latin1', 0, length);
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const EQUALS = 0x3d;
/**
 * What precedes the next byte: text, a carriage return that may start a line break, the `=` of an escape or of a soft line break, the
 * first digit of an escape, or a soft line break whose line has not ended yet.
 */
type After = 'text' | 'return' | 'equals' | 'digit' | 'soft';

/** A longer run of white space was not added on the way, so it is kept. */
const MAX_SPACES = 1_000;

/**
 * RFC 2045 §6.7. White space at the end of a line was added on the way and is removed; a soft line break at the end of the content
 * ends it. Reads lower-case digits and lines of any length.
 */
class QuotedPrintable implements TransferDecoder {
  #after: After = 'text';
  #digit = 0;
  #line = 1;
  readonly #spaces = Buffer.alloc(MAX_SPACES);
  #spaceCount = 0;
  #out: Buffer = Buffer.alloc(0);
  #length = 0;

  write(chunk: Buffer): Buffer {
    this.#out = Buffer.allocUnsafe(chunk.length + MAX_SPACES + 1);
    this.#length = 0;
    for (let at = 0; at < chunk.length; at++) this.#take(chunk[at] as number);
    return this.#out.subarray(0, this.#length);
  }

  end(): Buffer {
    if (this.#after === 'digit') throw this.#malformed();
    return this.#after === 'return' ? Buffer.from([CR]) : Buffer.alloc(0);
  }

  #take(byte: number): void {
    if (byte === LF) this.#line++;
    switch (this.#after) {
      case 'text':
        this.#takeText(byte);
        break;
      case 'return':
        this.#after = 'text';
        if (byte !== LF) this.#flushSpaces();
        this.#put(CR);
        this.#takeText(byte);
        break;
      case 'equals':
        this.#digit = hexDigit(byte);
        if (this.#digit >= 0) this.#after = 'digit';
        else this.#takeSoft(byte);
        break;
      case 'digit': {
        const second = hexDigit(byte);
        if (second < 0) throw this.#malformed();
        this.#put(this.#digit * 16 + second);
        this.#after = 'text';
        break;
      }
      case 'soft':
        this.#takeSoft(byte);
    }
  }

  #takeText(byte: number): void {
    if (byte === SPACE || byte === TAB) {
      if (this.#spaceCount === MAX_SPACES) this.#flushSpaces();
      this.#spaces[this.#spaceCount++] = byte;
    } else if (byte === LF) {
      this.#spaceCount = 0;
      this.#put(LF);
    } else if (byte === CR) {
      this.#after = 'return';
    } else {
      if (byte <= SPACE || byte > 0x7e) throw this.#malformed();
      this.#flushSpaces();
      if (byte === EQUALS) this.#after = 'equals';
      else this.#put(byte);
    }
  }

  #takeSoft(byte: number): void {
    if (byte === LF) this.#after = 'text';
    else if (byte === CR || byte === SPACE || byte === TAB) this.#after = 'soft';
    else throw this.#malformed();
  }

  #put(byte: number): void {
    this.#out[this.#length++] = byte;
  }

  #flushSpaces(): void {
    if (this.#spaceCount === 0) return;
    this.#spaces.copy(this.#out, this.#length, 0, this.#spaceCount);
    this.#length += this.#spaceCount;
    this.#spaceCount = 0;
  }

  #malformed(): RequestError {
    const why = `line ${this.#line} of its content has a byte or a "=" that must be escaped`;
    return malformedTransfer('quoted-printable', why);
  }
}

/** Returns -1 for other bytes. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
