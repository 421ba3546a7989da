import { Queue } from 'bullmq';
import { uuidv7 } from 'uuidv7';
import { toEventId } from '../../../db/events/alerts/alert-id.js';
import { connectWorker, DEFAULT_PREFIX } from '../../../workers/queues/connection.js';
import {
  alertIntake,
  type IntakeEvent,
  type IntakeQueue as IntakeQueueName,
} from '../../../workers/queues/contracts/alert-intake.js';
import { Producer } from '../../../workers/queues/producer.js';
import { until } from '../until.js';

/** An event as the API puts it into the queue. */
export const intakeEvent = (webhookId: string, body: unknown): IntakeEvent => ({
  id: toEventId(uuidv7()),
  webhookId,
  receivedAt: Date.now(),
  raw: JSON.stringify(body),
});

/** Adds batches to the intake queue, inspects them, and expires the locks of lost workers. */
export class IntakeQueue {
  readonly #redis;
  readonly #producer;
  readonly #queue;

  constructor(redisUrl: string) {
    this.#redis = connectWorker(redisUrl);
    this.#redis.on('error', () => {});
    this.#producer = new Producer(this.#redis, DEFAULT_PREFIX);
    this.#queue = new Queue(alertIntake.queues[0], { connection: this.#redis, prefix: DEFAULT_PREFIX });
    this.#queue.on('error', () => {});
  }

  /** Returns the id of the batch. */
  async add(events: IntakeEvent[], queue: IntakeQueueName = alertIntake.queues[0]): Promise<string> {
    await until('the queue can be reached', () => this.#producer.ready);
    const id = uuidv7();
    await this.#producer.enqueue(alertIntake, id, { version: 1, events }, { queue });
    return id;
  }

  /** Adds a batch of an integration that floods the intake. */
  addToFlood(events: IntakeEvent[]): Promise<string> {
    return this.add(events, alertIntake.queues[1]);
  }

  /** Returns how often its workers were lost, and its progress. */
  async look(id: string): Promise<{ crashes: number; progress: unknown }> {
    const job = await this.#queue.getJob(id);
    return { crashes: job?.stalledCounter ?? 0, progress: job?.progress };
  }

  /** Sets how often its workers were lost. */
  async setCrashes(id: string, crashes: number): Promise<void> {
    await this.#redis.hset(this.#key(id), 'stc', crashes);
  }

  /** Sets its progress. No worker may hold it. */
  async setProgress(id: string, progress: object): Promise<void> {
    await this.#redis.hset(this.#key(id), 'progress', JSON.stringify(progress));
  }

  /** Returns the ids of all waiting and active batches. */
  async batches(): Promise<string[]> {
    const lists = ['wait', 'active'].map((list) => this.#redis.lrange(this.#key(list), 0, -1));
    return (await Promise.all(lists)).flat();
  }

  /** Returns the ids of the batches that workers have taken. */
  active(): Promise<string[]> {
    return this.#redis.lrange(this.#key('active'), 0, -1);
  }

  /** Returns how many batches are not stored yet, including those that wait for a retry and those of flooding integrations. */
  async count(): Promise<number> {
    const lists = alertIntake.queues.flatMap((queue) => [
      this.#redis.llen(this.#key('wait', queue)),
      this.#redis.llen(this.#key('active', queue)),
      this.#redis.zcard(this.#key('delayed', queue)),
    ]);
    return (await Promise.all(lists)).reduce((sum, length) => sum + length, 0);
  }

  /** Returns whether any active batch, including one of a killed worker, is stored alone. */
  async isAnyAlone(): Promise<boolean> {
    const active = await this.active();
    const progress = await Promise.all(active.map((id) => this.#redis.hget(this.#key(id), 'progress')));
    return progress.some((text) => text?.startsWith('{'));
  }

  /** Returns whether a running worker processes the batch. */
  async isInHand(id: string): Promise<boolean> {
    return (await this.#redis.exists(this.#key(`${id}:lock`))) === 1;
  }

  /**
   * Expires the locks of a killed worker, so that the next one takes over its batches immediately instead of after 10
   * s, also those of flooding integrations. Returns how many batches it held.
   */
  async expireLocks(): Promise<number> {
    let count = 0;
    for (const queue of alertIntake.queues) {
      const held = await this.#redis.lrange(this.#key('active', queue), 0, -1);
      for (const id of held) await this.#redis.del(this.#key(`${id}:lock`, queue));
      if (held.length > 0) await this.#redis.sadd(this.#key('stalled', queue), ...held);
      await this.#redis.del(this.#key('stalled-check', queue));
      count += held.length;
    }
    return count;
  }

  /** Removes all batches. No worker may run. */
  async clear(): Promise<void> {
    await this.#queue.obliterate({ force: true });
    await this.#queue.resume();
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#producer.close();
  }

  #key(part: string, queue: (typeof alertIntake.queues)[number] = alertIntake.queues[0]): string {
    return `${DEFAULT_PREFIX}:${queue}:${part}`;
  }
}
