import type { Logger } from 'pino';
import { type PostedAlert, sizeOf } from '../../workers/alertmanager/posted-alert.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import {
  alertIntake,
  type IntakeEvent,
  type IntakeList,
  type IntakeQueue,
  intakeQueue,
  queuedSize,
} from '../../workers/queues/contracts/alert-intake.js';
import type { Producer } from '../../workers/queues/producer.js';
import type { ApiSettings } from '../settings.js';
import { type BatchListener, GroupCommit, MAX_BYTES, MAX_EVENTS } from './group-commit.js';
import { IntakePressure } from './pressure.js';

interface Dependencies {
  settings: ApiSettings;
  redis: RedisConnection;
  producer: Producer;
  log: Logger;
}

/** Adds events to the queue in batches, and knows how full it is. */
export class EventQueue {
  /** Called for each batch that is queued, with the number of its events and the seconds since the first one arrived. */
  onBatch: BatchListener = () => {};
  readonly #pressure: IntakePressure;
  readonly #commits: ReadonlyMap<IntakeQueue, GroupCommit>;

  constructor({ settings, redis, producer, log }: Dependencies) {
    const { redisPrefix, intakeMaxQueued, intakeShards } = settings;
    this.#pressure = new IntakePressure(redis, redisPrefix, intakeMaxQueued, intakeShards, log);
    const commit = (queue: IntakeQueue) =>
      new GroupCommit({
        shards: intakeShards,
        add: (id, { events, lists, traceparents }, shard) => {
          const traced = traceparents.length > 0 ? { traceparents } : {};
          const version = lists.length > 0 ? { version: 2 as const, lists } : { version: 1 as const };
          return producer.enqueue(alertIntake, id, { ...version, events, ...traced }, { queue, shard });
        },
        acknowledged: (events, seconds) => this.onBatch(events, seconds),
      });
    this.#commits = new Map(alertIntake.queues.map((queue) => [queue, commit(queue)]));
  }

  /** True if Redis responded lately, and the queue is not full. */
  get isOpen(): boolean {
    return this.#pressure.isOpen;
  }

  start(): void {
    this.#pressure.start();
  }

  /** Resolves when all events are queued or rejected. No event may be added after that. */
  async drained(): Promise<void> {
    await Promise.all([...this.#commits.values()].map((commit) => commit.close()));
  }

  stop(): Promise<void> {
    return this.#pressure.stop();
  }

  /** Returns what is full, the queue or the share of an integration; null if it takes more. */
  fullFor(webhookId: string): string | null {
    if (this.#pressure.full) return 'The queue is full';
    return this.#pressure.isShareUsed(webhookId) ? "This integration's share of the queue is full" : null;
  }

  /** Resolves once the event is queued. */
  add(event: IntakeEvent, bytes: number): Promise<void> {
    const { webhookId } = event;
    return this.#count(webhookId, { size: queuedSize(event), count: 1 }, (commit) =>
      commit.join(event, bytes),
    );
  }

  /** Resolves once the events of the list are queued. @param size of all of them, see `queuedSize` */
  addList(list: IntakeList, size: number): Promise<void> {
    return this.#count(list.webhookId, { size, count: list.ids.length }, (commit) =>
      commit.joinList(list, size),
    );
  }

  async #count(
    webhookId: string,
    { size, count }: { size: number; count: number },
    join: (commit: GroupCommit) => Promise<void>,
  ): Promise<void> {
    // Integrations that flood use a queue of their own.
    const commit = this.#commits.get(intakeQueue(this.#pressure.isFlooding(webhookId))) as GroupCommit;
    this.#pressure.add(webhookId, size, count);
    await join(commit);
    this.#pressure.accepted(webhookId, size, count);
  }
}

/** Yields alerts in portions that a batch can hold, with their sizes as `queuedSize` counts them. */
export function* portionsOf(alerts: Iterable<PostedAlert>) {
  let next: { portion: PostedAlert[]; sizes: number[]; size: number } | null = null;
  for (const alert of alerts) {
    next ??= { portion: [], sizes: [], size: 0 };
    const size = sizeOf(alert);
    next.portion.push(alert);
    next.sizes.push(size);
    next.size += size;
    if (next.portion.length < MAX_EVENTS && next.size < MAX_BYTES) continue;
    yield next;
    next = null;
  }
  if (next) yield next;
}
