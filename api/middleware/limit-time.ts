import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { tooSlow } from '../errors.js';

const UPLOAD_LEAST_BYTES_A_SECOND = 1024;

/**
 * A request's body must arrive within `windowMs` (408 beyond); an upload's instead at 1 KiB/s or more over each such
 * time. Node's own `requestTimeout` knows one limit for all, and would cut a slow but honest upload.
 */
export const limitTime =
  (windowMs: number): Middleware =>
  async (ctx, next) => {
    const watch = ctx.state.upload ? watchRate : watchWhole;
    let stop = (): void => {};
    const expired = new Promise<never>((_, reject) => {
      stop = watch(ctx.req, windowMs, () => reject(tooSlow()));
    });
    const handled = next();
    // After 408 the connection ends, and the handler, still reading, fails for nobody to hear.
    handled.catch(() => {});
    try {
      await Promise.race([handled, expired]);
    } finally {
      stop();
      // Whoever still sends after the answer has as long to end; then the connection goes.
      if (!ctx.req.complete) ctx.res.once('finish', () => endWithin(ctx.req, windowMs));
    }
  };

function watchWhole(req: IncomingMessage, windowMs: number, expire: () => void): () => void {
  const timer = setTimeout(() => req.complete || expire(), windowMs);
  return () => clearTimeout(timer);
}

function watchRate(req: IncomingMessage, windowMs: number, expire: () => void): () => void {
  let before = req.socket.bytesRead;
  const timer = setInterval(() => {
    const now = req.socket.bytesRead;
    const least = (UPLOAD_LEAST_BYTES_A_SECOND * windowMs) / 1_000;
    if (!req.complete && now - before < least) expire();
    before = now;
  }, windowMs);
  return () => clearInterval(timer);
}

function endWithin(req: IncomingMessage, windowMs: number): void {
  const timer = setTimeout(() => req.destroy(), windowMs);
  timer.unref();
  req.once('end', () => clearTimeout(timer));
}
