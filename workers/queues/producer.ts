import { Queue } from 'bullmq';
import type { z } from 'zod';
import type { Job } from '../../db/jobs/jobs.js';
import type { RedisConnection } from './connection.js';
import type { IntakeQueue } from './contracts/alert-intake.js';
import type { Contract, QueueOf } from './contracts/contract.js';
import { nextPlace } from './fair-order.js';
import type { QueueName } from './index.js';
import type { Replication } from './replication.js';
import { type ShardName, shardName } from './shards/intake-shards.js';
import { queuePrefix } from './shards/queue-prefix.js';

/** Redis did not confirm a command in time. It may have executed the command all the same. */
export class QueueUnavailable extends Error {
  override name = 'QueueUnavailable';
}

interface EnqueueOptions<Enqueued extends Contract> {
  /** Which of the contract's queues. Default: the first. */
  queue?: QueueOf<Enqueued>;
  /** Which shard of this queue. Only queues of the intake have several. */
  shard?: number;
  /** Gives the job a fair place among those of other keys. Without it, the job comes before all that have one. */
  apiKeyId?: string;
}

/** Adds jobs to queues, all on one connection. */
export class Producer {
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #replication: Replication | null;
  readonly #queues = new Map<string, Queue>();

  /** @param replication confirms jobs; it must have the same connection */
  constructor(connection: RedisConnection, prefix: string, replication: Replication | null = null) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.#replication = replication;
  }

  /** Whether Redis is connected. */
  get ready(): boolean {
    return this.#connection.status === 'ready';
  }

  /**
   * Runs a command of Redis.
   * @throws QueueUnavailable within 1.5 s if Redis does not respond
   */
  async whileReady<T>(ask: () => Promise<T>): Promise<T> {
    if (!this.ready) throw new QueueUnavailable('no connection to Redis');
    return ask().catch((cause) => {
      // Redis responded, and the response could not be parsed.
      if (cause instanceof SyntaxError || cause instanceof TypeError) throw cause;
      throw new QueueUnavailable('Redis did not respond', { cause });
    });
  }

  /**
   * Adds a job under a fixed id; adding the same id again while the job is there changes nothing.
   * @throws QueueUnavailable within 2 s if Redis does not take it, or too few replicas have it
   */
  async enqueue<Enqueued extends Contract>(
    contract: Enqueued,
    id: string,
    payload: z.infer<Enqueued['payload']>,
    { queue = contract.queues[0], shard = 0, apiKeyId }: EnqueueOptions<Enqueued> = {},
  ): Promise<void> {
    if (!this.ready) throw new QueueUnavailable('no connection to Redis');
    const data = contract.payload.parse(payload);
    const name = shard === 0 ? queue : shardName(queue as IntakeQueue, shard);
    const add = async () => {
      const place = apiKeyId && (await nextPlace(this.#connection, this.#prefix, queue, apiKeyId));
      await this.#queue(name).add(contract.name, data, {
        ...contract.options,
        ...(place ? { priority: place } : {}),
        jobId: id,
        // The table `jobs` keeps the history. A finished job left in Redis would block a retry under the same id.
        removeOnComplete: true,
        removeOnFail: true,
      });
    };
    try {
      await (this.#replication?.confirm(add, queuePrefix(this.#prefix, name)) ?? add());
    } catch (cause) {
      throw new QueueUnavailable('Redis did not take the job', { cause });
    }
  }

  /** Returns whether a job is in its queue, waiting or running. */
  async has({ queue, id }: Pick<Job, 'queue' | 'id'>): Promise<boolean> {
    return (await this.#queue(queue).getJob(id)) !== undefined;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    // Disconnecting an ended connection would keep the process alive for 2 s: ioredis waits for the closed socket.
    if (this.#connection.status !== 'end') this.#connection.disconnect();
  }

  /** Returns a queue. Call its methods within {@link whileReady}. */
  queue(name: QueueName | ShardName): Queue {
    return this.#queue(name);
  }

  #queue(name: string): Queue {
    const known = this.#queues.get(name);
    if (known) return known;
    const queue = new Queue(name, {
      connection: this.#connection,
      prefix: queuePrefix(this.#prefix, name),
      skipVersionCheck: true,
      skipWaitingForReady: true,
    });
    // A lost connection is reported by the connection itself; without a listener this would end the process.
    queue.on('error', () => {});
    this.#queues.set(name, queue);
    return queue;
  }
}
