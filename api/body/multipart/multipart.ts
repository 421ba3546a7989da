import { badRequest, type RequestError } from '../../http/errors.js';
import { headerText, malformedHeader } from '../header-value.js';

/** The most bytes that the headers of the first part and the text before it may take. */
export const MAX_HEAD_BYTES = 8 * 1024;
const CRLF = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');
/** Control characters are in file names only, which are cleaned. */
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([^\0\r\n]*)$/u;

/** @param why what is wrong with the body */
export const malformedMultipart = (why: string): RequestError =>
  badRequest('malformed_multipart', `The body is not valid multipart/form-data: ${why}.`);

const MAX_NAME_SHOWN = 60;

/** @param name of a part that must not be there */
export const unexpectedPart = (name: string): RequestError => {
  const what =
    name === 'file' ? 'a second part "file"' : `the part ${JSON.stringify(name.slice(0, MAX_NAME_SHOWN))}`;
  const hint =
    name === '_charset_'
      ? 'Name the encoding in the `Content-Type` of the part'
      : 'Send options in the query';
  return badRequest(
    'unexpected_part',
    `The body must contain one file part named "file" and nothing else. It contains ${what}. ${hint}.`,
  );
};

/** The beginning of a multipart body. */
interface Head {
  /** The headers of the first part, by lower-case name. */
  headers: ReadonlyMap<string, string>;
  /** What has arrived of the body after them. */
  rest: Buffer;
}

/**
 * Reads the beginning of a multipart body (RFC 2046 §5.1) up to the content of its first part, and leaves the rest to multer, which does not
 * show the headers of a part.
 * @returns null if the body has no part
 * @throws RequestError 400 `malformed_multipart`, `malformed_header`
 */
export async function readHead(body: AsyncGenerator<Buffer>, boundary: string): Promise<Head | null> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first boundary needs no line break before it.
  for (let held = CRLF; ; ) {
    const at = held.subarray(0, MAX_HEAD_BYTES).indexOf(delimiter);
    const afterBoundary = at + delimiter.length;
    if (at >= 0 && held.toString('latin1', afterBoundary, afterBoundary + 2) === '--') return null;
    const start = at < 0 ? null : startOfHeaders(held, afterBoundary);
    const end = start === null ? -1 : held.indexOf(HEADERS_END, start);
    if (start !== null && end >= 0 && end <= MAX_HEAD_BYTES)
      return {
        headers: parseHeaders(held.subarray(start, end)),
        rest: held.subarray(end + HEADERS_END.length),
      };
    if (held.length > MAX_HEAD_BYTES) throw malformedMultipart(at < 0 ? NO_BOUNDARY : LONG_HEADERS);
    const { value, done } = await body.next();
    if (done) throw malformedMultipart('it ends early');
    held = Buffer.concat([held, value]);
  }
}

const NO_BOUNDARY = 'the boundary of the Content-Type header is not in its first 8 KiB';
export const LONG_HEADERS = 'the headers of its part do not end in its first 8 KiB';

/** Returns where the headers of a part start: in the line after the boundary. Returns null if too little has arrived. */
function startOfHeaders(held: Buffer, afterBoundary: number): number | null {
  const text = held.toString('latin1', afterBoundary, MAX_HEAD_BYTES);
  const space = /^[\t ]*/.exec(text)?.[0].length ?? 0;
  const next = text.slice(space, space + 2);
  if (next.startsWith('\n')) throw malformedMultipart('its lines must end with CRLF');
  if (text !== '-' && !'\r\n'.startsWith(next))
    throw malformedMultipart('a line starts with the boundary and continues');
  if (next.length < 2) return null;
  const start = afterBoundary + space + 2;
  if (held.indexOf(CRLF, start) === start) throw malformedMultipart('a part has no headers');
  return start;
}

/**
 * Parses the headers of a part, without the empty line after them.
 * @throws RequestError 400 `malformed_multipart`, `malformed_header`
 */
export function parseHeaders(block: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of headerText(block)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === '') throw malformedMultipart('a part has an invalid header');
    const key = name.toLowerCase();
    if (headers.has(key) && key.startsWith('content-')) throw malformedHeader(name, 'the part has it twice');
    headers.set(key, value.trim());
  }
  return headers;
}
