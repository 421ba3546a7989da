import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { DatabaseProbe } from '../../db/client/probe.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import { memoryOfPrimaries } from '../../workers/queues/memory.js';
import type { Producer } from '../../workers/queues/producer.js';

export interface StoreSource {
  probe: DatabaseProbe;
  producer: Producer;
  redis: RedisConnection;
}

/** A scrape does not wait longer for a server. */
const READ_WITHIN_MS = 1_000;

/** Whether the database responds, and the memory of Redis, read at each scrape. */
export class StoreMetrics {
  readonly #services: StoreSource;
  readonly #databaseUp: Gauge;
  readonly #used: Gauge;
  readonly #limit: Gauge;

  constructor(registry: Registry, services: StoreSource) {
    this.#services = services;
    const gauge = (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name, help, labelNames, registers: [registry] });
    this.#databaseUp = gauge('muster_database_up', '1 if the database responded within a second, else 0');
    this.#used = gauge('muster_redis_memory_bytes', 'Memory that Redis uses, by primary', 'node');
    this.#limit = gauge(
      'muster_redis_memory_limit_bytes',
      'maxmemory of Redis, by primary; absent if it is not set',
      'node',
    );
  }

  /** Reads the current figures. While Redis is unavailable there are none of its memory. */
  async read(): Promise<void> {
    await Promise.all([this.#readDatabase(), this.#readMemory()]);
  }

  async #readDatabase(): Promise<void> {
    this.#databaseUp.set((await this.#services.probe.responds(READ_WITHIN_MS)) ? 1 : 0);
  }

  async #readMemory(): Promise<void> {
    const { producer, redis } = this.#services;
    const read = producer.whileReady(() => memoryOfPrimaries(redis)).catch(() => null);
    const memory = await Promise.race([read, sleep(READ_WITHIN_MS, null, { ref: false })]);
    for (const labelled of [this.#used, this.#limit]) labelled.reset();
    for (const [node, { used, limit }] of memory ?? []) {
      this.#used.set({ node }, used);
      if (Number.isFinite(limit)) this.#limit.set({ node }, limit);
    }
  }
}
