import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** File descriptors for everything except connections of clients: database, Redis, libraries, log. */
const RESERVED = 128;
/** A connection may need a second file descriptor, for the file that is uploaded or downloaded. */
const PER_CONNECTION = 2;
/** How many connections beyond the limit may wait for their 503 at the same time. Further ones are closed immediately. */
const MAX_SURPLUS = 32;

/**
 * Limits the connections of a server. Returns a function that tells whether a request came on a connection beyond the
 * limit, and must be rejected. Without a limit the process would run out of file descriptors, and opening a file or a
 * connection to the database would fail.
 *
 * @param limit by default, as many connections as the process has file descriptors for
 */
export function limitConnections(
  server: Server,
  limit: number = defaultLimit(),
): (req: IncomingMessage) => boolean {
  const surplus = new WeakSet<Socket>();
  let open = 0;
  server.maxConnections = limit + MAX_SURPLUS;
  server.on('connection', (socket) => {
    if (++open > limit) surplus.add(socket);
    socket.once('close', () => open--);
  });
  return ({ socket }) => surplus.has(socket);
}

function defaultLimit(): number {
  return Math.max(1, Math.floor((maxFileDescriptors() - RESERVED - MAX_SURPLUS) / PER_CONNECTION));
}

/** Returns the soft limit of this process, which Node raises to the hard one at start; 1,024 on a system without /proc. */
function maxFileDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
    return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft) || 1_024;
  } catch {
    return 1_024;
  }
}
