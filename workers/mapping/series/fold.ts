import { isFiring, type Occurrence, openOccurrence, withItem } from './occurrence.js';
import type { Position, SeriesItem } from './series-item.js';

/** What an item did to its series. `nothing_to_resolve`: a resolved item without a firing alert, which makes no alert. */
export type ItemOutcome = 'opened' | 'updated' | 'resolved' | 'nothing_to_resolve';

/** The state of a series after its newest item. */
export interface SeriesState {
  /** Null if the series has no item yet. */
  newest: Position | null;
  /** Null if no alert has been opened yet. */
  latest: Occurrence | null;
  /** The alert that the next one links to as its previous: usually the id of `latest`. */
  lastAlertId: string | null;
}

/** The state of a series without items. */
export const NO_ITEMS: SeriesState = { newest: null, latest: null, lastAlertId: null };

/** The result of folding items into a series. */
export interface Folded {
  state: SeriesState;
  /** The occurrences that were opened or changed, oldest first, as they are after the last item. */
  occurrences: readonly Occurrence[];
  /** In the order of the items. `alertId` is null for `nothing_to_resolve`. */
  outcomes: readonly { item: string; outcome: ItemOutcome; alertId: string | null }[];
}

/** Returns what an item does, which depends only on its own status and on whether the item before it left an alert firing. */
export function outcomeOf(status: SeriesItem['status'], wasFiring: boolean): ItemOutcome {
  if (status === 'firing') return wasFiring ? 'updated' : 'opened';
  return wasFiring ? 'resolved' : 'nothing_to_resolve';
}

/**
 * Folds items into a series. The items must be sorted by position and be newer than the state. Folding them in several steps gives the same
 * as folding all at once.
 */
export function foldItems(state: SeriesState, items: readonly SeriesItem[]): Folded {
  let { latest, lastAlertId } = state;
  const changed = new Map<string, Occurrence>();
  const outcomes: Folded['outcomes'][number][] = [];
  for (const item of items) {
    const outcome = outcomeOf(item.status, latest !== null && isFiring(latest));
    if (outcome === 'opened') latest = openOccurrence(item, lastAlertId);
    else if (latest && outcome !== 'nothing_to_resolve') latest = withItem(latest, item);
    const alertId = outcome === 'nothing_to_resolve' ? null : (latest?.id ?? null);
    outcomes.push({ item: item.id, outcome, alertId });
    if (!latest || alertId === null) continue;
    lastAlertId = latest.id;
    changed.set(latest.id, latest);
  }
  const last = items.at(-1);
  const newest = last ? { receivedAt: last.receivedAt, id: last.id } : state.newest;
  return { state: { newest, latest, lastAlertId }, occurrences: [...changed.values()], outcomes };
}
