import { Counter, Histogram, type Registry } from 'prom-client';
import { type ChunkCounts, NO_COUNTS } from '../../db/identities/chunk-outcome.js';
import type { ClockWatch } from '../clocks/clock-watch.js';
import { exposeClocks } from '../process/clock-metrics.js';
import { CallbackMetrics, type Exposition } from '../process/metrics.js';
import type { RedisConnection } from '../queues/connection.js';
import type { MinuteCounts } from '../queues/intake-gauge.js';
import { waiting } from './retry-while-unavailable.js';

/** Each integration is a series in Prometheus. */
const MAX_INTEGRATIONS = 1_000;

/** The metrics of a worker's process. One instance per process. */
export class WorkerMetrics implements Exposition {
  readonly contentType: string;
  readonly #registry: Registry;
  readonly #jobs: Histogram;
  readonly #events = { stored: 0, filtered: 0, failed: 0, repeated: 0, alerts: 0 };
  readonly #incomplete = new Map<string, number>();
  readonly #rows: ChunkCounts = { ...NO_COUNTS };
  readonly #upkeep: Counter;
  readonly #attempts: Counter;
  readonly #told: Histogram;
  readonly #replayed: Counter;

  constructor(registry: Registry, redis: RedisConnection, clock: ClockWatch) {
    this.#registry = registry;
    this.contentType = registry.contentType;
    this.#jobs = new Histogram({
      name: 'muster_job_duration_seconds',
      help: 'Duration of the attempts at jobs that this worker ran, by outcome',
      labelNames: ['job', 'outcome'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 1_800],
      registers: [registry],
    });
    this.#upkeep = new Counter({
      name: 'muster_upkeep_tasks_total',
      help: 'Turns of upkeep tasks, by whether all that was due is done, more is left for the next turn, the task failed, or it was refused because a clock may be wrong',
      labelNames: ['task', 'outcome'],
      registers: [registry],
    });
    this.#attempts = new Counter({
      name: 'muster_message_attempts_total',
      help: 'Requests to destinations, by preset and by what became of them: delivered, later, rejected, gone',
      labelNames: ['preset', 'outcome'],
      registers: [registry],
    });
    this.#told = new Histogram({
      name: 'muster_message_delay_seconds',
      help: 'Time from a change of an alert to the response of a destination that accepted its message',
      labelNames: ['preset'],
      buckets: [0.05, 0.1, 0.5, 2, 10, 60, 600, 3_600, 86_400],
      registers: [registry],
    });
    this.#replayed = new Counter({
      name: 'muster_messages_replayed_total',
      help: 'Messages to destinations that were sent again by hand',
      registers: [registry],
    });
    this.#expose(redis);
    exposeClocks(registry, clock);
  }

  scrape(): Promise<string> {
    return this.#registry.metrics();
  }

  /** @param outcome one of the words in `job-outcome.ts` */
  countJob(job: string, outcome: string, seconds: number): void {
    this.#jobs.observe({ job, outcome }, seconds);
  }

  /** Counts a turn of an upkeep task. */
  countUpkeep(task: string, outcome: 'done' | 'unfinished' | 'failed' | 'refused'): void {
    this.#upkeep.inc({ task, outcome });
  }

  /** Counts a request to a destination. `seconds`: how long ago the change was that it told of. */
  countAttempt(preset: string, outcome: 'delivered' | 'later' | 'rejected' | 'gone', seconds: number): void {
    this.#attempts.inc({ preset, outcome });
    if (outcome === 'delivered') this.#told.observe({ preset }, seconds);
  }

  /** Counts messages that are sent again. */
  countReplayed(messages: number): void {
    this.#replayed.inc(messages);
  }

  /** Counts a group of events stored together. */
  countEvents({ stored, filtered, failed, alerts }: Omit<MinuteCounts, 'accepted'>): void {
    this.#events.stored += stored;
    this.#events.filtered += filtered;
    this.#events.failed += failed;
    this.#events.alerts += alerts;
  }

  /** Counts events that only repeated stored ones. */
  countRepeated(events: number): void {
    this.#events.repeated += events;
  }

  /** Counts incomplete alerts of an integration. Integrations beyond the first thousand are counted together. */
  countIncomplete(webhookId: string, alerts: number): void {
    const isKnown = this.#incomplete.has(webhookId) || this.#incomplete.size < MAX_INTEGRATIONS;
    const label = isKnown ? webhookId : 'other';
    if (alerts > 0) this.#incomplete.set(label, (this.#incomplete.get(label) ?? 0) + alerts);
  }

  /** Counts a chunk of an import that was committed. */
  countRows(counts: ChunkCounts): void {
    for (const result of Object.keys(this.#rows) as (keyof ChunkCounts)[])
      this.#rows[result] += counts[result];
  }

  #expose(redis: RedisConnection): void {
    const metrics = new CallbackMetrics(this.#registry);
    const [events, rows, incomplete] = [this.#events, this.#rows, this.#incomplete];
    metrics.counter(
      'muster_events_stored_total',
      'Events stored, including filtered and failed ones; a repeated batch counts again',
      () => events.stored,
    );
    metrics.counter(
      'muster_events_filtered_total',
      'Events stored that the filter of their mapping dropped, so that they have no alert',
      () => events.filtered,
    );
    metrics.counter(
      'muster_events_failed_total',
      'Events stored whose mapping failed, so that they have no alert',
      () => events.failed,
    );
    metrics.counter(
      'muster_events_repeated_total',
      'Events that only repeated a stored one: they let its alert live longer, and are not stored',
      () => events.repeated,
    );
    metrics.counter('muster_alerts_stored_total', 'Alerts stored with their events', () => events.alerts);
    metrics.counters(
      'muster_alerts_incomplete_total',
      'Alerts stored without a required field, by integration',
      'webhook_id',
      () => incomplete,
    );
    metrics.counters(
      'muster_import_rows_total',
      'Rows of uploads, removals and reverts committed, by result; dry runs are not counted',
      'result',
      () => Object.entries(rows).map(([result, count]) => [labelOf(result), count]),
    );
    metrics.gauge(
      'muster_database_waiting',
      'Pieces of work that wait because the database is unavailable',
      () => waiting.database,
    );
    metrics.gauge(
      'muster_store_waiting',
      'Jobs that wait for the file store, because it is unavailable or full',
      () => waiting.store,
    );
    metrics.gauge('muster_redis_up', '1 while this worker is connected to Redis, else 0', () =>
      redis.status === 'ready' ? 1 : 0,
    );
  }
}

/** `not_found` for `notFound`, as labels are written. */
const labelOf = (result: string): string => result.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
