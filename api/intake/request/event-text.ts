import type { IncomingHttpHeaders } from 'node:http';
import { collect, once } from '../../body/collect.js';
import { checkDigests } from '../../body/content-digest.js';
import { type Headers, unsupported } from '../../body/content-headers.js';
import { decodePart, readPartHeaders } from '../../body/part-headers.js';
import { decodeTransfer, transferEncoding } from '../../body/transfer-encoding.js';
import type { ContentCoding } from '../../http/content-coding.js';
import { unsupportedMedia } from '../../http/errors.js';
import { declaredCharset, decoderOf, toUtf8, withoutMark } from './charset.js';
import { CODINGS, decompress } from './decompress.js';
import { findFault, malformedJson, startsLikeJson } from './document.js';
import { jsonText, rejectXml } from './json-text.js';
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
  if (said.size > 0) await collect(checkDigests(once(body), said));
  const plain = coding
    ? await decompress(coding, body, limit, (more) => sent.reserve(body.length + more))
    : body;
  return encoding ? collect(decodeTransfer(once(plain), encoding)) : plain;
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
  const decoded = await collect(decodePart(once(content), headers, said));
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
