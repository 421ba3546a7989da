import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { requestTimeout } from '../../http/errors.js';

const MIN_UPLOAD_BYTES_PER_SECOND = 1024;

/**
 * Responds with 408 if the body does not arrive within `windowMs`. The body of an upload must instead arrive at 1 KiB/s or
 * more in each such period. `ctx.state.expired` is the abort signal for handlers that read or store the body. Node's own
 * `requestTimeout` is one limit for all requests, and would cut off a slow upload.
 */
export const limitTime =
  (windowMs: number): Middleware =>
  async (ctx, next) => {
    let stop = (): void => {};
    const expiry = new AbortController();
    ctx.state.expired = expiry.signal;
    const expired = new Promise<never>((_, reject) => {
      stop = watch(ctx, windowMs, () => {
        const error = requestTimeout();
        // The handler first, so that it removes what it has stored.
        expiry.abort(error);
        reject(error);
      });
    });
    const handled = next();
    // After a 408 the handler fails too, and nothing waits for it.
    handled.catch(() => {});
    try {
      await Promise.race([handled, expired]);
    } finally {
      stop();
      // A client that is still sending after the response has the same time to finish. Then the connection is closed.
      if (!ctx.req.complete) ctx.res.once('finish', () => endWithin(ctx.req, windowMs));
    }
  };

/** Checks the body once per window. By the first check the route is known, and so is whether it is an upload. */
function watch({ req, state }: Context, windowMs: number, expire: () => void): () => void {
  let before = req.socket.bytesRead;
  const timer = setInterval(() => {
    const received = req.socket.bytesRead - before;
    before += received;
    const enough = state.upload && received >= (MIN_UPLOAD_BYTES_PER_SECOND * windowMs) / 1_000;
    // Not `readableEnded`: a body that has arrived and waits for a slow handler is in time.
    if (!req.complete && !enough) expire();
  }, windowMs);
  return () => clearInterval(timer);
}

function endWithin(req: IncomingMessage, windowMs: number): void {
  const timer = setTimeout(() => req.destroy(), windowMs);
  timer.unref();
  req.once('end', () => clearTimeout(timer));
}
