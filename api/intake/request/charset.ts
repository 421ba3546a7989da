import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { byteOrderMark } from '../../../workers/text/byte-order-mark.js';
import { fileFormatOf } from '../../../workers/text/file-formats.js';
import { badRequest, tooLarge } from '../../http/errors.js';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i;

/** Names of UTF-8, and of ASCII, which is a part of it. Programs that send UTF-8 declare ASCII as well. */
const UTF_8: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'ascii', 'ansi_x3.4-1968'];

/** What a decoder writes for bytes that it does not know. */
const LOST = '\uFFFD';

/** Returns whether a charset is UTF-8, or ASCII, in lower case. */
export const isUtf8Name = (charset: string): boolean => UTF_8.includes(charset);

/** Returns the charset that a `Content-Type` declares, in lower case. */
export const declaredCharset = (contentType: string | undefined): string | undefined =>
  contentType === undefined ? undefined : CHARSET.exec(contentType)?.[1]?.toLowerCase();

/**
 * Returns the charset of a body; null if it is UTF-8. A byte order mark decides if no charset is declared.
 * @throws RequestError 400 `charset_conflict` if the byte order mark is of another charset than the declared one
 */
export function charsetOfBody(body: Buffer, declared: string | undefined): string | null {
  const marked = byteOrderMark(body)?.encoding ?? null;
  if (declared === undefined) return marked === 'utf-8' ? null : marked;
  const known = isUtf8Name(declared) ? 'utf-8' : declared;
  if (known === 'utf-16' && marked !== 'utf-8') return marked ?? unmarkedUtf16(body);
  if (marked === null || marked === known) return known === 'utf-8' ? null : known;
  throw badRequest(
    'charset_conflict',
    `\`Content-Type\` declares the charset ${declared}, but the body begins with the byte order mark of ${marked}. Send the right charset.`,
  );
}

/** JSON begins with a character of ASCII, so one of its two bytes is 0. */
const unmarkedUtf16 = (body: Buffer): string => (body[0] === 0 ? 'utf-16be' : 'utf-16le');

/**
 * Returns a body in UTF-8. What is UTF-8 is returned as it is, including its byte order mark.
 * @param declared the charset that the sender named
 * @throws RequestError 400 `charset_unknown` or `malformed_json`, or 413 if it is longer than `limit` bytes in UTF-8
 */
export function toUtf8(body: Buffer, declared: string | undefined, limit: number): Buffer {
  const charset = charsetOfBody(body, declared);
  if (charset !== null) {
    const text = decodeText(body, charset);
    if (Buffer.byteLength(text) > limit) throw tooLarge(limit, 'body in UTF-8');
    return Buffer.from(text);
  }
  if (isUtf8(body)) return body;
  throw badRequest('malformed_json', notUtf8(body, declared));
}

const DECLARE =
  'If it is in another charset, declare it, as in `Content-Type: application/json; charset=iso-8859-1`.';

/** Returns what a body is that is not UTF-8, and what to do. A charset is proposed only if the sender has named none. */
function notUtf8(body: Buffer, declared: string | undefined): string {
  const { name, compression } = fileFormatOf(body) ?? {};
  if (compression === 'gzip') return 'The body is gzip. Send it with `Content-Encoding: gzip`.';
  if (compression) return `The body is ${name}. Send JSON, compressed with gzip at most.`;
  if (name) return `The body is ${name}. Send JSON.`;
  if (hasZlibHeader(body))
    return 'The body is compressed with deflate. Send it with `Content-Encoding: deflate`.';
  if (body.subarray(0, BINARY_BYTES).some(isBinary))
    return 'The body is binary, such as MessagePack or Protocol Buffers. Send JSON as text.';
  if (declared !== undefined)
    return `The body is not valid UTF-8, although it is sent with the charset ${declared}. Send the charset that it is in.`;
  return `The body is not valid UTF-8. ${DECLARE}`;
}

/** Where control characters are looked for. Text has none but tabs, line breaks and form feeds. */
const BINARY_BYTES = 1_024;
const isBinary = (byte: number): boolean => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b;

/** Returns the text of bytes in a charset. @throws RequestError 400 */
export function decodeText(bytes: Buffer, charset: string): string {
  const decoder = decoderOf(charset);
  try {
    // Node 20 decodes windows-1252, which is also ISO-8859-1 to it, without the characters from 0x80 to 0x9F.
    const text =
      decoder.encoding === 'windows-1252' ? iconv.decode(bytes, 'windows-1252') : decoder.decode(bytes);
    if (!text.includes(LOST)) return text;
  } catch {}
  throw badRequest('malformed_json', `The body is not valid ${charset}, the charset that it is sent with.`);
}

/** @throws RequestError 400 `charset_unknown` */
export function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw badRequest(
      'charset_unknown',
      `Unknown charset ${JSON.stringify(charset)} in \`Content-Type\`. Send the body as UTF-8, UTF-16 or ISO-8859-1.`,
    );
  }
}

/** Returns UTF-8 bytes without a byte order mark, which is not JSON, but which some senders add. */
export function withoutMark(text: Buffer): Buffer {
  const mark = byteOrderMark(text);
  return mark?.encoding === 'utf-8' ? text.subarray(mark.length) : text;
}

/** Returns whether a body begins like data of zlib (RFC 1950). */
export const hasZlibHeader = (body: Buffer): boolean =>
  body.length >= 2 && ((body[0] ?? 0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
