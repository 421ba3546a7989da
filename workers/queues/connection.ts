import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseSentinelUrl, type SentinelAddress } from './sentinel-url.js';

/** A connection to one server or to a cluster. BullMQ accepts both. */
export type RedisConnection = Redis | Cluster;

/**
 * All keys share this hash tag, except the intake's shards: a Redis Cluster then keeps them on one node, so that a script can use
 * several. See `shards/queue-prefix.ts`.
 */
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

/** Returns whether a `REDIS_URL` names a Cluster. */
export const isCluster = (url: string): boolean =>
  !url.startsWith('unix://') && parseSentinelUrl(url) === null && url.includes(',');

/** Returns whether a `REDIS_URL` names Sentinels or a Cluster, whose failovers lose what no replica has. */
export const hasFailover = (url: string): boolean => isCluster(url) || parseSentinelUrl(url) !== null;

/**
 * Connects to a `REDIS_URL`, in one of these forms: `redis://` and `rediss://` (TLS), `unix:///path/to.sock`,
 * a comma list of the first two for a Cluster, `redis+sentinel://` and `rediss+sentinel://` (see `connectSentinel`).
 */
function connect(url: string, behaviour: Behaviour): RedisConnection {
  if (url.startsWith('unix://')) return new Redis({ ...behaviour, path: url.slice('unix://'.length) });
  const sentinels = parseSentinelUrl(url);
  if (sentinels) return connectSentinel(sentinels, behaviour);
  if (isCluster(url)) return connectCluster(url.split(','), behaviour);
  return new Redis(url, behaviour);
}

/**
 * Connects to the master that Sentinels name. User, password and TLS of the URL apply to Redis and to the Sentinels;
 * `?sentinelUser=` and `?sentinelPassword=` replace them for the Sentinels, and empty ones mean none.
 */
function connectSentinel({ nodes, name, parameters }: SentinelAddress, behaviour: Behaviour): Redis {
  const { username, password, tls } = credentialsOf(nodes);
  const sentinelUsername = parameters.sentinelUser ?? username;
  const sentinelPassword = parameters.sentinelPassword ?? password;
  return new Redis({
    ...behaviour,
    sentinels: nodes.map((node) => addressOf(node, 26379)),
    name,
    ...definedOf({ username, password, tls, sentinelUsername, sentinelPassword, sentinelTLS: tls }),
    enableTLSForSentinelMode: tls !== undefined,
  });
}

function connectCluster(urls: string[], behaviour: Behaviour): Cluster {
  const nodes = urls.map((url) => new URL(url));
  const { retryStrategy, enableOfflineQueue = true, ...redisOptions } = behaviour;
  const cluster = new Cluster(
    nodes.map((node) => addressOf(node, 6379)),
    {
      enableOfflineQueue,
      clusterRetryStrategy: reconnectEvery,
      redisOptions: { ...redisOptions, ...definedOf(credentialsOf(nodes)) },
    },
  );
  return recovering(cluster);
}

const addressOf = ({ hostname, port }: URL, defaultPort: number) => ({
  // A URL has brackets around an IPv6 address, a socket does not.
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || defaultPort),
});

/** Returns the credentials in the first of several URLs. */
const credentialsOf = ([first]: readonly URL[]) => ({
  username: decodeURIComponent(first?.username ?? '') || undefined,
  password: decodeURIComponent(first?.password ?? '') || undefined,
  tls: first?.protocol === 'rediss:' ? {} : undefined,
});

type Defined<T> = { [Key in keyof T]?: NonNullable<T[Key]> };

const definedOf = <T extends object>(options: T): Defined<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<T>;

/**
 * Makes `connect` of a Cluster client always settle. That of ioredis never does if the cluster is not usable at first: the client
 * connects again by itself, and becomes ready, but the promise stays pending. After a failover BullMQ waited for it for ever, and
 * took no more jobs from a queue.
 * @returns the client itself
 */
function recovering(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster);
  const duplicate = cluster.duplicate.bind(cluster);
  return Object.assign(cluster, {
    connect: async () => {
      const stop = new AbortController();
      const ready = becomesReady(cluster, stop.signal);
      await Promise.race([connect(), ready]).finally(() => stop.abort());
    },
    // BullMQ duplicates the connection for each queue on which it waits.
    duplicate: (...given: Parameters<typeof duplicate>) => recovering(duplicate(...given)),
  });
}

/** Resolves when the client is ready. @throws Error if it gives up */
function becomesReady(cluster: Cluster, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onReady = () => resolve();
    const onEnd = () => {
      // The event of a connection that has ended before may arrive late.
      if (cluster.status === 'end') reject(new Error('the connection to the Redis Cluster was closed'));
    };
    cluster.on('ready', onReady).on('end', onEnd);
    signal.addEventListener('abort', () => cluster.off('ready', onReady).off('end', onEnd));
  });
}

/** Returns the time of the server that has the keys of a prefix, in milliseconds since 1970. */
export async function readRedisTime(redis: RedisConnection, prefix: string): Promise<number> {
  const [seconds, micros] = (await redis.eval("return redis.call('TIME')", 1, prefix)) as [string, string];
  return Number(seconds) * 1_000 + Number(micros) / 1_000;
}
