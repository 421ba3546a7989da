import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const LINGER_MS = 1_000;
const SHORT_BYTES = 64 * 1024;

/** Returns whether a request announces a body so short that reading the rest of it costs less than closing the connection. */
export function isShort({ headers }: IncomingMessage): boolean {
  const announced = headers['content-length'];
  return announced !== undefined && Number(announced) <= SHORT_BYTES;
}

/** Reads the rest of a body and drops it, so that the next request on the connection can be read. */
export function dropBody(req: IncomingMessage): void {
  req.unpipe();
  req.resume();
}

/**
 * Lets a client that is still sending read its answer. Node closes the connection right after it, and with bytes
 * unread the kernel then resets it, so that many clients never see why they were refused.
 */
export function lingerAfterAnswer(req: IncomingMessage): void {
  const { socket } = req;
  dropBody(req);
  socket.destroySoon = () => endAndLinger(socket);
}

/**
 * Sends what was written, then closes the connection a second later, even if the client never closes its half: it would
 * otherwise keep a file descriptor for good.
 */
export function endAndLinger(socket: Duplex): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
