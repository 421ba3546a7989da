import { Queue } from 'bullmq';
import type { z } from 'zod';
import type { Job } from '../../db/jobs/jobs.js';
import type { RedisConnection } from './connection.js';
import type { Contract, QueueOf } from './contracts/contract.js';
import { nextTurn } from './fair-order.js';
import type { QueueName } from './index.js';

/** Thrown when Redis could not take a job just now. The job may have been taken all the same: the answer got lost. */
export class QueueUnavailable extends Error {
  override name = 'QueueUnavailable';
}

interface EnqueueOptions<Enqueued extends Contract> {
  /** Which of the contract's queues. Default: the first. */
  queue?: QueueOf<Enqueued>;
  /** Gives the job a fair turn among those of other keys. Without it, the job comes before all that have one. */
  apiKeyId?: string;
}

/** Puts jobs into queues. One connection serves all of them. */
export class Producer {
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #queues = new Map<string, Queue>();

  constructor(connection: RedisConnection, prefix: string) {
    this.#connection = connection;
    this.#prefix = prefix;
  }

  /** True while commands reach Redis. */
  get ready(): boolean {
    return this.#connection.status === 'ready';
  }

  /** Asks Redis something else; throws a `QueueUnavailable` within 1.5 s when it does not answer. */
  async whileReady<T>(ask: () => Promise<T>): Promise<T> {
    if (!this.ready) throw new QueueUnavailable('no connection to Redis');
    return ask().catch((cause) => {
      // Redis did answer, and what it did is not understood.
      if (cause instanceof SyntaxError || cause instanceof TypeError) throw cause;
      throw new QueueUnavailable('Redis did not answer', { cause });
    });
  }

  /**
   * Adds a job under a fixed id; adding the same id again while the job is there changes nothing.
   * @throws QueueUnavailable within 1.5 s if Redis does not take it
   */
  async enqueue<Enqueued extends Contract>(
    contract: Enqueued,
    id: string,
    payload: z.infer<Enqueued['payload']>,
    { queue = contract.queues[0], apiKeyId }: EnqueueOptions<Enqueued> = {},
  ): Promise<void> {
    if (!this.ready) throw new QueueUnavailable('no connection to Redis');
    const data = contract.payload.parse(payload);
    try {
      const turn = apiKeyId && (await nextTurn(this.#connection, this.#prefix, queue, apiKeyId));
      await this.#queue(queue).add(contract.name, data, {
        ...contract.options,
        ...(turn ? { priority: turn } : {}),
        jobId: id,
        // The table `jobs` keeps the history. A finished job that stayed in Redis would swallow a retry under its id.
        removeOnComplete: true,
        removeOnFail: true,
      });
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
    // One that has ended would still hold the process for 2 s: ioredis waits for a socket that is closed already.
    if (this.#connection.status !== 'end') this.#connection.disconnect();
  }

  /** A queue by its name. Who asks it anything does so within `whileReady`. */
  queue(name: QueueName): Queue {
    return this.#queue(name);
  }

  #queue(name: string): Queue {
    const known = this.#queues.get(name);
    if (known) return known;
    const queue = new Queue(name, {
      connection: this.#connection,
      prefix: this.#prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
    });
    // A lost connection is reported by the connection itself; without a listener this would end the process.
    queue.on('error', () => {});
    this.#queues.set(name, queue);
    return queue;
  }
}
