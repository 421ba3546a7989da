import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** One connection, or one to a cluster; BullMQ takes either. */
export type RedisConnection = Redis | Cluster;

/** All keys of ours share one hash tag, so that a Redis Cluster keeps them on one node and scripts may touch several. */
export const DEFAULT_PREFIX = '{muster}';

type Behaviour = Pick<
  RedisOptions,
  'enableOfflineQueue' | 'maxRetriesPerRequest' | 'connectTimeout' | 'commandTimeout' | 'retryStrategy'
>;

const reconnectEvery = (times: number): number => Math.min(50 * 2 ** times, 1_000);

/**
 * For the API: a command fails within a second or so instead of waiting for a Redis that is away.
 * Without `enableOfflineQueue: false` an `add` would hang and then be sent after its request was refused.
 */
export function connectProducer(url: string): RedisConnection {
  return connect(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 1_500,
    commandTimeout: 1_500,
    retryStrategy: reconnectEvery,
  });
}

/** For a worker: waits for Redis as long as it takes. BullMQ does not close it; whoever made it does. */
export function connectWorker(url: string): RedisConnection {
  return connect(url, { maxRetriesPerRequest: null, connectTimeout: 5_000, retryStrategy: reconnectEvery });
}

/**
 * Forms of `REDIS_URL`: `redis://` and `rediss://` (TLS), `unix:///path/to.sock`,
 * a comma list of the first two for a Cluster, `redis+sentinel://host:port,host:port/name`.
 */
function connect(url: string, behaviour: Behaviour): RedisConnection {
  if (url.startsWith('unix://')) return new Redis({ ...behaviour, path: url.slice('unix://'.length) });
  if (url.startsWith('redis+sentinel://')) return connectSentinel(url, behaviour);
  if (url.includes(',')) return connectCluster(url.split(','), behaviour);
  return new Redis(url, behaviour);
}

function connectSentinel(url: string, behaviour: Behaviour): Redis {
  const [hosts = '', name = 'mymaster'] = url.slice('redis+sentinel://'.length).split('/');
  const sentinels = hosts.split(',').map((host) => {
    const { hostname, port } = new URL(`redis://${host}`);
    return { host: hostname, port: Number(port || 26379) };
  });
  return new Redis({ ...behaviour, sentinels, name });
}

function connectCluster(urls: string[], behaviour: Behaviour): Cluster {
  const first = new URL(urls[0] as string);
  const nodes = urls.map((url) => {
    const { hostname, port } = new URL(url);
    return { host: hostname, port: Number(port || 6379) };
  });
  const { retryStrategy, enableOfflineQueue = true, ...redisOptions } = behaviour;
  return new Cluster(nodes, {
    enableOfflineQueue,
    clusterRetryStrategy: reconnectEvery,
    redisOptions: {
      ...redisOptions,
      ...(first.password ? { password: decodeURIComponent(first.password) } : {}),
      ...(first.protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}
