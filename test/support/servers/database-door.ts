import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What happens to the next COMMIT: it is carried out and its response is lost, or it never arrives. */
export type CommitFault = 'response lost' | 'request lost';

/** A COMMIT as knex sends it, in one packet. */
const COMMIT = Buffer.from('\u0003COMMIT;');

/**
 * The tests' database behind a TCP proxy that can break the connection at a COMMIT and then reject connections for a
 * while.
 */
export async function startDatabaseDoor(databaseUrl: string) {
  const target = new URL(databaseUrl).searchParams.get('socketPath') as string;
  const sockets = new Set<Socket>();
  let fault: CommitFault | null = null;
  let isShut = false;
  let faults = 0;
  const server = createServer((client) => {
    if (isShut) return void client.destroy();
    const upstream = connect(target);
    const cut = () => {
      client.destroy();
      upstream.end();
    };
    client.on('data', (chunk) => {
      if (!fault || !chunk.includes(COMMIT)) return void upstream.write(chunk);
      const lost = fault;
      fault = null;
      faults += 1;
      if (lost === 'request lost') return cut();
      upstream.write(chunk);
      upstream.removeAllListeners('data').once('data', cut);
    });
    upstream.on('data', (chunk) => client.write(chunk));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('socketPath');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Breaks the connection of the next COMMIT. */
    breakCommit: (next: CommitFault) => {
      fault = next;
    },
    /** How many COMMITs it has broken. */
    faults: () => faults,
    /** Rejects new connections, or accepts them again. */
    shut: (shut: boolean) => {
      isShut = shut;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
