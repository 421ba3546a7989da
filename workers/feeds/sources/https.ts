import { OutboundError, toOutboundError } from '../../outbound/outbound-error.js';
import type { FetchContext, FetchedFile } from './fetched-file.js';
import { checkSize, guarded } from './guarded.js';
import { type HttpResponse, requestUrl } from './http-request.js';
import type { SourceOf } from './settings.js';
import { SourceError, toSourceError } from './source-error.js';

/**
 * Fetches a file with one GET request.
 * @throws SourceError
 */
export async function fetchHttps(
  source: SourceOf<'https'>,
  context: FetchContext,
): Promise<FetchedFile | 'unchanged'> {
  const url = new URL(source.url);
  const response = await requestUrl(
    { url, source, accept: '*/*', conditions: conditionsOf(context.known) },
    context,
  );
  const { status, headers, body } = response;
  const version = headers.etag ?? headers['last-modified'] ?? null;
  // Not every server compares the ETag itself. The time of a change alone is too coarse to trust it against a response with a file.
  if (status === 304 || (headers.etag && headers.etag === context.known)) {
    body.destroy();
    return 'unchanged';
  }
  const contentType = headers['content-type'] ?? null;
  if (/^text\/html\b/i.test(contentType ?? '')) {
    body.destroy();
    throw new SourceError(
      'invalid_content',
      `${response.url.hostname} responded with a web page (text/html) instead of a file. It may want a login: check \`headers\` and \`url\`.`,
    );
  }
  return {
    name: nameOf(url),
    version,
    modifiedAt: dateOf(headers['last-modified']),
    contentType,
    content: bodyOf(response, context.maxBytes, context),
  };
}

/** Returns whether a version is an ETag, which has quotes, and not a time. */
export const isEtag = (version: string): boolean => /^(?:W\/)?"/.test(version);

function conditionsOf(known: string | null): Record<string, string> {
  if (known === null) return {};
  return isEtag(known) ? { 'if-none-match': known } : { 'if-modified-since': known };
}

/**
 * Returns the body of a response, which fails unless it is whole. HTTP marks the end by a length or by the last chunk; a body that ends with its connection may be cut anywhere.
 * @throws SourceError
 */
export function bodyOf(
  { url, headers, body }: Omit<HttpResponse, 'status'>,
  maxBytes: number,
  context: FetchContext,
) {
  const host = url.hostname;
  try {
    const length = headers['content-length'];
    const isChunked = /\bchunked$/i.test(headers['transfer-encoding']?.trim() ?? '');
    if (length === undefined && !isChunked)
      throw new SourceError(
        'incomplete',
        `${host} sends neither a Content-Length nor chunks, so a file that is cut off would look whole. The server must send one of them (HTTP/1.1).`,
      );
    if (!/^(?:|identity|gzip|x-gzip)$/i.test(headers['content-encoding']?.trim() ?? ''))
      throw new SourceError(
        'invalid_content',
        `${host} sends a Content-Encoding other than gzip, which Muster does not accept.`,
      );
    const bytes = length === undefined || isChunked ? null : Number(length);
    checkSize(host, bytes, maxBytes);
    return guarded(body, { name: host, bytes, maxBytes, toError: (error) => cutOff(host, error) }, context);
  } catch (error) {
    body.destroy();
    throw error;
  }
}

function cutOff(host: string, error: Error): unknown {
  const failure = toOutboundError(host, error, true);
  if (!(failure instanceof OutboundError) || failure.code !== 'reset') return toSourceError(failure);
  return new SourceError(
    'incomplete',
    `${host} closed the connection before the end of the file. Nothing of it is used.`,
  );
}

/** Not the whole path, and nothing without an ending: it could be a token. */
function nameOf({ pathname, hostname }: URL): string {
  const last = pathname.split('/').at(-1) ?? '';
  return /^[\w.-]+\.(?:csv|tsv|txt|json|jsonl|ndjson|xlsx)(?:\.gz)?$/i.test(last) ? last : hostname;
}

function dateOf(text: string | undefined): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}
