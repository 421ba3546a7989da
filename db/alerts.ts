import type { Knex } from 'knex';
import { eventIdOf } from './alert-id.js';
import type { Database } from './connect.js';
import { parseFaults, type StoredFault, type TimePlace } from './events.js';
import { fromShortId, toShortId } from './short-id.js';

/** `incomplete`: a required field could not be filled; `faults` say which and why. */
export const ALERT_STATES = ['complete', 'incomplete'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export interface Alert {
  id: string;
  eventId: string;
  webhookId: string;
  revision: number;
  state: AlertState;
  /** When its event came. */
  receivedAt: Date;
  title: string | null;
  severity: string | null;
  description: string | null;
  source: string | null;
  service: string | null;
  environment: string | null;
  team: string | null;
  custom: Record<string, string>;
  faults: StoredFault[];
}

/** The fields by which alerts can be picked, each equal to what is asked for. */
const EXACT = ['state', 'severity', 'source', 'service', 'environment', 'team'] as const;

/** Every filter that is given must fit. */
export type AlertFilters = { [Field in (typeof EXACT)[number]]?: string | undefined } & {
  webhookId?: string | undefined;
  /** Of the time of arrival, included. */
  from?: Date | undefined;
  /** Of the time of arrival, not included. */
  to?: Date | undefined;
  /** A part of title or description, in any case. */
  search?: string | undefined;
};

/** A page of alerts, newest first. */
export async function listAlerts(
  database: Database,
  filters: AlertFilters,
  { limit, after }: { limit: number; after?: TimePlace | undefined },
): Promise<Alert[]> {
  const query = database('alerts')
    .orderBy([
      { column: 'received_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit);
  filter(query, filters);
  if (after) {
    const { receivedAt, id } = after;
    query
      .where('received_at', '<=', receivedAt)
      .where((keyset) => keyset.where('received_at', '<', receivedAt).orWhere('id', '<', toShortId(id)));
  }
  return (await query).map(toAlert);
}

function filter(query: Knex.QueryBuilder, filters: AlertFilters): void {
  for (const field of EXACT) {
    if (filters[field] !== undefined) query.where(field, filters[field]);
  }
  if (filters.webhookId) query.where('webhook_id', toShortId(filters.webhookId));
  if (filters.from) query.where('received_at', '>=', filters.from);
  if (filters.to) query.where('received_at', '<', filters.to);
  if (filters.search !== undefined) {
    const like = `%${filters.search.replace(/[\\%_]/g, '\\$&')}%`;
    const caseless = (column: string) => `${column} COLLATE utf8mb4_general_ci LIKE ?`;
    query.whereRaw(`(${caseless('title')} OR ${caseless('description')})`, [like, like]);
  }
}

/** The alert; null when it is not stored. It may outlive its event. */
export async function findAlert(database: Database, id: string): Promise<Alert | null> {
  const row = await database('alerts')
    .where({ id: toShortId(id) })
    .first();
  return row ? toAlert(row) : null;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver hands it over; this is where it gets its types.
export function toAlert(row: any): Alert {
  const id = fromShortId(row.id);
  return {
    id,
    eventId: eventIdOf(id),
    webhookId: fromShortId(row.webhook_id),
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
    faults: parseFaults(row.faults),
  };
}
