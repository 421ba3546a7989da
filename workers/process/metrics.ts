import { type Counter, collectDefaultMetrics, Registry } from 'prom-client';

/** What a process shows of itself to a Prometheus that asks. */
export interface Exposition {
  contentType: string;
  /** All its metrics as text. Answers within about a second, whatever is away. */
  scrape(): Promise<string>;
}

/** A registry that has Node's own metrics already: memory, CPU, garbage collection, lag of the event loop. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * Gives a counter the value that was counted elsewhere, in a plain number: where thousands are counted a second, to look up
 * labels each time would cost more than the count.
 */
export function setCounter(
  counter: Counter,
  values: Iterable<[labels: Record<string, string>, value: number]>,
) {
  counter.reset();
  for (const [labels, value] of values) counter.inc(labels, value);
}
