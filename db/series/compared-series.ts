import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { tableByIndex } from '../client/driver.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import type { SeriesKey, SeriesPosition } from './series.js';
import type { SeriesAlert } from './series-writer.js';

/**
 * Returns the next series of an integration, or of all, in the order of their ids. The ids of an integration are sorted for each page, so a page
 * should be long.
 */
export async function nextSeries(
  database: Database,
  webhookId: string | null,
  { after, limit }: { after: string | null; limit: number },
): Promise<SeriesKey[]> {
  const index = webhookId === null ? 'PRIMARY' : 'by_webhook';
  const page = database(tableByIndex(database, 'series', index))
    .orderBy('id')
    .limit(limit)
    .select('id');
  if (webhookId !== null) page.where('webhook_id', toUuidBinary(webhookId));
  if (after !== null) page.where('id', '>', toUuidBinary(after));
  const rows = await database
    .from(page.as('page'))
    .join('series AS s', 's.id', 'page.id')
    .orderBy('s.id')
    .select('s.id', 's.webhook_id', 's.dedup_key');
  return rows.map((row) => ({
    id: fromUuidBinary(row.id),
    webhookId: fromUuidBinary(row.webhook_id),
    dedupKey: row.dedup_key,
  }));
}

/** Counts the series of an integration, or of all. The query may take `withinMs`; see `isTooSlow`. */
export async function countSeries(
  database: Database,
  webhookId: string | null,
  withinMs: number,
): Promise<number> {
  const query = database('series').count({ total: '*' });
  if (webhookId !== null) query.where('webhook_id', toUuidBinary(webhookId));
  const [row] = await selectWithin<{ total: number }>(database, query, withinMs);
  return Number(row?.total ?? 0);
}

/** Alerts in one page: at most about 7 MB. */
export const PAGE_STORED_ALERTS = 100;

/** An alert as it is stored, with what alerts are sorted by. */
export interface StoredAlert extends SeriesAlert {
  severityRank: number;
  durationMs: number | null;
}

/** Returns the next stored alerts of a series in order: at most {@link PAGE_STORED_ALERTS}. */
export async function nextStoredAlerts(
  transaction: Knex.Transaction,
  seriesId: string,
  after: SeriesPosition | null,
): Promise<StoredAlert[]> {
  const query = transaction('series_alerts AS s')
    .joinRaw('STRAIGHT_JOIN alerts AS a ON a.received_at = s.received_at AND a.id = s.alert_id')
    .where('s.series_id', toUuidBinary(seriesId))
    .limit(PAGE_STORED_ALERTS)
    .select('a.*', 's.ended_before');
  const rows = await orderByKeyset(query, {
    columns: ['s.received_at', 's.alert_id'],
    order: 'asc',
    after: after ? [new Date(after.receivedAt), toUuidBinary(after.id)] : undefined,
  });
  return rows.map((row) => ({
    receivedAt: row.received_at.getTime(),
    id: fromUuidBinary(row.id),
    lastEventAt: (row.last_event_at ?? row.received_at).getTime(),
    resolvedAt: row.resolved_at?.getTime() ?? null,
    resolvedBy: row.resolved_by,
    resolution: row.resolution,
    peakSeverity: row.peak_severity,
    peakAt: row.peak_at?.getTime() ?? null,
    peakRank: row.peak_rank,
    severityRank: row.severity_rank,
    durationMs: row.duration_ms === null ? null : Number(row.duration_ms),
    eventCount: row.event_count ?? 1,
    previousAlertId: row.previous_alert_id && fromUuidBinary(row.previous_alert_id),
    endedBefore: row.ended_before,
    revision: row.revision,
    state: row.state,
    title: row.title,
    severity: row.severity,
    description: row.description,
    source: row.source,
    service: row.service,
    environment: row.environment,
    team: row.team,
    ownerEmail: row.owner_email,
    custom: row.custom,
    faults: row.faults,
  }));
}
