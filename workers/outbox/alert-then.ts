import type { Knex } from 'knex';
import { readNow } from '../../db/client/now.js';
import type { Alert } from '../../db/events/alerts/alerts.js';
import { NO_ALERT, type NumberedTransition } from '../../db/outbox/outbox.js';
import { chunksOf } from '../../db/outbox/places.js';
import { lastTold } from '../../db/outbox/transitions.js';
import { seriesId as seriesIdOf } from '../../db/series/series.js';
import { alertsAt } from '../../db/series/series-alerts.js';
import { itemsWithin, nextItems, PAGE_ITEMS } from '../../db/series/series-items.js';
import { alertsOf, newestItems } from '../../db/series/told-alerts.js';
import { toAlertRow, toToldAlert } from '../events/series/alert-row.js';
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
  // Members after a spread at the start of an object take V8 2 µs each.
): ToldAlert => Object.assign({}, alert, shown);

/** Returns the alerts of transitions as they were then, by the number of the transition. An alert of which nothing is left is left out. */
export async function alertsThen(
  transaction: Knex.Transaction,
  taken: readonly NumberedTransition[],
): Promise<Map<number, AlertThen>> {
  const alerts = new Map<number, AlertThen>();
  for (const { id, alertThen } of taken) if (alertThen) alerts.set(id, JSON.parse(alertThen));
  const transitions = taken.filter(({ alertThen }) => !alertThen);
  // In this order: an alert whose newest item is still the same when it is read later has not changed since.
  const stored = await alertsOf(transaction, transitions);
  const newest = await newestItems(
    transaction,
    transitions.flatMap(({ seriesId }) => seriesId ?? []),
  );
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
  const changed = [...earlier].map(([now, ofAlert]) => toChanged(now, ofAlert)).filter((one) => one !== null);
  for (const some of chunksOf(changed, FOLDED_AT_ONCE))
    for (const [id, then] of await foldedThen(transaction, some)) alerts.set(id, then);
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

/** Alerts whose items are read in one statement: most have a few. */
const FOLDED_AT_ONCE = 50;

/** An alert that has changed since transitions. */
interface ChangedAlert {
  now: Alert;
  seriesKey: string;
  seriesId: string;
  /** Of its first item. */
  from: NumberedTransition['alert'];
  /** The items of the transitions, in order. */
  due: { id: number; item: NonNullable<NumberedTransition['item']> }[];
}

function toChanged(now: Alert, transitions: readonly NumberedTransition[]): ChangedAlert | null {
  const due = transitions
    .flatMap(({ id, item }) => (item ? { id, item } : []))
    .sort((one, other) => comparePositions(one.item, other.item));
  const [{ seriesId, alert } = {}] = transitions;
  if (!seriesId || !alert || now.seriesKey === null || due.length === 0) return null;
  return { now, seriesKey: now.seriesKey, seriesId, from: alert, due };
}

/**
 * Folds the items of alerts once, and returns each as it was at the item of each transition. Without the transitions whose items are no longer
 * stored. All is read at once: between two statements, a busy worker may store a thousand events.
 */
async function foldedThen(
  transaction: Knex.Transaction,
  changed: readonly ChangedAlert[],
): Promise<Map<number, AlertThen>> {
  const found = new Map<number, AlertThen>();
  const containing = await alertsAt(
    transaction,
    changed.map(({ seriesId, from }) => ({ seriesId, ...from })),
  );
  const first = await itemsWithin(
    transaction,
    changed.map(({ seriesId, from, due }) => ({ seriesId, from, to: due.at(-1)?.item ?? from })),
  );
  for (const [index, { now, seriesKey, seriesId, from, due }] of changed.entries()) {
    const place = containing[index];
    if (place?.id !== from.id) continue;
    let state = { ...noItemsOf(seriesKey), ended: place.endedBefore };
    let page: SeriesItem[] = (first[index] ?? []).map((row) => new RowItem(row)).sort(comparePositions);
    let last = page.length < PAGE_ITEMS ? undefined : page.at(-1);
    for (const { id, item } of due) {
      for (;;) {
        const count = page.filter((one) => comparePositions(one, item) <= 0).length;
        state = foldItems(state, page.slice(0, count)).state;
        page = page.slice(count);
        if (page.length > 0 || !last) break;
        page = (await nextItems(transaction, seriesId, { after: last })).map((row) => new RowItem(row));
        last = page.at(-1);
      }
      const { latest } = state;
      if (latest?.id === from.id) found.set(id, asFolded(now, latest));
    }
  }
  return found;
}

/** Returns an alert as some of its items fold it. */
export function asFolded(now: Alert, latest: Occurrence): AlertThen {
  const { webhookId, dedupKey, status, receivedAt } = now;
  const told: AlertThen = toToldAlert({ webhookId, dedupKey: dedupKey ?? '' }, toAlertRow(latest));
  return {
    ...told,
    dedupKey,
    status: status === null ? null : told.status,
    startedAt: receivedAt.toISOString(),
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
