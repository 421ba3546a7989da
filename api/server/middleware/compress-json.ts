import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import compress from 'koa-compress';

/** A smaller body fits into one packet. */
const THRESHOLD_BYTES = 1_024;

/**
 * Compresses JSON bodies over 1 KiB. Files are never compressed, because a resumed download must continue with the same
 * bytes. Uses gzip only: every client supports it, and a br encoder takes about eight times its memory for each response.
 */
export const compressJson: Middleware = compress({
  threshold: THRESHOLD_BYTES,
  filter: (type) => type === 'application/json',
  br: false,
  deflate: false,
  ...{ zstd: false },
}) as Middleware;

/** Serializes a JSON body once, because Koa and koa-compress would each do it again. Decides whether to compress it. */
export const serializeJson: Middleware = async (ctx, next) => {
  await next();
  const { body } = ctx;
  const isJson = ctx.response.is('json') === 'json';
  if (isJson && typeof body === 'object' && body !== null && !Buffer.isBuffer(body) && !('pipe' in body))
    ctx.body = JSON.stringify(body);
  decideCompression(ctx);
};

/**
 * koa-compress fails if a client accepts neither gzip nor an unencoded body. Such a client gets the body unencoded, which
 * RFC 9110 §12.5.3 allows. A HEAD must not announce the length of a body that GET would compress, so it announces none.
 */
function decideCompression(ctx: Context): void {
  if (!ctx.acceptsEncodings('gzip')) ctx.compress = false;
  else if (ctx.method === 'HEAD' && typeof ctx.body === 'string' && ctx.length >= THRESHOLD_BYTES)
    ctx.body = Readable.from([]);
}
