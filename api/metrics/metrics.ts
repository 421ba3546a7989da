import type { Registry } from 'prom-client';
import type { Exposition } from '../../workers/process/metrics.js';
import type { Services } from '../services.js';
import { exposeIntake } from './intake-metrics.js';
import { QueueMetrics } from './queue-metrics.js';
import { RequestMetrics } from './request-metrics.js';

type Measured = Pick<Services, 'intake' | 'producer' | 'redis' | 'settings'>;

/** All that the API's process tells a Prometheus. One for the process. */
export class Metrics implements Exposition {
  readonly contentType: string;
  readonly requests: RequestMetrics;
  readonly #queues: QueueMetrics;
  readonly #registry: Registry;

  constructor(registry: Registry, services: Measured) {
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
