import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { droppedLogLines } from './log.js';

/** What a process shows of itself to a Prometheus that asks. */
export interface Exposition {
  contentType: string;
  /** All its metrics as text. Answers within about a second, whatever is away. */
  scrape(): Promise<string>;
}

/** Returns a registry with what every process has: Node's own metrics, and the log lines that it could not write. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new CallbackMetrics(registry).counter(
    'muster_log_lines_dropped_total',
    'Log lines that could not be written, for example because the disk is full',
    droppedLogLines,
  );
  return registry;
}

/**
 * Shows plain numbers that are counted elsewhere, read when somebody asks: where thousands are counted a second, to look
 * up a metric and its labels each time would cost more than the count.
 */
export class CallbackMetrics {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  /** A number that only grows. */
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

  /** Several that only grow, by the value of one label; those of the same value are added up. */
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

  /** Several numbers that come and go, by the value of one label. */
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

  /** A number that comes and goes. */
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
