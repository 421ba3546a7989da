import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A server behind a proxy that can freeze: it then accepts connections but sends no responses. */
export async function startFreezableProxy(socketPath: string) {
  const pairs: [client: Socket, server: Socket][] = [];
  let isFrozen = false;
  const proxy = createServer((client) => {
    const server = connect(socketPath);
    pairs.push([client, server]);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => {});
    if (isFrozen) server.unpipe().pause();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    freeze: () => {
      isFrozen = true;
      for (const [, server] of pairs) server.unpipe().pause();
    },
    stop: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      proxy.close();
    },
  };
}

/** The same for a database that listens on a socket; `url` is its URL through the proxy. */
export async function startFreezableDatabase(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const proxy = await startFreezableProxy(url.searchParams.get('socketPath') as string);
  url.searchParams.delete('socketPath');
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, url: url.href };
}
