import { malformedTransfer, type TransferDecoder } from './transfer-decoder.js';

/** Strict, because a file that was cut or changed on its way must not be read as a shorter one. */
export class Base64 implements TransferDecoder {
  /** At most three characters of a group that is not complete. */
  #held = '';
  #hasEnded = false;

  write(chunk: Buffer): Buffer {
    const text = this.#held + chunk.toString('latin1').replace(/[\r\n\t ]+/g, '');
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
