import type { Registry } from 'prom-client';
import type { Exposition } from '../../workers/process/metrics.js';
import { exposeIntake, type IntakeSource } from './intake-metrics.js';
import { QueueMetrics, type QueueSource } from './queue-metrics.js';
import { RequestMetrics } from './request-metrics.js';

/** The metrics of an API's process. One instance per process. */
export class Metrics implements Exposition {
  readonly contentType: string;
  readonly requests: RequestMetrics;
  readonly #queues: QueueMetrics;
  readonly #registry: Registry;

  constructor(registry: Registry, services: IntakeSource & QueueSource) {
    this.#registry = registry;
    this.contentType = registry.contentType;
    this.requests = new RequestMetrics(registry);
    this.#queues = new QueueMetrics(registry, services);
    exposeIntake(registry, services);
  }

  async scrape(): Promise<string> {
    await this.#queues.read();
    return this.#registry.metrics();
  }
}
