import { unsupportedMedia } from '../http/errors.js';
import { Base64 } from './base64.js';
import { QuotedPrintable } from './quoted-printable.js';
import type { TransferDecoder, TransferEncoding } from './transfer-decoder.js';

const AS_IS: readonly string[] = ['', '7bit', '8bit', 'binary'];
const DECODED: readonly string[] = ['quoted-printable', 'base64'] satisfies TransferEncoding[];

/**
 * Returns how a part is encoded, or null if it is sent as it is.
 * @param header the value of `Content-Transfer-Encoding`
 * @throws RequestError 415 for an unknown encoding
 */
export function transferEncoding(header: string | undefined): TransferEncoding | null {
  const name = header?.trim().toLowerCase() ?? '';
  if (AS_IS.includes(name)) return null;
  if (DECODED.includes(name)) return name as TransferEncoding;
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
