import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on a port of its own that can break what runs through it. */
export interface CuttingProxy {
  url: string;
  /** Connections so far. */
  connections(): number;
  /** Breaks the nth connection (from 1) once so many bytes have come up from the client. */
  cutAfterBytes(connection: number, bytes: number): void;
  /** Breaks the nth connection (from 1) when the answer's first bytes come: the work is done, and nobody is told. */
  cutAnswer(connection: number): void;
  stop(): Promise<void>;
}

export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const upCuts = new Map<number, number>();
  const answerCuts = new Set<number>();
  let count = 0;
  const server = createServer((client) => {
    const number = ++count;
    const target = connect(targetPort, '127.0.0.1');
    const cut = () => {
      client.resetAndDestroy();
      target.destroy();
    };
    let up = 0;
    client.on('data', (chunk) => {
      up += chunk.length;
      target.write(chunk);
      if (up > (upCuts.get(number) ?? Number.POSITIVE_INFINITY)) cut();
    });
    target.on('data', (chunk) => (answerCuts.has(number) ? cut() : client.write(chunk)));
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
    connections: () => count,
    cutAfterBytes: (connection, bytes) => void upCuts.set(connection, bytes),
    cutAnswer: (connection) => void answerCuts.add(connection),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
