import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: from 32,768 on Linux, from 49,152 elsewhere. */
const FIRST = 20_000;
const LAST = 32_767;

const given = new Set<number>();

/**
 * Returns a port of 127.0.0.1 that nothing uses, each only once. A port that the system chooses for `listen(0)` could be
 * taken by an outgoing connection of any process before the caller's server listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
