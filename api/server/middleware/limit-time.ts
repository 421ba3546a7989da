import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { requestTimeout } from '../../http/errors.js';

const UPLOAD_LEAST_BYTES_A_SECOND = 1024;

/**
 * A request's body must arrive within `windowMs` (408 beyond); an upload's instead at 1 KiB/s or more over each such
 * time. `ctx.state.expired` is the signal for handlers that read or store the body. Node's own `requestTimeout` knows one limit for all, and would cut a slow but honest upload.
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
        // First the handler, so that it removes what it has stored so far.
        expiry.abort(error);
        reject(error);
      });
    });
    const handled = next();
    // After 408 the handler fails as well, and nobody waits for it any more.
    handled.catch(() => {});
    try {
      await Promise.race([handled, expired]);
    } finally {
      stop();
      // Whoever still sends after the answer has as long to end; then the connection goes.
      if (!ctx.req.complete) ctx.res.once('finish', () => endWithin(ctx.req, windowMs));
    }
  };

/** Which route it is, and so whether an upload, is known by the time that this first looks. */
function watch({ req, state }: Context, windowMs: number, expire: () => void): () => void {
  let before = req.socket.bytesRead;
  const timer = setInterval(() => {
    const came = req.socket.bytesRead - before;
    before += came;
    const enough = state.upload && came >= (UPLOAD_LEAST_BYTES_A_SECOND * windowMs) / 1_000;
    // Not `readableEnded`: a body that has arrived and waits for a slow handler is not late.
    if (!req.complete && !enough) expire();
  }, windowMs);
  return () => clearInterval(timer);
}

function endWithin(req: IncomingMessage, windowMs: number): void {
  const timer = setTimeout(() => req.destroy(), windowMs);
  timer.unref();
  req.once('end', () => clearTimeout(timer));
}
