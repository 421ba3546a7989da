import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../../client/connect.js';
import { selectWithin } from '../../client/limit-time.js';
import { type FilterValues, valuesOf, whereAny } from '../filter-values.js';
import { mergePages, readMergedPage, type TimePage } from '../newest-first.js';
import { type SourceFilters, selectAlerts } from './alert-source.js';
import { rarestValue } from './alert-values.js';
import { type Alert, toAlert } from './alerts.js';
import { type RankedSeverity, rankBelow } from './severity-rank.js';

/** The fields whose filters must match the whole value. */
const EXACT = ['source', 'service', 'environment', 'team'] as const;

/** An alert must match every given filter. */
export type AlertFilters = SourceFilters & {
  [Field in (typeof EXACT)[number]]?: FilterValues | undefined;
} & {
  /** Matches the whole severity and ignores case, because senders write severities differently. */
  severity?: FilterValues | undefined;
  /** The same for the most severe severity that an alert had. */
  peakSeverity?: FilterValues | undefined;
  /** Only alerts that are at least so severe, or were. */
  severityAtLeast?: RankedSeverity | undefined;
  peakAtLeast?: RankedSeverity | undefined;
  resolvedBy?: FilterValues | undefined;
  /** In the form of identities' emails. */
  ownerEmail?: FilterValues | undefined;
  /** When the last event was received: at this time or later, and before this time. */
  lastEventFrom?: Date | undefined;
  lastEventTo?: Date | undefined;
  /** Matches any part of the title or the description, and ignores case. */
  search?: string | undefined;
};

/** Returns a page of alerts, newest first. */
export async function listAlerts(
  database: Database,
  filters: AlertFilters,
  page: TimePage,
): Promise<Alert[]> {
  const select = async (own: AlertFilters, index?: string) => {
    const { query } = await selectAlerts(database, own, page, index);
    return { query: narrowAlerts(query, own).select('alerts.*') };
  };
  const rare = await rarestValue(database, filters, page);
  if (!rare)
    return (await readMergedPage<Tables['alerts'], AlertFilters>(database, filters, page, select)).map(
      toAlert,
    );
  const queries: Knex.QueryBuilder[] = [];
  for (const value of rare.values) {
    const { query } = await select(filters, rare.index);
    queries.push(query.where(`alerts.${rare.field}`, value));
  }
  return queries.length === 0
    ? []
    : (await mergePages<Tables['alerts']>(database, queries, page)).map(toAlert);
}

/** Counts the alerts that match the filters. Each of up to three queries may take `withinMs`; see `isTooSlow`. */
export async function countAlerts(
  database: Database,
  filters: AlertFilters,
  withinMs: number,
): Promise<number> {
  const page = { limit: 1, withinMs };
  const rare = await rarestValue(database, filters, page);
  const { query } = await selectAlerts(database, filters, page, rare?.index);
  if (rare) query.whereIn(`alerts.${rare.field}`, rare.values);
  narrowAlerts(query, filters).clearOrder().clear('limit').count({ total: '*' });
  const [row] = await selectWithin<{ total: number }>(database, query, withinMs);
  return Number(row?.total ?? 0);
}

/** Adds the filters that `selectAlerts` leaves to its caller. */
export function narrowAlerts(query: Knex.QueryBuilder, filters: AlertFilters): Knex.QueryBuilder {
  for (const field of EXACT) whereAny(query, `alerts.${field}`, valuesOf(filters[field]));
  whereAny(query, 'alerts.owner_email', valuesOf(filters.ownerEmail));
  whereSeverity(query, 'severity', valuesOf(filters.severity));
  whereSeverity(query, 'peak_severity', valuesOf(filters.peakSeverity));
  whereAny(query, 'alerts.resolved_by', valuesOf(filters.resolvedBy));
  if (filters.severityAtLeast) query.where('alerts.severity_rank', '>', rankBelow(filters.severityAtLeast));
  if (filters.peakAtLeast) query.where('alerts.peak_rank', '>', rankBelow(filters.peakAtLeast));
  if (filters.lastEventFrom) query.where('alerts.last_event_at', '>=', filters.lastEventFrom);
  if (filters.lastEventTo) query.where('alerts.last_event_at', '<', filters.lastEventTo);
  if (filters.search !== undefined) search(query, filters.search);
  return query;
}

function whereSeverity(query: Knex.QueryBuilder, column: string, severities: readonly string[]): void {
  if (severities.length === 0) return;
  const any = severities.map(() => 'LOWER(?)').join(', ');
  query.whereRaw(`LOWER(alerts.${column}) IN (${any})`, [...severities]);
}

function search(query: Knex.QueryBuilder, text: string): void {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const caseless = (column: string) => `alerts.${column} COLLATE utf8mb4_general_ci LIKE ?`;
  query.whereRaw(`(${caseless('title')} OR ${caseless('description')})`, [like, like]);
}
