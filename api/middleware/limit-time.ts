import type { Middleware } from 'koa';
import { tooSlow } from '../errors.js';

const BODY_WITHIN_MS = 30_000;
const UPLOAD_WINDOW_MS = 30_000;
const UPLOAD_LEAST_BYTES = 30 * 1024;

/**
 * A request's body must arrive within 30 s; an upload's instead at 1 KiB/s or more, over each 30 s.
 * Node's own `requestTimeout` knows one limit for all, and would cut a slow but honest upload.
 */
export const limitTime: Middleware = async (ctx, next) => {
  const slow = ctx.state.upload ? watchRate : watchWhole;
  const stop = slow(ctx.req, () => ctx.req.destroy(tooSlow()));
  try {
    await next();
  } finally {
    stop();
    // Whoever still sends after the answer has 30 s to end; then the connection goes.
    if (!ctx.req.complete) ctx.res.once('finish', () => endWithin(ctx.req));
  }
};

type Incoming = Parameters<Middleware>[0]['req'];

function watchWhole(req: Incoming, expire: () => void): () => void {
  const timer = setTimeout(() => req.complete || expire(), BODY_WITHIN_MS);
  req.once('end', () => clearTimeout(timer));
  return () => clearTimeout(timer);
}

function watchRate(req: Incoming, expire: () => void): () => void {
  let before = req.socket.bytesRead;
  const timer = setInterval(() => {
    const now = req.socket.bytesRead;
    if (!req.complete && now - before < UPLOAD_LEAST_BYTES) expire();
    before = now;
  }, UPLOAD_WINDOW_MS);
  return () => clearInterval(timer);
}

function endWithin(req: Incoming): void {
  const timer = setTimeout(() => req.destroy(), BODY_WITHIN_MS);
  timer.unref();
  req.once('end', () => clearTimeout(timer));
}
