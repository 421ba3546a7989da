import { fromUuidBinary } from '../../../db/bulk/uuid-binary.js';
import type { Database } from '../../../db/client/connect.js';
import type { NewItem } from '../../../db/events/new-event.js';
import {
  ALERT_FIELDS,
  comparePositions,
  endOf,
  foldItems,
  noItemsOf,
  RowItem,
  rankOfItem,
  severityItemOf,
  severityOf,
  shownAlert,
  stateOfErrors,
  storedStatus,
} from '../../../workers/mapping/index.js';

/** An alert of a series as the database must have it. */
export interface ExpectedAlert {
  id: string;
  dedupKey: string;
  receivedAt: number;
  lastEventAt: number;
  resolvedAt: number | null;
  resolvedBy: string | null;
  resolution: string | null;
  peakSeverity: string | null;
  peakAt: number | null;
  peakRank: number | null;
  severityRank: number;
  durationMs: number | null;
  eventCount: number;
  previousAlertId: string | null;
  revision: number;
  state: string;
  values: (string | null)[];
  custom: unknown;
  faults: unknown;
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

/** Returns the alerts of items by the pure fold, each series from its start. */
export function foldAll(items: readonly NewItem[]): ExpectedAlert[] {
  const series = new Map<string, NewItem[]>();
  for (const item of items) series.set(item.seriesId, [...(series.get(item.seriesId) ?? []), item]);
  const alerts = [...series.values()].flatMap((group) => {
    const { dedupKey } = group[0] as NewItem;
    const { occurrences } = foldItems(
      noItemsOf(dedupKey),
      group.map((row) => new RowItem(row)).sort(comparePositions),
    );
    return occurrences.map((occurrence): ExpectedAlert => {
      const { values, custom, errors } = shownAlert(occurrence);
      const end = endOf(occurrence);
      return {
        id: occurrence.id,
        dedupKey,
        receivedAt: occurrence.receivedAt,
        lastEventAt: occurrence.newestEvent.receivedAt,
        ...(end ?? { resolvedAt: null, resolvedBy: null, resolution: null }),
        peakSeverity: severityOf(occurrence.peak),
        peakAt: severityOf(occurrence.peak) === null ? null : occurrence.peak.receivedAt,
        peakRank: severityOf(occurrence.peak) === null ? null : rankOfItem(occurrence.peak),
        severityRank: rankOfItem(severityItemOf(occurrence)),
        durationMs: end && end.resolvedAt - occurrence.receivedAt,
        eventCount: occurrence.eventCount,
        previousAlertId: occurrence.previousAlertId,
        revision: occurrence.newestEvent.revision,
        state: stateOfErrors(errors),
        values: [...values],
        custom,
        faults: errors,
      };
    });
  });
  return alerts.sort(byId);
}

/** Returns the status of each item as it must be stored, which says whether the item changed an alert. */
export function foldStatuses(items: readonly NewItem[]): Record<string, string> {
  const statuses: Record<string, string> = {};
  for (const id of new Set(items.map(({ seriesId }) => seriesId))) {
    const own = items.filter(({ seriesId }) => seriesId === id);
    const group = own.map((row) => new RowItem(row)).sort(comparePositions);
    const { outcomes } = foldItems(noItemsOf((own[0] as NewItem).dedupKey), group);
    for (const [index, { item, outcome }] of outcomes.entries())
      statuses[item] = storedStatus((group[index] as RowItem).status, outcome);
  }
  return statuses;
}

/** Returns the stored items that no event brought about, as the fold takes them. */
export async function storedEnds(database: Database): Promise<NewItem[]> {
  const rows = await database('series_items AS i')
    .join('series AS s', 's.id', 'i.series_id')
    .whereNotNull('i.origin')
    .select('i.*', 's.dedup_key', 's.webhook_id');
  return rows.map(({ id, series_id, webhook_id, received_at, silent_since, dedup_key, ...row }) => ({
    ...row,
    id: fromUuidBinary(id),
    receivedAt: received_at.getTime(),
    webhookId: fromUuidBinary(webhook_id),
    dedupKey: dedup_key,
    seriesId: fromUuidBinary(series_id),
    status: 'resolved',
    final: false,
    eventCount: row.event_count,
    silentSince: silent_since?.getTime() ?? null,
  }));
}

/** Returns the stored status of each item. */
export async function storedStatuses(database: Database): Promise<Record<string, string>> {
  const rows: { id: Buffer; status: string }[] = await database('series_items').select('id', 'status');
  return Object.fromEntries(rows.map(({ id, status }) => [fromUuidBinary(id), status]));
}

/** Returns the stored alerts of series. */
export async function storedAlerts(database: Database): Promise<ExpectedAlert[]> {
  const rows = await database('alerts').whereNotNull('dedup_key');
  const toAlert = (row: (typeof rows)[number]): ExpectedAlert => ({
    id: fromUuidBinary(row.id),
    dedupKey: row.dedup_key as string,
    receivedAt: row.received_at.getTime(),
    lastEventAt: Number(row.last_event_at),
    resolvedAt: row.resolved_at?.getTime() ?? null,
    resolvedBy: row.resolved_by,
    resolution: row.resolution,
    peakSeverity: row.peak_severity,
    peakAt: row.peak_at?.getTime() ?? null,
    peakRank: row.peak_rank,
    severityRank: row.severity_rank,
    durationMs: row.duration_ms === null ? null : Number(row.duration_ms),
    eventCount: row.event_count as number,
    previousAlertId: row.previous_alert_id && fromUuidBinary(row.previous_alert_id),
    revision: row.revision,
    state: row.state,
    values: ALERT_FIELDS.map((name) => (name === 'ownerEmail' ? row.owner_email : row[name])),
    custom: JSON.parse(row.custom ?? '{}'),
    faults: JSON.parse(row.faults ?? '[]'),
  });
  return rows.map(toAlert).sort(byId);
}

/** Returns what the tables of series say that `alerts` says too, from both sides, so that a test can compare them. */
export async function seriesTables(database: Database) {
  const list = async (sql: string) =>
    (await database.raw(sql))[0].map((row: object) => Object.values(row).join());
  return {
    starts: await list('SELECT HEX(alert_id), received_at FROM series_alerts ORDER BY 1'),
    alerts: await list('SELECT HEX(id), received_at FROM alerts WHERE dedup_key IS NOT NULL ORDER BY 1'),
    latest: await list(
      `SELECT HEX(alert_id), alert_received_at, alert_last_received_at, firing, event_count, HEX(previous_alert_id), severity
       FROM series WHERE alert_id IS NOT NULL ORDER BY 1`,
    ),
    newest: await list(
      `SELECT HEX(id), received_at, COALESCE((SELECT MAX(i.received_at) FROM series_items i WHERE i.received_at = a.resolved_at AND i.origin IS NOT NULL), last_event_at), resolved_at IS NULL AND dedup_key NOT LIKE ' %', event_count, HEX(previous_alert_id), severity
       FROM alerts a WHERE dedup_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM alerts b
         WHERE b.webhook_id = a.webhook_id AND b.dedup_key = a.dedup_key AND b.previous_alert_id = a.id) ORDER BY 1`,
    ),
  };
}
