import { unsupportedMedia } from '../../http/errors.js';
import { QuotedPrintable } from './quoted-printable.js';
import { malformedTransfer, type TransferDecoder, type TransferEncoding } from './transfer-decoder.js';

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
