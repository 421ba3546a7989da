import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { RedisConnection } from '../../workers/queues/connection.js';
import { type Overview, readOverview } from '../../workers/queues/overview.js';
import type { Producer } from '../../workers/queues/producer.js';
import type { ApiSettings } from '../settings.js';

export interface QueueSource {
  producer: Producer;
  redis: RedisConnection;
  settings: ApiSettings;
}

/** A scrape does not wait longer for a Redis that does not respond; it then reports Redis as down. */
const READ_WITHIN_MS = 1_000;

/** Metrics of the queues and the workers, read at each scrape. All APIs report the same, because they share one Redis. */
export class QueueMetrics {
  readonly #services: QueueSource;
  readonly #redisUp: Gauge;
  readonly #jobs: Gauge;
  readonly #oldest: Gauge;
  readonly #pending: Gauge;
  readonly #workers: Gauge;

  constructor(registry: Registry, services: QueueSource) {
    this.#services = services;
    const gauge = (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name, help, labelNames, registers: [registry] });
    this.#redisUp = gauge('muster_redis_up', '1 if Redis responded within a second, else 0');
    this.#jobs = gauge('muster_queue_jobs', 'Jobs in a queue by state', 'queue', 'state');
    this.#oldest = gauge(
      'muster_queue_oldest_waiting_seconds',
      'Age of the oldest waiting job of a queue; 0 if none is waiting',
      'queue',
    );
    this.#pending = gauge(
      'muster_events_pending',
      'Events acknowledged with 202 but not yet in the database, approximately',
    );
    this.#workers = gauge('muster_workers', 'Workers seen within the last 6 s');
  }

  /** Reads the current figures. While Redis is unavailable there are none, instead of outdated ones. */
  async read(): Promise<void> {
    const overview = await this.#ask();
    for (const labelled of [this.#jobs, this.#oldest]) labelled.reset();
    for (const single of [this.#pending, this.#workers]) single.remove();
    this.#redisUp.set(overview ? 1 : 0);
    if (overview) this.#show(overview);
  }

  #ask(): Promise<Overview | null> {
    const { producer, redis, settings } = this.#services;
    const read = producer.whileReady(() => readOverview(redis, settings.redisPrefix)).catch(() => null);
    return Promise.race([read, sleep(READ_WITHIN_MS, null, { ref: false })]);
  }

  #show({ depths, eventsPending, workers }: Overview): void {
    for (const { queue, waiting, active, delayed, oldestAt } of depths) {
      for (const [state, jobs] of Object.entries({ waiting, active, delayed })) {
        this.#jobs.set({ queue, state }, jobs);
      }
      const age = oldestAt ? (Date.now() - oldestAt.getTime()) / 1_000 : 0;
      this.#oldest.set({ queue }, Math.max(0, age));
    }
    this.#pending.set(eventsPending);
    this.#workers.set(workers.length);
  }
}
