import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import compress from 'koa-compress';

/** A smaller body fits into one packet anyway. */
const THRESHOLD_BYTES = 1_024;

/**
 * Compresses JSON bodies over 1 KiB. Never files: a download that was broken off must join the same bytes. By gzip alone,
 * which every client knows: an encoder of br takes about eight times its memory, for each response under way.
 */
export const compressJson: Middleware = compress({
  threshold: THRESHOLD_BYTES,
  filter: (type) => type === 'application/json',
  br: false,
  deflate: false,
  ...{ zstd: false },
}) as Middleware;

/** Serializes a JSON body once, because its length and its compression would each do it again; decides on compression. */
export const serializeJson: Middleware = async (ctx, next) => {
  await next();
  const { body } = ctx;
  const isJson = ctx.response.is('json') === 'json';
  if (isJson && typeof body === 'object' && body !== null && !Buffer.isBuffer(body) && !('pipe' in body))
    ctx.body = JSON.stringify(body);
  decideCompression(ctx);
};

/**
 * koa-compress fails if a client accepts neither gzip nor an unencoded body; it then gets the body unencoded (RFC 9110 §12.5.3
 * allows that). A HEAD must not announce the length of a body that GET would compress, so it has none.
 */
function decideCompression(ctx: Context): void {
  if (!ctx.acceptsEncodings('gzip')) ctx.compress = false;
  else if (ctx.method === 'HEAD' && typeof ctx.body === 'string' && ctx.length >= THRESHOLD_BYTES)
    ctx.body = Readable.from([]);
}
