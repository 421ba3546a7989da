import { type ContentCoding, contentCoding } from '../../http/content-coding.js';
import { checkDigests } from '../content-digest.js';
import type { Headers } from '../content-headers.js';
import { malformedHeader } from '../header-value.js';
import type { TransferEncoding } from '../transfer-encoding.js';
import { decodeTransfer, transferEncoding } from '../transfer-encoding.js';

/** How the headers of a part say that its content was sent. */
export interface PartHeaders {
  transferEncoding: TransferEncoding | null;
  contentCoding: ContentCoding | null;
  /** The bytes that the part announces. */
  length: number | null;
}

/**
 * Reads how the content of a part was sent.
 * @param codings the content codings that are accepted
 * @throws RequestError 400 or 415 with the name of a header that cannot be obeyed
 */
export const readPartHeaders = (headers: Headers, codings: readonly ContentCoding[]): PartHeaders => ({
  transferEncoding: transferEncoding(headers.get('content-transfer-encoding')),
  contentCoding: contentCoding(headers.get('content-encoding'), codings),
  length: lengthOf(headers.get('content-length')),
});

function lengthOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (!/^\d{1,15}$/.test(header)) throw malformedHeader('Content-Length', 'it must be a number of bytes');
  return Number(header);
}

/** Checks the length and the digests of a part, and undoes its transfer encoding. Its content coding is left. */
export function decodePart(
  content: AsyncGenerator<Buffer>,
  headers: Headers,
  { length, transferEncoding }: Pick<PartHeaders, 'length' | 'transferEncoding'>,
): AsyncGenerator<Buffer> {
  const exact = length === null ? content : ofLength(content, length);
  return checkDigests(decodeTransfer(exact, transferEncoding), headers);
}

async function* ofLength(content: AsyncGenerator<Buffer>, length: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes !== length)
    throw malformedHeader('Content-Length', `the part announces ${length} bytes and has ${bytes}`);
}
