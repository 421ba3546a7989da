import type { Knex } from 'knex';
import type { Database } from '../../client/connect.js';
import type { Deadline } from '../../client/deadline.js';
import { selectWithin } from '../../client/limit-time.js';
import { type AlertFilters, narrowAlerts } from '../alerts/alert-list.js';
import { type SourceFilters, selectAlerts } from '../alerts/alert-source.js';
import { valuesOf } from '../filter-values.js';

/** The newest alerts that are counted: each costs the database up to 0.8 µs for a count by one field, so 0.4 s. */
const MAX_COUNTED = 500_000;

/** The part of the alerts that a count covers. */
export interface CountedPart {
  /** Null if it covers all alerts of the time range; otherwise those received at this time or later. */
  countedFrom: Date | null;
}

/**
 * Counts alerts over a time range of any length in a bounded time: beyond the newest 500,000 of the range, older ones are left out. How many
 * of them match the other filters does not matter, because the server reads them all.
 */
export class AlertCounts {
  readonly #database: Database;
  readonly #deadline: Deadline;
  readonly #most: number;
  /** By the filters that decide where alerts are read from. */
  readonly #parts = new Map<string, Promise<CountedPart>>();

  /** @param most how many alerts are counted; tests need fewer */
  constructor(database: Database, deadline: Deadline, most = MAX_COUNTED) {
    this.#database = database;
    this.#deadline = deadline;
    this.#most = most;
  }

  /** Returns the part that is counted with these filters. */
  part(filters: AlertFilters): Promise<CountedPart> {
    const source = indexedFilters(filters);
    const key = JSON.stringify(source);
    const known = this.#parts.get(key) ?? this.#findPart(source);
    this.#parts.set(key, known);
    return known;
  }

  async #findPart(source: AlertFilters): Promise<CountedPart> {
    const { query } = await this.#select(source);
    const [row] = await this.#read<{ at: Date }>(
      query.offset(this.#most).select(this.#database.raw('alerts.received_at AS at')),
    );
    return { countedFrom: row?.at ?? null };
  }

  /** Returns when the oldest alert that is counted was received; null if there is none. */
  async oldest(filters: AlertFilters): Promise<Date | null> {
    const { countedFrom } = await this.part(filters);
    if (countedFrom) return countedFrom;
    const { query } = await this.#select(filters);
    query.clearOrder().clear('limit').min({ at: 'alerts.received_at' });
    return (await this.#read<{ at: Date | null }>(query))[0]?.at ?? null;
  }

  /** Runs a query over the alerts that are counted and match the filters. `shape` adds what it selects. */
  async count<Row>(
    filters: AlertFilters,
    shape: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<CountedPart & { rows: Row[] }> {
    const { countedFrom } = await this.part(filters);
    const from = countedFrom ?? filters.from;
    const { query } = await this.#select({ ...filters, from });
    const counted = shape(narrowAlerts(query.clearOrder().clear('limit'), filters));
    return { countedFrom, rows: await this.#read<Row>(counted) };
  }

  #select(filters: AlertFilters) {
    return selectAlerts(this.#database, filters, { limit: 1, withinMs: this.#deadline.leftMs() });
  }

  #read<Row>(query: Knex.QueryBuilder): Promise<Row[]> {
    return selectWithin<Row>(this.#database, query, this.#deadline.leftMs());
  }
}

/**
 * Returns the filters whose alerts an index has together, in the order of the list. Searching the alerts of the time for those that match the
 * others would read all of them if few match.
 */
function indexedFilters({ webhookId, state, status, dedupKey, from, to }: AlertFilters): SourceFilters {
  if (dedupKey !== undefined || valuesOf(status).join() === 'firing')
    return { webhookId, state, status, dedupKey, from, to };
  return { webhookId: valuesOf(webhookId).length === 1 ? webhookId : undefined, state, from, to };
}
