import { type CompiledMapping, mergesEvents } from '../definition/compile.js';
import type { NormalizedAlert } from '../render/results.js';
import { toSeriesItem } from '../render/to-series-item.js';
import { foldItems, type ItemOutcome, noItemsOf, type SeriesState } from '../series/fold.js';
import { isFiring } from '../series/occurrence.js';
import { repeatWindowMs } from '../series/repeat-key.js';
import type { ItemStatus } from '../series/series-item.js';
import type { Observation } from './observation.js';

/** An observation with the time at which its event was received, as ISO 8601; null for a payload that is not stored. */
export interface DatedObservation extends Observation {
  receivedAt: string | null;
}

/** What became of one item of several events. */
export interface PreviewedItem {
  /** Null for a payload that is not stored. */
  eventId: string | null;
  item: number;
  receivedAt: string | null;
  status: ItemStatus;
  outcome: ItemOutcome;
}

/** The items of several events with the same key, in the order of acceptance. */
export interface PreviewedSeries {
  /** Null for identical events without a key. */
  dedupKey: string | null;
  /** Title of the newest item that has one. */
  title: string | null;
  /** Whether its last alert is still firing after all of the events; null without a key. */
  status: 'firing' | 'resolved' | null;
  /** Alerts that its items become. */
  alertCount: number;
  itemCount: number;
  /** The newest items, oldest first. */
  items: PreviewedItem[];
}

/** Which alerts several events become. */
export interface SeriesPreview {
  /** All items of the events, and those of them that have a key. */
  items: number;
  keyed: number;
  /** What the items with a key do. */
  outcomes: Record<ItemOutcome, number>;
  /** Items without a key that were counted for the alert of an identical one. */
  repeated: number;
  /** Alerts, with those of the items without a key. */
  alerts: number;
  /** Alerts with a key that none of the events resolves. */
  firing: number;
  seriesCount: number;
  /** Those with the most items first. Of items without a key, only those that were repeated. */
  series: PreviewedSeries[];
}

/** Series, and items of each of them, that are listed. */
const MAX_SERIES = 50;
const MAX_ITEMS = 20;

/**
 * Folds several events into alerts. Takes events newest first, all mapped with the same mapping. What older events left firing is not
 * known, so the first item of a series resolves nothing. Returns null for a mapping that merges no events.
 */
export function previewSeries(
  mapping: CompiledMapping,
  observations: readonly DatedObservation[],
): SeriesPreview | null {
  if (!mergesEvents(mapping)) return null;
  const found = new Map<string, FoldedSeries>();
  const outcomes: Record<ItemOutcome, number> = { ...NO_OUTCOMES };
  let [items, keyed, repeated] = [0, 0, 0];
  for (const observation of observations.toReversed()) {
    for (const alert of observation.normalized.alerts) {
      items += 1;
      if (!alert.series) continue;
      const outcome = addItem(found, alert.series, { alert, observation });
      if (repeatWindowMs(alert.series.dedupKey) !== null) repeated += outcome === 'updated' ? 1 : 0;
      else {
        keyed += 1;
        outcomes[outcome] += 1;
      }
    }
  }
  const all = [...found.values()].map(({ shown }) => shown).filter(isListed);
  return {
    items,
    keyed,
    outcomes,
    repeated,
    alerts: items - keyed - repeated + outcomes.opened,
    firing: all.filter(({ status }) => status === 'firing').length,
    seriesCount: all.length,
    series: all.sort((one, other) => other.itemCount - one.itemCount).slice(0, MAX_SERIES),
  };
}

const isListed = ({ dedupKey, itemCount }: PreviewedSeries): boolean => dedupKey !== null || itemCount > 1;

const NO_OUTCOMES: Readonly<Record<ItemOutcome, number>> = {
  opened: 0,
  updated: 0,
  resolved: 0,
  nothing_to_resolve: 0,
  nothing_to_update: 0,
  outdated: 0,
};

interface FoldedSeries {
  shown: PreviewedSeries;
  state: SeriesState;
}

function addItem(
  found: Map<string, FoldedSeries>,
  { dedupKey, status }: NonNullable<NormalizedAlert['series']>,
  { alert, observation }: { alert: NormalizedAlert; observation: DatedObservation },
): ItemOutcome {
  const series = found.get(dedupKey) ?? { shown: newSeries(dedupKey), state: noItemsOf(dedupKey) };
  found.set(dedupKey, series);
  const { shown } = series;
  const { eventId, receivedAt } = observation;
  // Items come in their order, so their number is their place. Only a window needs their time.
  const time = series.state.windowMs === null ? shown.itemCount : Date.parse(receivedAt ?? '') || 0;
  const place = { receivedAt: time, id: String(shown.itemCount).padStart(9, '0') };
  const folded = foldItems(series.state, [toSeriesItem(alert, place, { status, revision: 0 })]);
  const [done] = folded.outcomes;
  if (!done) throw new Error('the fold of an item has no outcome');
  const { outcome } = done;
  series.state = folded.state;
  shown.title = alert.fields.title.value ?? shown.title;
  if (shown.dedupKey !== null)
    shown.status = folded.state.latest && isFiring(folded.state.latest) ? 'firing' : 'resolved';
  shown.itemCount += 1;
  if (outcome === 'opened') shown.alertCount += 1;
  shown.items.push({ eventId: eventId || null, item: alert.item, receivedAt, status, outcome });
  if (shown.items.length > MAX_ITEMS) shown.items.shift();
  return outcome;
}

const newSeries = (key: string): PreviewedSeries => ({
  dedupKey: repeatWindowMs(key) === null ? key : null,
  title: null,
  status: null,
  alertCount: 0,
  itemCount: 0,
  items: [],
});
