import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type Koa from 'koa';
import { errorCode } from '../../db/files/index.js';
import { contentCoding } from '../http/content-coding.js';
import { badRequest, tooLarge } from '../http/errors.js';
import { contentHeaders } from './content-headers.js';
import { type FileHeaders, readFileHeaders } from './file-headers.js';
import { type FilePart, openFilePart } from './multipart/file-part.js';
import { decodePart, type PartHeaders } from './multipart/part-headers.js';
import { bodyChunks } from './read-body.js';
import { decodeTransfer } from './transfer-encoding.js';

/** The media types of a file that is the body itself. `application/x-gzip` is an old name of `application/gzip`. */
export const FILE_TYPES: readonly string[] = ['text/csv', 'application/gzip', 'application/x-gzip'];
/** The media type of an Excel workbook. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const MULTIPART = 'multipart/form-data';

/** Bytes that a multipart body may have in addition to its file: boundary and part headers. */
const ENVELOPE_BYTES = 16 * 1024;

const isMultipart = ({ request }: Koa.Context): boolean => request.type.toLowerCase() === MULTIPART;

/** Returns whether a request declares a CSV file: as the part of a multipart body, or as the body itself. */
export const isFile = (ctx: Koa.Context): boolean =>
  isMultipart(ctx) || FILE_TYPES.includes(ctx.request.type.toLowerCase());

/** Returns whether the body of a request is declared to be an Excel workbook. In a multipart body, the content shows it. */
export const isWorkbook = ({ request }: Koa.Context): boolean => request.type.toLowerCase() === WORKBOOK_TYPE;

/** A file whose headers have been read. */
export interface OpenFile extends Pick<FileHeaders, 'charset' | 'fileName'> {
  /** The file itself: without envelope and codings. */
  content: AsyncGenerator<Buffer>;
}

/**
 * Opens the file that a request contains, as its body or as the part of a multipart body. What can be rejected without the body is
 * rejected before it is asked for.
 * @param limit in bytes, counted before and after each decoding; a multipart body may have {@link ENVELOPE_BYTES} more
 * @param asked the charset that the query names
 * @throws RequestError 413, 408, 400 `incomplete_body`, or 400 and 415 for what the query and the headers say. So does `content`
 */
export async function openFile(ctx: Koa.Context, limit: number, asked?: string): Promise<OpenFile> {
  const headers = contentHeaders(ctx.req);
  const file = readFileHeaders(headers);
  if (!isMultipart(ctx)) {
    const charset = chooseCharset(asked, file.charset);
    const content = decodeTransfer(decodedBody(ctx, limit, 0), file.transferEncoding);
    return { charset, fileName: file.fileName, content };
  }
  if (file.transferEncoding) throw misplacedEncoding();
  const body = decodedBody(ctx, limit, ENVELOPE_BYTES);
  try {
    const part = await openFilePart(headers.get('content-type') ?? '', body, limit);
    const { charset = file.charset, fileName, ...sent } = readFileHeaders(part.headers);
    return { charset: chooseCharset(asked, charset), fileName, content: decodedPart(part, sent, limit) };
  } catch (error) {
    await body.return(undefined);
    throw error;
  }
}

const misplacedEncoding = () =>
  badRequest(
    'unsupported_header',
    'Send `Content-Transfer-Encoding` in the headers of the part "file", not of the request.',
  );

function decodedPart(
  { headers, content }: FilePart,
  sent: PartHeaders,
  limit: number,
): AsyncGenerator<Buffer> {
  const plain = decodePart(content, headers, sent);
  return sent.contentCoding === 'gzip' ? gunzipBody(plain, limit) : plain;
}

/** @param envelope the bytes that a body may have in addition to `limit` */
async function* decodedBody(ctx: Koa.Context, limit: number, envelope: number): AsyncGenerator<Buffer> {
  const body = bodyChunks(ctx, limit, envelope);
  const coding = contentCoding(ctx.req.headers['content-encoding'], ['gzip']);
  yield* coding === 'gzip' ? gunzipBody(body, limit, envelope) : body;
}

/**
 * Returns the charset of a file; undefined if none is named.
 * @param asked as the query names it
 * @param declared as the headers name it
 * @throws RequestError 400 `charset_conflict` if both name different ones
 */
function chooseCharset(asked: string | undefined, declared: string | undefined): string | undefined {
  if (asked !== undefined && declared !== undefined && plainName(asked) !== plainName(declared)) {
    const message = `The query declares charset=${asked}, but \`Content-Type\` declares charset=${declared}. Send only the right one.`;
    throw badRequest('charset_conflict', message);
  }
  return asked ?? declared;
}

/** Returns the same text for the usual spellings of one charset. */
const plainName = (charset: string): string =>
  charset
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^(?:cp|win)(?=125\d$)/, 'windows')
    .replace(/^latin1$/, 'iso88591')
    .replace(/^(?:ms932|windows31j|cp932|sjis)$/, 'shiftjis');

/**
 * Decompresses a body or a part while it arrives.
 * @param limit the most bytes that it may have then
 * @param allowed the bytes that are allowed beyond `limit`
 * @throws RequestError 413, or 400 `malformed_body` if the data is not complete gzip data
 */
async function* gunzipBody(
  source: AsyncGenerator<Buffer>,
  limit: number,
  allowed = 0,
): AsyncGenerator<Buffer> {
  const plain = pipeline(Readable.from(source, { objectMode: false }), createGunzip(), () => {});
  let bytes = 0;
  try {
    for await (const chunk of plain) {
      bytes += chunk.length;
      if (bytes > limit + allowed) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    const isDamaged = errorCode(error).startsWith('Z_');
    throw isDamaged ? badRequest('malformed_body', 'The body is not complete gzip data.') : error;
  }
}
