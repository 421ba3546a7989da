import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const LINGER_MS = 1_000;
const SHORT_BYTES = 64 * 1024;

/** Returns whether the request announces a short body: reading the rest of it costs less than closing the connection. */
export function isShort({ headers }: IncomingMessage): boolean {
  const announced = headers['content-length'];
  return announced !== undefined && Number(announced) <= SHORT_BYTES;
}

/** Reads and discards the rest of a body, so that the next request on the connection can be read. */
export function dropBody(req: IncomingMessage): void {
  req.unpipe();
  req.resume();
}

/**
 * Lets a client that is still sending read its response. Node closes the connection right after the response; with unread
 * bytes, the kernel then resets the connection, and many clients never see why their request was rejected.
 */
export function lingerAfterResponse(req: IncomingMessage): void {
  const { socket } = req;
  dropBody(req);
  socket.destroySoon = () => endAndLinger(socket);
}

/**
 * Sends what was written, and closes the connection one second later. A client that never closes its half would otherwise
 * keep a file descriptor forever.
 */
export function endAndLinger(socket: Duplex): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
