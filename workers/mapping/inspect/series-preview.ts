import type { CompiledMapping } from '../definition/compile.js';
import type { NormalizedAlert } from '../render/results.js';
import { toSeriesItem } from '../render/to-series-item.js';
import { foldItems, type ItemOutcome, NO_ITEMS, type SeriesState } from '../series/fold.js';
import { isFiring } from '../series/occurrence.js';
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
  dedupKey: string;
  /** Title of the newest item that has one. */
  title: string | null;
  /** Whether its last alert is still firing after all of the events. */
  status: 'firing' | 'resolved';
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
  /** Alerts, with those of the items without a key. */
  alerts: number;
  /** Alerts with a key that none of the events resolves. */
  firing: number;
  seriesCount: number;
  /** Those with the most items first. */
  series: PreviewedSeries[];
}

/** Series, and items of each of them, that are listed. */
const MAX_SERIES = 50;
const MAX_ITEMS = 20;

/**
 * Folds several events into alerts. Takes events newest first, all mapped with the same mapping. What older events left firing is not
 * known, so the first item of a series resolves nothing. Returns null for a mapping without a `dedupKey`.
 */
export function previewSeries(
  mapping: CompiledMapping,
  observations: readonly DatedObservation[],
): SeriesPreview | null {
  if (!mapping.fields.some(({ name }) => name === 'dedupKey')) return null;
  const found = new Map<string, FoldedSeries>();
  const outcomes: Record<ItemOutcome, number> = { ...NO_OUTCOMES };
  let items = 0;
  for (const observation of observations.toReversed()) {
    for (const alert of observation.normalized.alerts) {
      items += 1;
      if (alert.series) outcomes[addItem(found, alert.series, { alert, observation })] += 1;
    }
  }
  const all = [...found.values()].map(({ shown }) => shown);
  const keyed = all.reduce((sum, { itemCount }) => sum + itemCount, 0);
  return {
    items,
    keyed,
    outcomes,
    alerts: items - keyed + outcomes.opened,
    firing: all.filter(({ status }) => status === 'firing').length,
    seriesCount: all.length,
    series: all.sort((one, other) => other.itemCount - one.itemCount).slice(0, MAX_SERIES),
  };
}

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
  const series = found.get(dedupKey) ?? { shown: newSeries(dedupKey), state: NO_ITEMS };
  found.set(dedupKey, series);
  const { shown } = series;
  // Items come in their order, so they need no other place.
  const place = { receivedAt: shown.itemCount, id: String(shown.itemCount) };
  const folded = foldItems(series.state, [toSeriesItem(alert, place, { status, revision: 0 })]);
  const { outcome } = folded.outcomes[0] as { outcome: ItemOutcome };
  series.state = folded.state;
  const { eventId, receivedAt } = observation;
  shown.title = alert.fields.title.value ?? shown.title;
  shown.status = folded.state.latest && isFiring(folded.state.latest) ? 'firing' : 'resolved';
  shown.itemCount += 1;
  if (outcome === 'opened') shown.alertCount += 1;
  shown.items.push({ eventId: eventId || null, item: alert.item, receivedAt, status, outcome });
  if (shown.items.length > MAX_ITEMS) shown.items.shift();
  return outcome;
}

const newSeries = (dedupKey: string): PreviewedSeries => ({
  dedupKey,
  title: null,
  status: 'resolved',
  alertCount: 0,
  itemCount: 0,
  items: [],
});
