import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type Koa from 'koa';
import type { z } from 'zod';
import { BODY, summary, toErrorDetails } from '../http/error-details.js';
import { badRequest, incompleteBody, tooLarge, unsupportedMedia } from '../http/errors.js';
import type { IdempotentRequest } from '../idempotency/idempotent-request.js';
import { describeJsonError } from './describe-json-error.js';

/** What a request may send that describes one thing. */
const SMALL_BODY_BYTES = 64 * 1024;

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Whether a request says that its body is JSON, also when it has none: then that is what is wrong with it. */
export const isJson = ({ request }: Koa.Context): boolean =>
  /^application\/([^;]+\+)?json$/i.test(request.type);

/** The whole body, at most `limit` bytes (413 beyond, told as soon as it is known). */
export async function readBody(ctx: Koa.Context, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyChunks(ctx, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Yields the body as it arrives.
 * @throws RequestError 413 beyond `limit` bytes, 400 `incomplete_body`, or 408 once the request's time is over
 */
export async function* bodyChunks(ctx: Koa.Context, limit: number): AsyncGenerator<Buffer> {
  const { req, state } = ctx;
  requireReadable(ctx);
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  let bytes = 0;
  for await (const chunk of untilExpired(req, state.expired)) {
    bytes += chunk.length;
    if (bytes > limit) throw tooLarge(limit);
    yield chunk;
  }
}

/**
 * Checks that the body can still be read. A stream that was closed before emits no event that a reader could wait for.
 * @throws RequestError 400 `incomplete_body` if the connection is gone, or 408 if the request's time is over
 */
export function requireReadable({ req, state }: Koa.Context): void {
  state.expired?.throwIfAborted();
  if (isBrokenOff(req)) throw incompleteBody();
}

/**
 * Returns whether the connection was lost before the body was read to its end. `req.complete` would not tell: it is true
 * as soon as the last byte has arrived, but closing the connection discards every byte that was not read by then.
 */
export const isBrokenOff = (req: IncomingMessage): boolean => req.destroyed && !req.readableEnded;

/**
 * Returns the body as a stream that fails when the signal says so: a stalled body would otherwise be waited for until its
 * connection is gone. To end it early leaves the request itself, and so the connection, open.
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
  /** Bytes; 64 KiB unless said otherwise. */
  limit?: number;
  parse?: (body: Buffer) => unknown;
}

/** A JSON body of a small request, checked by its schema: 415, 400 with all faults. Tells `once` what it was. */
export async function readJson<Schema extends z.ZodType>(
  ctx: Koa.Context,
  schema: Schema,
  once: IdempotentRequest | null = null,
  { limit = SMALL_BODY_BYTES, parse = parseJson }: Reading = {},
): Promise<z.infer<Schema>> {
  if (!isJson(ctx)) throw unsupportedMedia('Send the body as application/json.');
  const body = await readBody(ctx, limit);
  once?.bodyRead(sha256(body));
  return check(schema, parse(body));
}

/** Parses UTF-8 JSON; 400 `malformed_json` says where it goes wrong. */
export function parseJson(body: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw badRequest('malformed_json', 'The body is not valid UTF-8.');
  }
  if (text.trim() === '') throw badRequest('empty_body', 'The body is empty.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest('malformed_json', describeJsonError(text, error as Error));
  }
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : [];
  const faults = toErrorDetails(result.error, known);
  throw badRequest('invalid_body', summary(BODY, faults), faults);
}
