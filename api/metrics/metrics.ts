import type { Registry } from 'prom-client';
import type { ClockWatch } from '../../workers/clocks/clock-watch.js';
import { exposeClocks } from '../../workers/process/clock-metrics.js';
import type { Exposition } from '../../workers/process/metrics.js';
import { AlertMetrics } from './alert-metrics.js';
import type { FiringAlerts } from './firing-alerts.js';
import { exposeIntake, type IntakeSource } from './intake-metrics.js';
import { QueueMetrics, type QueueSource } from './queue-metrics.js';
import { RequestMetrics } from './request-metrics.js';
import { StoreMetrics, type StoreSource } from './store-metrics.js';

/** The metrics of an API's process. One instance per process. */
export class Metrics implements Exposition {
  readonly contentType: string;
  readonly requests: RequestMetrics;
  readonly #queues: QueueMetrics;
  readonly #alerts: AlertMetrics;
  readonly #stores: StoreMetrics;
  readonly #registry: Registry;

  constructor(
    registry: Registry,
    services: IntakeSource & QueueSource & StoreSource & { firing: FiringAlerts; clock: ClockWatch },
  ) {
    this.#registry = registry;
    this.contentType = registry.contentType;
    this.requests = new RequestMetrics(registry);
    this.#queues = new QueueMetrics(registry, services);
    this.#alerts = new AlertMetrics(registry, services.firing);
    this.#stores = new StoreMetrics(registry, services);
    exposeIntake(registry, services);
    exposeClocks(registry, services.clock);
  }

  async scrape(): Promise<string> {
    await Promise.all([this.#queues.read(), this.#alerts.read(), this.#stores.read()]);
    return this.#registry.metrics();
  }
}
