import type { Knex } from 'knex';
import { readNow } from '../../db/client/now.js';
import type { Alert } from '../../db/events/alerts/alerts.js';
import { rankOf } from '../../db/events/alerts/severity-rank.js';
import { NO_ALERT, type NumberedTransition } from '../../db/outbox/outbox.js';
import { lastTold } from '../../db/outbox/transitions.js';
import { seriesId as seriesIdOf } from '../../db/series/series.js';
import { lastAlertsUpTo } from '../../db/series/series-alerts.js';
import { nextItems } from '../../db/series/series-items.js';
import { alertsOf, newestItems } from '../../db/series/told-alerts.js';
import { toAlertRow } from '../events/series/alert-row.js';
import {
  comparePositions,
  foldItems,
  noItemsOf,
  type Occurrence,
  RowItem,
  type SeriesItem,
} from '../mapping/index.js';
import type { ToldAlert } from './presets/preset.js';

/** An alert as it was when it changed, without what depends on who is told. */
export type AlertThen = Omit<ToldAlert, 'webhookName' | 'link'> & { severityRank: number };

/** Returns an alert as a destination is told of it. */
export const shownAlert = (
  { severityRank: _, ...alert }: AlertThen,
  shown: Pick<ToldAlert, 'webhookName' | 'link'>,
): ToldAlert => ({ ...alert, ...shown });

/** Returns the alerts of transitions as they were then, by the number of the transition. An alert of which nothing is left is left out. */
export async function alertsThen(
  transaction: Knex.Transaction,
  transitions: readonly NumberedTransition[],
): Promise<Map<number, AlertThen>> {
  // In this order: an alert whose newest item is still the same when it is read later has not changed since.
  const stored = await alertsOf(transaction, transitions);
  const newest = await newestItems(
    transaction,
    transitions.flatMap(({ seriesId }) => seriesId ?? []),
  );
  const alerts = new Map<number, AlertThen>();
  /** Transitions that are not the last ones of their alerts. */
  const earlier = new Map<Alert, NumberedTransition[]>();
  for (const transition of transitions) {
    const { id, kind, seriesId, alert, item } = transition;
    const now = stored.get(alert.id);
    if (!now || !isOf(now, seriesId)) continue;
    if (seriesId === null || kind === 'refolded' || newest.get(alert.id) === item?.id)
      alerts.set(id, toThen(now));
    else earlier.set(now, [...(earlier.get(now) ?? []), transition]);
  }
  for (const [now, ofAlert] of earlier)
    for (const [id, then] of await foldedThen(transaction, ofAlert, now)) alerts.set(id, then);
  for (const transition of transitions) {
    if (alerts.has(transition.id)) continue;
    const told = await gone(transaction, transition);
    if (told) alerts.set(transition.id, told);
  }
  return alerts;
}

/** Returns whether an alert is of a series, or stands alone. After a remap, the alert of another key may have the same first item, and so the same id. */
const isOf = ({ webhookId, seriesKey }: Pick<Alert, 'webhookId' | 'seriesKey'>, id: string | null): boolean =>
  (seriesKey === null ? null : seriesIdOf(webhookId, seriesKey)) === id;

/** Returns an alert as it is stored. */
export const toThen = (alert: Alert): AlertThen => ({
  id: alert.id,
  webhookId: alert.webhookId,
  dedupKey: alert.dedupKey,
  status: alert.status === 'test' ? null : alert.status,
  severity: alert.severity,
  severityRank: alert.severityRank,
  title: alert.title,
  description: alert.description,
  source: alert.source,
  service: alert.service,
  environment: alert.environment,
  team: alert.team,
  custom: alert.custom,
  startedAt: alert.receivedAt.toISOString(),
  resolvedAt: alert.resolvedAt?.toISOString() ?? null,
  resolvedBy: alert.resolvedBy,
  resolution: alert.resolution,
  peakSeverity: alert.peakSeverity,
  eventCount: alert.eventCount,
});

/** Folds the items of an alert once, and returns it as it was at the item of each transition. Without the transitions whose items are no longer stored. */
async function foldedThen(
  transaction: Knex.Transaction,
  transitions: readonly NumberedTransition[],
  now: Alert,
): Promise<Map<number, AlertThen>> {
  const found = new Map<number, AlertThen>();
  const due = transitions
    .flatMap(({ id, item }) => (item ? { id, item } : []))
    .sort((one, other) => comparePositions(one.item, other.item));
  const [{ seriesId, alert } = {}] = transitions;
  if (!seriesId || !alert || now.seriesKey === null) return found;
  const [containing] = await lastAlertsUpTo(transaction, seriesId, alert);
  if (containing?.id !== alert.id) return found;
  let state = { ...noItemsOf(now.seriesKey), ended: containing.endedBefore };
  let start: Parameters<typeof nextItems>[2] = { from: alert };
  let page: SeriesItem[] = [];
  let isRead = false;
  for (const { id, item } of due) {
    for (;;) {
      const count = page.filter((one) => comparePositions(one, item) <= 0).length;
      state = foldItems(state, page.slice(0, count)).state;
      page = page.slice(count);
      if (page.length > 0 || isRead) break;
      page = (await nextItems(transaction, seriesId, start)).map((row) => new RowItem(row));
      const last = page.at(-1);
      if (last) start = { after: last };
      else isRead = true;
    }
    const { latest } = state;
    if (latest?.id === alert.id) found.set(id, asFolded(now, latest));
  }
  return found;
}

/** Returns an alert as some of its items fold it. */
export function asFolded(now: Alert, latest: Occurrence): AlertThen {
  const row = toAlertRow(latest);
  return {
    ...toThen(now),
    status: now.status === null ? null : row.resolvedAt === null ? 'firing' : 'resolved',
    severity: row.severity,
    severityRank: rankOf(row),
    title: row.title,
    description: row.description,
    source: row.source,
    service: row.service,
    environment: row.environment,
    team: row.team,
    custom: row.custom === null ? {} : JSON.parse(row.custom),
    resolvedAt: row.resolvedAt === null ? null : new Date(row.resolvedAt).toISOString(),
    resolvedBy: row.resolvedBy,
    resolution: row.resolution,
    peakSeverity: row.peakSeverity,
    eventCount: row.eventCount,
  };
}

/** What is said of an alert that no longer exists, because its events were mapped again: it is over. Null if nobody was told of it. */
async function gone(
  transaction: Knex.Transaction,
  { alert: { id }, seriesId }: NumberedTransition,
): Promise<AlertThen | null> {
  const told = await lastTold(transaction, seriesId ?? id);
  if (told === null) return null;
  const alert: AlertThen = JSON.parse(told);
  if (alert.status !== 'firing' || (alert.id !== id && id !== NO_ALERT.id)) return null;
  return {
    ...alert,
    status: 'resolved',
    resolvedAt: (await readNow(transaction)).toISOString(),
    resolvedBy: null,
    resolution: 'The alert no longer exists: its events were mapped again.',
  };
}
