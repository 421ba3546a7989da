import { isNotNewer, isOlder, NO_VALUE, newerOf } from './comparable.js';
import { isFiring, type Occurrence, openOccurrence, withItem } from './occurrence.js';
import { repeatWindowMs } from './repeat-key.js';
import type { Position, SeriesItem } from './series-item.js';

/**
 * What an item did to its series. The last three change no alert: a resolved item without a firing alert, an update without one, and news
 * about an occurrence that is over.
 */
export type ItemOutcome =
  | 'opened'
  | 'updated'
  | 'resolved'
  | 'nothing_to_resolve'
  | 'nothing_to_update'
  | 'outdated';

/** Returns whether an item with this outcome belongs to an alert. */
export const changesAlert = (outcome: ItemOutcome): boolean =>
  outcome === 'opened' || outcome === 'updated' || outcome === 'resolved';

/** The state of a series after its newest item. */
export interface SeriesState {
  /** Null if the series has no item yet. */
  newest: Position | null;
  /** Null if no alert has been opened yet. */
  latest: Occurrence | null;
  /** The alert that the next one links to as its previous: usually the id of `latest`. */
  lastAlertId: string | null;
  /** The newest occurrence that was resolved. `NO_VALUE` if none of them had a value; null if nothing was resolved yet. */
  ended: string | null;
  /** How long after the start of an alert items are counted for it, in milliseconds; null: until one resolves it. See `repeatWindowMs`. */
  windowMs: number | null;
}

/** The state of a series without items. */
export const NO_ITEMS: SeriesState = {
  newest: null,
  latest: null,
  lastAlertId: null,
  ended: null,
  windowMs: null,
};

/** Returns the state of the series of a key without items. */
export const noItemsOf = (dedupKey: string): SeriesState => ({
  ...NO_ITEMS,
  windowMs: repeatWindowMs(dedupKey),
});

/** The result of folding items into a series. */
export interface Folded {
  state: SeriesState;
  /** The occurrences that were opened or changed, oldest first, as they are after the last item. */
  occurrences: readonly Occurrence[];
  /** In the order of the items. `alertId` is null for an item that changes no alert. */
  outcomes: readonly { item: string; outcome: ItemOutcome; alertId: string | null }[];
}

/** Returns what an item does to a series. */
export function outcomeOf(
  {
    receivedAt,
    status,
    occurrence,
    final,
    silentSince,
  }: Pick<SeriesItem, 'receivedAt' | 'status' | 'occurrence' | 'final' | 'silentSince'>,
  state: Pick<SeriesState, 'latest' | 'ended' | 'windowMs'>,
): ItemOutcome {
  const alert = goingOnAt(receivedAt, state);
  const { ended } = state;
  if (status === 'resolved') {
    if (!alert) return 'nothing_to_resolve';
    if (silentSince !== null && alert.newest.receivedAt > silentSince) return 'outdated';
    return isOlder(occurrence, alert.occurrence) ? 'outdated' : 'resolved';
  }
  // An alert that was reopened is about an occurrence that had ended.
  const isNewsOfAlert = alert !== null && isNotNewer(alert.occurrence, occurrence);
  const isOver = !isNewsOfAlert && isNotNewer(occurrence, ended);
  if (status === 'update') return alert && !isOver ? 'updated' : 'nothing_to_update';
  if (status === 'reopened') {
    if (alert ? isOver : isOlder(occurrence, ended)) return 'outdated';
  } else if (isOver || (final && !alert && ended !== null)) return 'outdated';
  return alert ? 'updated' : 'opened';
}

/** Returns the alert that items received at a time still belong to; null if the latest one has ended. */
export const goingOnAt = (
  receivedAt: number,
  { latest, windowMs }: Pick<SeriesState, 'latest' | 'windowMs'>,
): Occurrence | null =>
  latest && isFiring(latest) && (windowMs === null || receivedAt - latest.receivedAt <= windowMs)
    ? latest
    : null;

/**
 * Folds items into a series. The items must be sorted by position and be newer than the state. Folding them in several steps gives the same
 * as folding all at once.
 */
export function foldItems(state: SeriesState, items: readonly SeriesItem[]): Folded {
  let { latest, lastAlertId, ended } = state;
  const { windowMs } = state;
  const changed = new Map<string, Occurrence>();
  const outcomes: Folded['outcomes'][number][] = [];
  for (const item of items) {
    const outcome = outcomeOf(item, { latest, ended, windowMs });
    if (outcome === 'opened') latest = openOccurrence(item, { lastAlertId, ended });
    else if (latest && changesAlert(outcome)) latest = withItem(latest, item);
    // Only the source knows which occurrence is over: what it reports after an end by others opens an alert again.
    if (item.status === 'resolved' && item.origin === 'event')
      ended = newerOf(
        newerOf(ended, outcome === 'resolved' ? (latest?.occurrence ?? NO_VALUE) : null),
        item.occurrence ?? NO_VALUE,
      );
    const alertId = changesAlert(outcome) ? (latest?.id ?? null) : null;
    outcomes.push({ item: item.id, outcome, alertId });
    if (!latest || alertId === null) continue;
    lastAlertId = latest.id;
    changed.set(latest.id, latest);
  }
  const last = items.at(-1);
  const newest = last ? { receivedAt: last.receivedAt, id: last.id } : state.newest;
  return {
    state: { newest, latest, lastAlertId, ended, windowMs },
    occurrences: [...changed.values()],
    outcomes,
  };
}
