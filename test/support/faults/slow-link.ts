import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A network link to a server, whose quality can be changed at any time. */
export interface SlowLink {
  port: number;
  /** Delays everything that is sent in either direction by the given number of milliseconds. */
  delay(ms: number): void;
  /** Carries at most this many bytes a second in each direction, on all connections together. */
  limit(bytesPerSecond: number): void;
  /** Resets all connections. New ones work. */
  reset(): void;
  /** Makes the link fast again. What is on its way arrives at once. */
  restore(): void;
  stop(): Promise<void>;
}

/** What a direction of a connection has not delivered yet stays below this, so that the sender notices. */
const MOST_WAITING = 64 * 1024;
/** Larger pieces would arrive too unevenly on a slow link. */
const PIECE = 1024;

/** What can be wrong with a link, by name. Each function resolves after the given number of milliseconds, and leaves the link slow. */
export const LINK_FAULTS: Record<string, (link: SlowLink, ms: number) => Promise<void>> = {
  'resets all connections again and again': async (link, ms) => {
    for (let reset = 0; reset < ms / 250; reset++) {
      link.reset();
      await sleep(250);
    }
  },
  'takes 200 ms': async (link, ms) => {
    link.delay(100);
    await sleep(ms);
  },
  'carries 8 KB/s': async (link, ms) => {
    link.limit(8_000);
    await sleep(ms);
  },
};

/** Starts a link to a server that listens on a socket, or on a port of this machine. */
export async function startSlowLink(target: { path: string } | { port: number }): Promise<SlowLink> {
  const pairs = new Set<{ client: Socket; server: Socket }>();
  const quality = { delayMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY };
  const waiting = new Set<() => void>();

  /** Resolves after that time, or as soon as the link is restored. */
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      waiting.add(done);
    });

  /** One direction of all connections: when the link has carried what was sent so far. */
  const direction = () => ({ freeAt: 0 });

  function carry(from: Socket, to: Socket, line: ReturnType<typeof direction>): void {
    let bytes = 0;
    let last = Promise.resolve();
    const deliver = async (chunk: Buffer, arrivesAt: number) => {
      if (quality.delayMs > 0 && arrivesAt > performance.now()) await wait(arrivesAt - performance.now());
      for (let at = 0; at < chunk.length; at += PIECE) {
        const piece = chunk.subarray(at, at + PIECE);
        const startsAt = Math.max(line.freeAt, performance.now());
        line.freeAt = startsAt + (piece.length / quality.bytesPerSecond) * 1_000;
        if (line.freeAt > performance.now() + 1) await wait(line.freeAt - performance.now());
        to.write(piece);
      }
      bytes -= chunk.length;
      from.resume();
    };
    from.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_WAITING) from.pause();
      const arrivesAt = performance.now() + quality.delayMs;
      last = last.then(() => deliver(chunk, arrivesAt));
    });
    from.on('end', () => void last.then(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => void last.then(() => to.destroy()));
  }

  const [up, down] = [direction(), direction()];
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ ...target, allowHalfOpen: true });
    const pair = { client, server };
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    carry(client, server, up);
    carry(server, client, down);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  const restore = () => {
    quality.delayMs = 0;
    quality.bytesPerSecond = Number.POSITIVE_INFINITY;
    for (const line of [up, down]) line.freeAt = 0;
    for (const done of [...waiting]) done();
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    delay: (ms) => {
      quality.delayMs = ms;
    },
    limit: (bytesPerSecond) => {
      quality.bytesPerSecond = bytesPerSecond;
    },
    reset: () => {
      // Only a TCP socket can send a reset.
      for (const { client, server } of pairs) {
        client.resetAndDestroy();
        server.destroy();
      }
    },
    restore,
    stop: async () => {
      restore();
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
