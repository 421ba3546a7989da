import type { Headers } from '../../body/content-headers.js';
import { LONG_HEADERS, MAX_HEAD_BYTES, parseHeaders } from '../../body/multipart/multipart.js';
import { badRequest, unsupportedMedia } from '../../http/errors.js';

const MULTIPART = /^\s*multipart\/([a-z-]{1,40})/i;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const LINE_END = '\r\n';
const HEADERS_END = '\r\n\r\n';

/** What an event may be sent as. */
export const ACCEPTED =
  'Send a JSON document, a form (application/x-www-form-urlencoded), or multipart/form-data with a single field that holds JSON.';

/** The only part of a multipart body, as it was sent. */
interface Part {
  headers: Headers;
  content: Buffer;
}

export const isMultipart = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && MULTIPART.test(contentType);

/** @throws RequestError 415 if a body is of another multipart type than a form */
export function rejectOtherMultipart(contentType: string | undefined): void {
  const type = contentType === undefined ? undefined : MULTIPART.exec(contentType)?.[1]?.toLowerCase();
  if (type !== undefined && type !== 'form-data')
    throw unsupportedMedia(`The body is multipart/${type}. ${ACCEPTED}`);
}

/**
 * Returns the only part of a multipart/form-data body. Reads no other part: a body that has several is not an event.
 * @throws RequestError 415 if it is another multipart type or has several parts, 400 `malformed_body` if it is incomplete, or as
 *   {@link parseHeaders}
 */
export function singlePart(body: Buffer, contentType: string): Part {
  rejectOtherMultipart(contentType);
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const delimiter = `--${quoted ?? plain ?? ''}`;
  const start = startOf(body, delimiter);
  const headersEnd = start < 0 ? -1 : body.indexOf(HEADERS_END, start);
  // A part without headers begins with an empty line.
  const contentStart = headersEnd + HEADERS_END.length;
  const end = headersEnd < 0 ? -1 : body.indexOf(`\r\n${delimiter}`, contentStart);
  if (quoted === undefined && plain === undefined) throw incomplete('its `Content-Type` has no boundary');
  if (end < 0) throw incomplete('there is no part between two lines of its boundary');
  if (body.toString('latin1', end + 2 + delimiter.length, end + 4 + delimiter.length) !== '--')
    throw unsupportedMedia(`The body is multipart/form-data with several parts. ${ACCEPTED}`);
  return { headers: headersOf(body.subarray(start, headersEnd)), content: body.subarray(contentStart, end) };
}

const incomplete = (why: string) =>
  badRequest('malformed_body', `The body is not complete multipart/form-data: ${why}.`);

/** Returns the offset after the first line of the boundary; -1 if there is none. */
function startOf(body: Buffer, delimiter: string): number {
  const isFirst = body.toString('latin1', 0, delimiter.length) === delimiter;
  const at = isFirst ? 0 : body.indexOf(`\r\n${delimiter}`);
  return at < 0 ? -1 : at + delimiter.length + (isFirst ? 0 : 2);
}

/** @param lines the rest of the line of the boundary, and the headers */
function headersOf(lines: Buffer): Headers {
  const first = lines.indexOf(LINE_END);
  if (first < 0) return new Map();
  if (lines.length > MAX_HEAD_BYTES) throw incomplete(LONG_HEADERS);
  return parseHeaders(lines.subarray(first + LINE_END.length));
}
