import type { RequestError } from '../../http/errors.js';
import { malformedTransfer, type TransferDecoder } from './transfer-decoder.js';

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
export class QuotedPrintable implements TransferDecoder {
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
