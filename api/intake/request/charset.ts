import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { badRequest, tooLarge } from '../../http/errors.js';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i;

/** Names of UTF-8, and of ASCII, which is a part of it. Programs that send UTF-8 declare ASCII as well. */
const UTF_8: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'ascii', 'ansi_x3.4-1968'];

const MARKS = [
  { charset: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { charset: 'utf-16le', bytes: [0xff, 0xfe] },
  { charset: 'utf-16be', bytes: [0xfe, 0xff] },
];
/** The least first byte of a byte order mark. */
const FIRST_OF_MARK = 0xef;
const UTF_8_MARK_BYTES = 3;
/** What a decoder writes for bytes that it does not know. */
const LOST = '\uFFFD';

/** Returns the charset that a `Content-Type` declares, in lower case. */
export const declaredCharset = (contentType: string | undefined): string | undefined =>
  contentType === undefined ? undefined : CHARSET.exec(contentType)?.[1]?.toLowerCase();

/**
 * Returns the charset of a body; null if it is UTF-8. A byte order mark decides if no charset is declared.
 * @throws RequestError 400 `charset_conflict` if the byte order mark is of another charset than the declared one
 */
export function charsetOf(body: Buffer, declared: string | undefined): string | null {
  const marked = markedCharset(body);
  if (declared === undefined) return marked === 'utf-8' ? null : marked;
  const known = UTF_8.includes(declared) ? 'utf-8' : declared;
  if (known === 'utf-16' && marked !== 'utf-8') return marked ?? unmarkedUtf16(body);
  if (marked === null || marked === known) return known === 'utf-8' ? null : known;
  throw badRequest(
    'charset_conflict',
    `\`Content-Type\` declares the charset ${declared}, but the body begins with the byte order mark of ${marked}. Send the right charset.`,
  );
}

/** Returns the charset of a body's byte order mark, or null if it has none. */
function markedCharset(body: Buffer): string | null {
  if ((body[0] ?? 0) < FIRST_OF_MARK) return null;
  return MARKS.find(({ bytes }) => bytes.every((byte, index) => body[index] === byte))?.charset ?? null;
}

/** JSON begins with a character of ASCII, so one of its two bytes is 0. */
const unmarkedUtf16 = (body: Buffer): string => (body[0] === 0 ? 'utf-16be' : 'utf-16le');

/**
 * Returns a body in UTF-8. What is UTF-8 is returned as it is, including its byte order mark.
 * @throws RequestError 400 `charset_unknown` or `malformed_json`, or 413 if it is longer than `limit` bytes in UTF-8
 */
export function toUtf8(body: Buffer, charset: string | null, limit: number): Buffer {
  if (charset !== null) {
    const text = decodeText(body, charset);
    if (Buffer.byteLength(text) > limit) throw tooLarge(limit, 'body in UTF-8');
    return Buffer.from(text);
  }
  if (isUtf8(body)) return body;
  throw badRequest(
    'malformed_json',
    'The body is not valid UTF-8. If it is in another charset, declare it, as in `Content-Type: application/json; charset=iso-8859-1`.',
  );
}

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
export const withoutMark = (text: Buffer): Buffer =>
  markedCharset(text) === 'utf-8' ? text.subarray(UTF_8_MARK_BYTES) : text;
