import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on a separate port that can break the connections through it. */
export interface CuttingProxy {
  url: string;
  /** Breaks the next connection once the client has sent the given number of bytes. */
  cutAfterBytes(bytes: number): void;
  /**
   * Breaks the next connection whose request begins with `start` when its response arrives: the work is done, but the
   * client does not learn of it.
   */
  cutResponse(start: string): void;
  /** How many connections it has broken. */
  cuts(): number;
  stop(): Promise<void>;
}

export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const responseCuts: string[] = [];
  let byteCut = Number.POSITIVE_INFINITY;
  let cuts = 0;
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    const cut = () => {
      cuts += 1;
      client.resetAndDestroy();
      target.destroy();
    };
    let request = '';
    let up = 0;
    client.on('data', (chunk) => {
      request ||= chunk.toString('latin1');
      up += chunk.length;
      target.write(chunk);
      if (up <= byteCut) return;
      byteCut = Number.POSITIVE_INFINITY;
      cut();
    });
    target.on('data', (chunk) => {
      const wanted = responseCuts.findIndex((start) => request.startsWith(start));
      if (wanted < 0) return void client.write(chunk);
      responseCuts.splice(wanted, 1);
      cut();
    });
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('end', () => other.end());
      one.on('close', () => sockets.delete(one));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfterBytes: (bytes) => {
      byteCut = bytes;
    },
    cutResponse: (start) => void responseCuts.push(start),
    cuts: () => cuts,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
