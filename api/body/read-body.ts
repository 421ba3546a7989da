import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type Koa from 'koa';
import { z } from 'zod';
import { contentCoding } from '../http/content-coding.js';
import { BODY, summary, toErrorDetails } from '../http/error-details.js';
import { badRequest, incompleteBody, tooLarge, unsupportedMedia } from '../http/errors.js';
import { askForBody } from '../http/expect.js';
import type { IdempotentRequest } from '../idempotency/idempotent-request.js';
import { collect } from './collect.js';
import { checkDigests } from './content-digest.js';
import { contentHeaders } from './content-headers.js';
import { parseHeader } from './header-value.js';
import { describeForeignBytes, describeJsonError, notUtf8 } from './json/describe-json-error.js';
import { transferEncoding } from './transfer-encoding.js';

/** The limit for bodies that describe one thing. */
const SMALL_BODY_BYTES = 64 * 1024;

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Returns whether a request declares a JSON body. It may still have none, which is then the error. */
export const isJson = ({ request }: Koa.Context): boolean =>
  /^application\/([^;]+\+)?json$/i.test(request.type);

/**
 * Reads the whole body.
 * @throws RequestError 413 as soon as it is known to exceed `limit` bytes; otherwise as {@link bodyChunks}
 */
export const readBody = (ctx: Koa.Context, limit: number): Promise<Buffer> => collect(bodyChunks(ctx, limit));

/**
 * Yields the body as it arrives.
 * @param envelope the bytes that it may have in addition to `limit`
 * @throws RequestError 413 beyond `limit` bytes, 400 `incomplete_body`, `digest_mismatch` or for a header that cannot be obeyed,
 *   or 408 once the request's time is over
 */
export function bodyChunks(ctx: Koa.Context, limit: number, envelope = 0): AsyncGenerator<Buffer> {
  return checkDigests(arriving(ctx, limit, envelope), contentHeaders(ctx.req));
}

async function* arriving(ctx: Koa.Context, limit: number, envelope: number): AsyncGenerator<Buffer> {
  const { req, state } = ctx;
  if (Number(req.headers['content-length'] ?? 0) > limit + envelope) throw tooLarge(limit);
  requireReadable(ctx);
  askForBody(req, ctx.res);
  let bytes = 0;
  for await (const chunk of untilExpired(req, state.expired)) {
    bytes += chunk.length;
    if (bytes > limit + envelope) throw tooLarge(limit);
    yield chunk;
  }
}

/**
 * Checks that the body can still be read. A stream that was closed before emits no event that a reader could wait
 * for.
 * @throws RequestError 400 `incomplete_body` if the connection is lost, or 408 if the request's time is over
 */
function requireReadable({ req, state }: Koa.Context): void {
  state.expired?.throwIfAborted();
  if (isBrokenOff(req)) throw incompleteBody();
}

/**
 * Returns whether the connection was lost before the body was read to its end. `req.complete` does not show that: it
 * is true as soon as the last byte has arrived, but closing the connection discards every byte that was not read by
 * then.
 */
const isBrokenOff = (req: IncomingMessage): boolean => req.destroyed && !req.readableEnded;

/**
 * Returns the body as a stream that fails when the signal fires. Without it, a reader would wait for a stalled body
 * until the connection closes. Ending the stream early leaves the request, and so the connection, open.
 */
function untilExpired(req: IncomingMessage, expired: AbortSignal | undefined): Readable {
  const body = new PassThrough();
  const expire = () => body.destroy(expired?.reason);
  const breakOff = () => {
    if (!req.readableEnded) body.destroy(incompleteBody());
  };
  expired?.addEventListener('abort', expire, { once: true });
  req.once('error', breakOff).once('close', breakOff);
  return req.pipe(body);
}

interface Reading {
  /** In bytes; 64 KiB by default. */
  limit?: number;
  /** May return a promise. */
  parse?: (body: Buffer) => unknown;
}

/**
 * Reads the JSON body of a small request and checks it against a schema. Reports the body's digest to `once`. A request without a body
 * counts as `{}`, so that a route without required members can be called with nothing more than its URL.
 * @throws RequestError 415, or 400 with all errors
 */
export async function readJson<Schema extends z.ZodType>(
  ctx: Koa.Context,
  schema: Schema,
  once: IdempotentRequest | null = null,
  { limit = SMALL_BODY_BYTES, parse = parseJson }: Reading = {},
): Promise<z.infer<Schema>> {
  const isAbsent = hasNoBody(ctx);
  if (!isJson(ctx) && !isAbsent)
    throw unsupportedMedia('Send the body as application/json.', ['application/json']);
  rejectEncodings(ctx);
  const body = isAbsent ? NO_MEMBERS : await readBody(ctx, limit);
  once?.bodyRead(sha256(body));
  return check(schema, await parse(body));
}

const NO_MEMBERS = Buffer.from('{}');

/** Whether a request neither has a body nor says what it would be. */
const hasNoBody = ({ req: { headers } }: Koa.Context): boolean =>
  headers['content-type'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0;

/**
 * Checks that a JSON body is announced as plain UTF-8, the only encoding of JSON between systems (RFC 8259 §8.1).
 * @throws RequestError 415 for another one
 */
export function rejectEncodings({ req }: Koa.Context): void {
  const headers = contentHeaders(req);
  const charset = parseHeader('Content-Type', headers.get('content-type') ?? '').parameters.get('charset');
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset.trim()))
    throw unsupportedMedia(
      `Unsupported charset ${JSON.stringify(charset.slice(0, 40))} in \`Content-Type\`. Send JSON as UTF-8.`,
    );
  contentCoding(headers.get('content-encoding'), []);
  if (transferEncoding(headers.get('content-transfer-encoding')))
    throw unsupportedMedia('Send JSON without a `Content-Transfer-Encoding`.');
}

/**
 * Parses UTF-8 JSON.
 * @throws RequestError 400 `malformed_json` with the place of the error, or `empty_body`
 */
export function parseJson(body: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw badRequest('malformed_json', describeForeignBytes(body) ?? notUtf8('The body'));
  }
  if (text.trim() === '') throw badRequest('empty_body', 'The body is empty.');
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('malformed_json', describeForeignBytes(body) ?? describeJsonError(text));
  }
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const errors = toErrorDetails(result.error, known);
  throw badRequest('invalid_body', summary(BODY, errors), errors);
}
