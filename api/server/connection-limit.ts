import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** File descriptors for everything that is not a connection: database, Redis, libraries, log. */
const RESERVED = 128;
/** A connection may need a second one, for the file that it uploads or downloads. */
const PER_CONNECTION = 2;
/** Connections beyond the limit that may wait for their 503 at the same time; further ones are closed at once. */
const MAX_SURPLUS = 32;

/**
 * Tells which requests came on connections beyond the limit, and are to be refused. Without a limit the process would run
 * out of file descriptors, and whatever needs one next fails: a file, a connection to the database.
 *
 * @param limit the most connections; by default as many as the process has file descriptors for
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

/** The soft limit of this process; Node raises it to the hard one as it starts. A system without /proc has 1,024. */
function maxFileDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
    return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft) || 1_024;
  } catch {
    return 1_024;
  }
}
