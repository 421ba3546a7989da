import { comparePositions, type Position, type SeriesItem } from './series-item.js';

/** Custom fields of an alert: twice as many as one mapping may have. Of more, from several revisions, the first by name are kept. */
const MAX_CUSTOM = 100;

/**
 * An alert of a series: its firing items up to and including the next resolved one. The id and `receivedAt` are those of its first item.
 * The text of each field comes from one item: of those with the highest rank, the newest. So the items may be added in any order.
 */
export interface Occurrence extends Position {
  eventCount: number;
  /** The alert of the series before this one. */
  previousAlertId: string | null;
  newest: SeriesItem;
  /** The items that the texts come from, in the order of `ALERT_FIELDS`. */
  providers: readonly SeriesItem[];
  /** The same for custom fields, by name. Null if there are none. */
  customProviders: ReadonlyMap<string, SeriesItem> | null;
}

/** Returns the occurrence that a firing item starts. */
export const openOccurrence = (item: SeriesItem, previousAlertId: string | null): Occurrence => ({
  receivedAt: item.receivedAt,
  id: item.id,
  eventCount: item.eventCount,
  previousAlertId,
  newest: item,
  providers: item.values.map(() => item),
  customProviders: item.custom && newestCustom(null, item),
});

/** Returns whether the newest item of an occurrence is firing. */
export const isFiring = ({ newest }: Occurrence): boolean => newest.status === 'firing';

/** Returns when an occurrence was resolved, in milliseconds since 1970; null while it is firing. */
export const resolvedAt = (occurrence: Occurrence): number | null =>
  isFiring(occurrence) ? null : occurrence.newest.receivedAt;

/** Returns an occurrence with one more item. The item must belong to it, and may be older than others. */
export function withItem(occurrence: Occurrence, item: SeriesItem): Occurrence {
  const isNewest = comparePositions(item, occurrence.newest) > 0;
  return {
    receivedAt: occurrence.receivedAt,
    id: occurrence.id,
    eventCount: occurrence.eventCount + item.eventCount,
    previousAlertId: occurrence.previousAlertId,
    newest: isNewest ? item : occurrence.newest,
    providers: occurrence.providers.map((provider, field) =>
      provides(item, item.ranks[field] as number, provider, provider.ranks[field] as number)
        ? item
        : provider,
    ),
    customProviders: item.custom
      ? newestCustom(occurrence.customProviders, item)
      : occurrence.customProviders,
  };
}

/**
 * Returns whether a late item changes neither the start nor the end of an occurrence, so that {@link withItem} may add it: it is firing and
 * its place is between the first item and the newest.
 */
export const isWithin = (item: SeriesItem, occurrence: Occurrence): boolean =>
  item.status === 'firing' &&
  comparePositions(item, occurrence) > 0 &&
  comparePositions(item, occurrence.newest) < 0;

function newestCustom(
  known: ReadonlyMap<string, SeriesItem> | null,
  item: SeriesItem,
): ReadonlyMap<string, SeriesItem> {
  const providers = new Map(known);
  for (const [name, { rank }] of item.custom ?? []) {
    const provider = providers.get(name);
    const provided = provider?.custom?.get(name)?.rank;
    if (!provider || provided === undefined || provides(item, rank, provider, provided))
      providers.set(name, item);
  }
  return providers.size <= MAX_CUSTOM ? providers : firstByName(providers);
}

const firstByName = (providers: Map<string, SeriesItem>): Map<string, SeriesItem> =>
  new Map([...providers].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, MAX_CUSTOM));

const provides = (item: SeriesItem, rank: number, provider: SeriesItem, provided: number): boolean =>
  rank > provided || (rank === provided && comparePositions(item, provider) > 0);
