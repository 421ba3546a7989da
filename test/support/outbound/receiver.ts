import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { generate } from 'selfsigned';
import type { Network } from '../../../workers/outbound/network.js';

export const RECEIVER_HOST = 'hooks.example.com';

export type Respond = (request: IncomingMessage, response: ServerResponse, socket: Socket) => void;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a TLS server for `hooks.example.com`, `localhost` and 127.0.0.1, and a network on which every host name leads to it.
 * @param hosts further names in its certificate
 */
export async function startReceiver(hosts: readonly string[] = []) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: RECEIVER_HOST }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: RECEIVER_HOST },
          { type: 2, value: 'localhost' },
          ...hosts.map((value) => ({ type: 2 as const, value })),
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  const requests: { url: string; body: string; host: string | undefined; connection: number }[] = [];
  const connections: Socket[] = [];
  let respond: Respond = (_, response) => void response.end('ok');
  const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, async (request, response) => {
    const { socket, url = '', headers } = request;
    const chunks = await request.toArray();
    const body = Buffer.concat(chunks).toString();
    requests.push({ url, body, host: headers.host, connection: connections.indexOf(socket) });
    respond(request, response, socket);
  });
  server.on('secureConnection', (socket) => {
    connections.push(socket);
    // The client may close it at any time.
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const network: Network = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: (address) => address === '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ca: cert,
  };
  return {
    network,
    requests,
    /** The connections whose TLS handshake was complete, in order, also closed ones. */
    connections,
    /** Sets the response to all further requests. */
    respond: (how: Respond) => {
      respond = how;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
