import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** A connection to one server or to a cluster. BullMQ accepts both. */
export type RedisConnection = Redis | Cluster;

/** All keys share this hash tag: a Redis Cluster then keeps them on one node, so that a script can use several. */
export const DEFAULT_PREFIX = '{muster}';

type Behaviour = Pick<
  RedisOptions,
  'enableOfflineQueue' | 'maxRetriesPerRequest' | 'connectTimeout' | 'commandTimeout' | 'retryStrategy'
>;

const reconnectEvery = (times: number): number => Math.min(50 * 2 ** times, 1_000);

/**
 * Connects for the API: commands fail within about 1.5 s instead of waiting for an unavailable Redis. Without
 * `enableOfflineQueue: false`, an `add` would hang, and be sent after its request had already failed.
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

/** Connects for a worker: commands wait for Redis without limit. The caller closes the connection; BullMQ does not. */
export function connectWorker(url: string): RedisConnection {
  return connect(url, { maxRetriesPerRequest: null, connectTimeout: 5_000, retryStrategy: reconnectEvery });
}

/**
 * Connects to a `REDIS_URL`, in one of these forms: `redis://` and `rediss://` (TLS), `unix:///path/to.sock`,
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
