import type { IncomingMessage } from 'node:http';

const LINGER_MS = 1_000;

/**
 * Lets a client that is still sending read its answer. Node closes the connection right after it, and with bytes
 * unread the kernel then resets it, so that many clients never see why they were refused.
 */
export function lingerAfterAnswer(req: IncomingMessage): void {
  const { socket } = req;
  req.unpipe();
  req.resume();
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
