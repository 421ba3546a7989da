import { badRequest, unsupportedMedia } from '../../http/errors.js';

const MULTIPART = /^\s*multipart\/([a-z-]{1,40})/i;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const HEADERS_END = '\r\n\r\n';
const MAX_HEADER_BYTES = 4 * 1024;
const PART_TYPE = /^content-type:(.*)/im;
const PART_ENCODING = /^content-transfer-encoding:[ \t]*([^\s;]*)/im;
/** Encodings that leave the bytes as they are. */
const IDENTITY_ENCODINGS: readonly string[] = ['', '7bit', '8bit', 'binary'];

/** What an event may be sent as. */
export const ACCEPTED =
  'Send a JSON document, a form (application/x-www-form-urlencoded), or multipart/form-data with a single field that holds JSON.';

/** The only part of a multipart body. */
interface Part {
  content: Buffer;
  /** Its `Content-Type`, if it has one. */
  contentType: string | undefined;
}

export const isMultipart = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && MULTIPART.test(contentType);

/**
 * Returns the only part of a multipart/form-data body. Reads no other part: a body that has several is not an event.
 * @throws RequestError 415 if it is another multipart type, has several parts or an encoded one, 400 `malformed_body` if it is incomplete
 */
export function singlePart(body: Buffer, contentType: string): Part {
  const type = MULTIPART.exec(contentType)?.[1]?.toLowerCase();
  if (type !== 'form-data') throw unsupportedMedia(`The body is multipart/${type}. ${ACCEPTED}`);
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
  return { content: body.subarray(contentStart, end), contentType: partType(body, start, headersEnd) };
}

const incomplete = (why: string) =>
  badRequest('malformed_body', `The body is not complete multipart/form-data: ${why}.`);

/** Returns the offset after the first line of the boundary; -1 if there is none. */
function startOf(body: Buffer, delimiter: string): number {
  const isFirst = body.toString('latin1', 0, delimiter.length) === delimiter;
  const at = isFirst ? 0 : body.indexOf(`\r\n${delimiter}`);
  return at < 0 ? -1 : at + delimiter.length + (isFirst ? 0 : 2);
}

/** Returns the type of a part. @throws RequestError 415 if its bytes are encoded */
function partType(body: Buffer, start: number, end: number): string | undefined {
  const headers = body.toString('latin1', start, Math.min(end, start + MAX_HEADER_BYTES));
  const encoding = PART_ENCODING.exec(headers)?.[1] ?? '';
  if (!IDENTITY_ENCODINGS.includes(encoding.toLowerCase()))
    throw unsupportedMedia(
      `The part has the \`Content-Transfer-Encoding\` ${JSON.stringify(encoding.slice(0, 40))}. Send it as binary.`,
    );
  return PART_TYPE.exec(headers)?.[1];
}
