import type Koa from 'koa';

const LINGER_MS = 1_000;

/**
 * Lets a client that is still sending read its answer. Node closes the connection right after it, and with bytes
 * unread the kernel then resets it, so that many clients never see why they were refused.
 */
export function lingerAfterAnswer(ctx: Koa.Context): void {
  const { socket } = ctx.req;
  ctx.req.unpipe();
  ctx.req.resume();
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS);
  };
}
