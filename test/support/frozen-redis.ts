import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The tests' Redis behind a door that can be closed: then nothing is refused, and nothing is answered either. */
export async function startFreezableRedis() {
  const target = (process.env.TEST_REDIS_URL as string).replace('unix://', '');
  const pairs: [client: Socket, redis: Socket][] = [];
  let isFrozen = false;
  const server = createServer((client) => {
    const redis = connect(target);
    pairs.push([client, redis]);
    client.pipe(redis).pipe(client);
    for (const socket of [client, redis]) socket.on('error', () => {});
    if (isFrozen) redis.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => {
      isFrozen = true;
      for (const [, redis] of pairs) redis.unpipe().pause();
    },
    stop: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
    },
  };
}
