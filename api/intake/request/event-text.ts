import type { IncomingHttpHeaders } from 'node:http';
import { collect, inOnePiece } from '../../body/collect.js';
import { checkDigests } from '../../body/content-digest.js';
import { type Headers, unsupported } from '../../body/content-headers.js';
import { decodePart, readPartHeaders } from '../../body/multipart/part-headers.js';
import { decodeTransfer, transferEncoding } from '../../body/transfer-encoding.js';
import type { ContentCoding } from '../../http/content-coding.js';
import { badRequest, unsupportedMedia } from '../../http/errors.js';
import { charsetOfBody, declaredCharset, decoderOf, toUtf8, withoutMark } from './charset.js';
import { CODINGS, decompress } from './decompress.js';
import { findFault, malformedJson, startsLikeJson } from './document.js';
import { formJson, isForm, startsLikeMarkup } from './form.js';
import { ACCEPTED, isMultipart, rejectOtherMultipart, singlePart } from './multipart.js';

/** A body as it was sent, complete. */
export interface SentBody {
  body: Buffer;
  /** Its content coding, or null. */
  coding: ContentCoding | null;
  /** The most bytes that it may have once it is decompressed. */
  limit: number;
  /** Reserves memory for this number of bytes in all. @throws RequestError 503 if the buffer is full */
  reserve(bytes: number): void;
}

/** What a request says about its body, besides its type and its content coding. `docs/alerts.md` lists what is harmless. */
const OBEYED = ['content-transfer-encoding', 'content-md5', 'digest', 'content-digest', 'repr-digest'];
const RANGE = 'content-range';

function obeyed(headers: IncomingHttpHeaders): Headers {
  if (headers[RANGE] !== undefined) throw unsupported(RANGE);
  const found = new Map<string, string>();
  for (const name of OBEYED) if (headers[name] !== undefined) found.set(name, String(headers[name]));
  return found;
}

/**
 * Checks what can be checked of an event without its body, for a sender that waits until it is asked for that. Without the body, the
 * type is believed.
 * @throws RequestError 400 or 415
 */
export function rejectByHeaders(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'];
  transferEncoding(obeyed(headers).get('content-transfer-encoding'));
  rejectXml(type);
  rejectOtherMultipart(type);
  const charset = declaredCharset(type);
  if (charset !== undefined) decoderOf(charset);
}

/**
 * Undoes what the headers of a request say about its body, and checks its digests.
 * @returns what a person would call the body
 * @throws RequestError 400, 413 or 415
 */
export async function plainBody(headers: IncomingHttpHeaders, sent: SentBody): Promise<Buffer> {
  const { body, coding, limit } = sent;
  const said = obeyed(headers);
  const encoding = transferEncoding(said.get('content-transfer-encoding'));
  if (said.size > 0) await collect(checkDigests(inOnePiece(body), said));
  const plain = coding
    ? await decompress(coding, body, limit, (more) => sent.reserve(body.length + more))
    : body;
  return encoding ? collect(decodeTransfer(inOnePiece(plain), encoding)) : plain;
}

/**
 * Resolves to the JSON text of a plain body.
 * @throws RequestError 400, 413 or 415, as {@link jsonText} or for what the headers of a part say
 */
export async function eventText(
  body: Buffer,
  contentType: string | undefined,
  { limit, reserve }: Pick<SentBody, 'limit' | 'reserve'>,
): Promise<string> {
  if (!isMultipart(contentType) || startsLikeJson(body)) return jsonText(body, contentType, limit);
  const { headers, content } = singlePart(body, contentType);
  if (headers.has(RANGE)) throw unsupported(RANGE);
  const said = readPartHeaders(headers, CODINGS);
  const decoded = await collect(decodePart(inOnePiece(content), headers, said));
  const { contentCoding: coding } = said;
  const plain = coding
    ? await decompress(coding, decoded, limit, (more) => reserve(2 * body.length + more))
    : decoded;
  const charset = declaredCharset(headers.get('content-type')) ?? declaredCharset(contentType);
  return partText(plain, charset, limit);
}

function partText(content: Buffer, charset: string | undefined, limit: number): string {
  const document = withoutMark(toUtf8(content, charset, limit));
  const fault = findFault(document);
  if (fault === null && startsLikeJson(document)) return document.toString('utf8');
  if (fault !== null && startsLikeJson(document)) throw malformedJson(document, fault);
  throw unsupportedMedia(
    `The field of the multipart/form-data body is not a JSON object or array. ${ACCEPTED}`,
  );
}

const HYPHEN = 0x2d;
const XML_TYPE = /^\s*(?:application|text)\/(?:[a-z0-9.-]{1,60}\+)?xml\s*(?:;|$)/i;

/**
 * Returns the JSON text of a body that is one JSON document of any type, whatever its content type, or a form with one.
 * @param limit the most bytes that the text may have in UTF-8, where it can be longer than the body
 * @throws RequestError 400 `empty_body`, `malformed_json`, `malformed_body`, `too_deep` or one of a charset, 413 or 415
 */
export function jsonText(body: Buffer, contentType: string | undefined, limit: number): string {
  if (body.length === 0) throw badRequest('empty_body', 'The body is empty. Send a JSON document.');
  const declared = declaredCharset(contentType);
  const text = toUtf8(body, declared, limit);
  const document = withoutMark(text);
  const fault = findFault(document);
  if (fault === null) return text.toString('utf8');
  if (isForm(contentType, document)) {
    // Escaped bytes are in the declared charset, but no escape writes UTF-16.
    const charset = charsetOfBody(body, declared);
    const isWide = charset?.startsWith('utf-16') ?? false;
    return isWide ? formJson(document, 'utf-8', limit) : formJson(body, declared, limit);
  }
  rejectXml(contentType);
  if (startsLikeMarkup(document))
    throw unsupportedMedia(
      `The body begins like ${document[0] === HYPHEN ? 'a multipart body, but the `Content-Type` does not say so' : 'XML'}. ${ACCEPTED}`,
    );
  throw malformedJson(document, fault);
}

/** @throws RequestError 415 if a body has the type of XML */
function rejectXml(contentType: string | undefined): void {
  if (contentType !== undefined && XML_TYPE.test(contentType))
    throw unsupportedMedia(`The body is ${contentType.split(';')[0]?.trim()}. ${ACCEPTED}`);
}
