import { malformedTransfer, type TransferDecoder } from './transfer-decoder.js';

/** Strict, because a file that was cut or changed on its way must not be read as a shorter one. */
export class Base64 implements TransferDecoder {
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
