import type Koa from 'koa';

/** Returns a signal that fires when the connection closes: then nobody reads the response, so the wait can end. */
export function closedSignal(ctx: Koa.Context): AbortSignal {
  const closed = new AbortController();
  ctx.res.once('close', () => closed.abort());
  return closed.signal;
}
