import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { selectWithin } from '../client/limit-time.js';
import { eventIdOf } from './alert-id.js';
import { parseStoredErrors, type StoredError } from './events.js';
import { alertIdsOf, type FilterOutcome } from './filter-outcome.js';
import { newestFirst, readPage, type TimeFilters, type TimePage } from './newest-first.js';

/** `incomplete`: a required field could not be filled; `faults` lists which and why. */
export const ALERT_STATES = ['complete', 'incomplete'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export interface Alert {
  id: string;
  eventId: string;
  webhookId: string;
  revision: number;
  state: AlertState;
  /** When its event was received. */
  receivedAt: Date;
  title: string | null;
  severity: string | null;
  description: string | null;
  source: string | null;
  service: string | null;
  environment: string | null;
  team: string | null;
  custom: Record<string, string>;
  faults: StoredError[];
}

/** The fields whose filters must match the whole value. */
const EXACT = ['source', 'service', 'environment', 'team'] as const;

/** An alert must match every given filter. */
export type AlertFilters = TimeFilters & { [Field in (typeof EXACT)[number]]?: string | undefined } & {
  /** Matches the whole severity and ignores case, because senders write severities differently. */
  severity?: string | undefined;
  /** Matches any part of the title or the description, and ignores case. */
  search?: string | undefined;
};

/** Returns a page of alerts, newest first. */
export async function listAlerts(
  database: Database,
  filters: AlertFilters,
  page: TimePage,
): Promise<Alert[]> {
  return (await readPage(database, selectAlerts(database, filters, page), page)).map(toAlert);
}

/** Counts the alerts that match the filters. The query may take `withinMs`; see `isTooSlow`. */
export async function countAlerts(
  database: Database,
  filters: AlertFilters,
  withinMs: number,
): Promise<number> {
  const query = selectAlerts(database, filters, { limit: 1 })
    .clearOrder()
    .clear('limit')
    .count({ total: '*' });
  const [row] = await selectWithin<{ total: number }>(database, query, withinMs);
  return Number(row?.total ?? 0);
}

function selectAlerts(database: Database, filters: AlertFilters, page: TimePage): Knex.QueryBuilder {
  const query = newestFirst(database, 'alerts', filters, page);
  for (const field of EXACT) {
    if (filters[field] !== undefined) query.where(field, filters[field]);
  }
  if (filters.severity !== undefined) query.whereRaw('LOWER(severity) = LOWER(?)', [filters.severity]);
  if (filters.search !== undefined) search(query, filters.search);
  return query;
}

function search(query: Knex.QueryBuilder, text: string): void {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const caseless = (column: string) => `${column} COLLATE utf8mb4_general_ci LIKE ?`;
  query.whereRaw(`(${caseless('title')} OR ${caseless('description')})`, [like, like]);
}

/** Counts the alerts of an event that have no title. */
export async function countUntitled(
  database: Database,
  event: { id: string; alertCount: number; filter: FilterOutcome | null },
): Promise<number> {
  const ids = alertIdsOf(event);
  const [first, last] = [ids[0], ids.at(-1)];
  if (!first || !last) return 0;
  const range: [Buffer, Buffer] = [toUuidBinary(first), toUuidBinary(last)];
  const [row] = await database('alerts').whereBetween('id', range).whereNull('title').count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** Returns an alert; null if it is not stored. It may outlive its event. */
export async function findAlert(database: Database, id: string): Promise<Alert | null> {
  const row = await database('alerts')
    .where({ id: toUuidBinary(id) })
    .first();
  return row ? toAlert(row) : null;
}

// biome-ignore lint/suspicious/noExplicitAny: a row from the driver gets its type here.
export function toAlert(row: any): Alert {
  const id = fromUuidBinary(row.id);
  return {
    id,
    eventId: eventIdOf(id),
    webhookId: fromUuidBinary(row.webhook_id),
    revision: row.revision,
    state: row.state,
    receivedAt: row.received_at,
    title: row.title,
    severity: row.severity,
    description: row.description,
    source: row.source,
    service: row.service,
    environment: row.environment,
    team: row.team,
    custom: row.custom === null ? {} : JSON.parse(row.custom),
    faults: parseStoredErrors(row.faults),
  };
}
