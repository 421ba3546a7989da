import type { Cluster } from 'ioredis';

/**
 * Makes `connect` of a Cluster client always settle. That of ioredis never does if the cluster is not usable at first: the client
 * connects again by itself, and becomes ready, but the promise stays pending. After a failover BullMQ waited for it for ever, and
 * took no more jobs from a queue.
 * @returns the client itself
 */
export function recovering(cluster: Cluster): Cluster {
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
