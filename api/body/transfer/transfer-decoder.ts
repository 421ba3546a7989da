import { badRequest, type RequestError } from '../../http/errors.js';

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
