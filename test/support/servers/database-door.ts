import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What happens to the next COMMIT: it is carried out and its response is lost, or it never arrives. */
export type CommitFault = 'response lost' | 'request lost';

/** A COMMIT as knex sends it, in one packet. */
const COMMIT = Buffer.from('\u0003COMMIT;');

/** A statement that begins or ends a transaction, as knex sends it. */
export type Boundary = 'BEGIN;' | 'COMMIT;' | 'ROLLBACK';

/** The error packet of a Galera node that has left its group: number, SQLSTATE and message. */
const NOT_READY = Buffer.from(
  '\u00ff\u0017\u0004#08S01WSREP has not yet prepared node for application use',
  'latin1',
);

/**
 * The tests' database behind a TCP proxy that can break the connection at a COMMIT, refuse a statement, and reject connections for a
 * while.
 */
export async function startDatabaseDoor(databaseUrl: string) {
  const target = new URL(databaseUrl).searchParams.get('socketPath') as string;
  const sockets = new Set<Socket>();
  let fault: CommitFault | null = null;
  let isShut = false;
  let faults = 0;
  const refused: Boundary[] = [];
  let dead = { statement: '', left: 0 };
  let swallowed: Boundary | null = null;
  const server = createServer((client) => {
    if (isShut) return void client.destroy();
    const upstream = connect(target);
    const cut = () => {
      client.destroy();
      upstream.end();
    };
    client.on('data', (chunk) => {
      const [next] = refused;
      if (next && chunk.includes(`\u0003${next}`)) {
        refused.shift();
        return void client.write(asPacket(NOT_READY));
      }
      if (dead.left > 0 && chunk.includes(dead.statement)) {
        dead.left -= 1;
        return cut();
      }
      if (swallowed && chunk.includes(`\u0003${swallowed}`)) {
        swallowed = null;
        return;
      }
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
    /** Responds to the next of these statements, in this order, with an error of Galera. They do not reach the database. */
    refuse: (...statements: Boundary[]) => void refused.push(...statements),
    /** Neither forwards the next of these statements nor responds to it. */
    swallow: (statement: Boundary) => {
      swallowed = statement;
    },
    /** Closes the connections on which such a statement arrives next, so many of them, as if they had been dead before. */
    killConnections: (left: number, statement: string) => {
      dead = { statement, left };
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

/** Returns the response to a statement, which is the first packet after it. */
function asPacket(payload: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  header[3] = 1;
  return Buffer.concat([header, payload]);
}
