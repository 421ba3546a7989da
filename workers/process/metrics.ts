import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type DiskFolders, exposeDiskSpace } from './disk-metrics.js';
import { droppedLogLines } from './log.js';

/** The metrics of a process, in the format of Prometheus. */
export interface Exposition {
  contentType: string;
  /** Returns all metrics as text, within about a second even if a server is unavailable. */
  scrape(): Promise<string>;
}

/** Returns a registry with the metrics of every process: Node's own, the space on its disks, and the number of dropped log lines. */
export function createRegistry(folders: DiskFolders): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new CallbackMetrics(registry).counter(
    'muster_log_lines_dropped_total',
    'Log lines that could not be written, for example because the disk is full',
    droppedLogLines,
  );
  exposeDiskSpace(registry, folders);
  return registry;
}

/**
 * Metrics that read plain numbers at each scrape. For thousands of counts per second, looking up a metric and its labels each
 * time would cost more than the counting itself.
 */
export class CallbackMetrics {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  /** Adds a counter. */
  counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** Adds a counter with one label. Counts with the same label value are added up. */
  counters(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const [value, count] of read()) this.inc({ [label]: value }, count);
      },
    });
  }

  /** Adds a gauge with one label. */
  gauges(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const [value, count] of read()) this.set({ [label]: value }, count);
      },
    });
  }

  /** Adds a gauge. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.set(read());
      },
    });
  }
}
