import { areAtLeast } from './ranks.js';
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
  /** The items that the texts come from; null if all come from the newest. */
  providers: Providers | null;
}

export interface Providers {
  /** In the order of `ALERT_FIELDS`. */
  own: readonly SeriesItem[];
  /** By the names of the custom fields. */
  custom: ReadonlyMap<string, SeriesItem>;
}

/** Returns the occurrence that a firing item starts. */
export const openOccurrence = (item: SeriesItem, previousAlertId: string | null): Occurrence => ({
  receivedAt: item.receivedAt,
  id: item.id,
  eventCount: item.eventCount,
  previousAlertId,
  newest: item,
  providers: null,
});

/** Returns whether the newest item of an occurrence is firing. */
export const isFiring = ({ newest }: Occurrence): boolean => newest.status === 'firing';

/** Returns when an occurrence was resolved, in milliseconds since 1970; null while it is firing. */
export const resolvedAt = (occurrence: Occurrence): number | null =>
  isFiring(occurrence) ? null : occurrence.newest.receivedAt;

/** Returns an occurrence with one more item. The item must belong to it, and may be older than others. */
export function withItem(occurrence: Occurrence, item: SeriesItem): Occurrence {
  const newest = comparePositions(item, occurrence.newest) > 0 ? item : occurrence.newest;
  return {
    receivedAt: occurrence.receivedAt,
    id: occurrence.id,
    eventCount: occurrence.eventCount + item.eventCount,
    previousAlertId: occurrence.previousAlertId,
    newest,
    providers: providersWith(occurrence, item, newest),
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

function providersWith(occurrence: Occurrence, item: SeriesItem, newest: SeriesItem): Providers | null {
  const before = occurrence.newest;
  if (!occurrence.providers && areAtLeast(newest.ranks, newest === item ? before.ranks : item.ranks))
    return null;
  const { own, custom } = occurrence.providers ?? providersOf(before);
  const providers = {
    own: own.map((provider, field) =>
      provides(item, item.ranks.own[field], provider, provider.ranks.own[field]) ? item : provider,
    ),
    custom: customWith(custom, item),
  };
  const isNewest = (provider: SeriesItem): boolean => provider === newest;
  return providers.own.every(isNewest) && [...providers.custom.values()].every(isNewest) ? null : providers;
}

/** Returns the providers of an occurrence whose texts all come from one item. */
const providersOf = (item: SeriesItem): Providers => ({
  own: item.ranks.own.map(() => item),
  custom: new Map(Object.keys(item.ranks.custom ?? {}).map((name) => [name, item])),
});

function customWith(
  providers: ReadonlyMap<string, SeriesItem>,
  item: SeriesItem,
): ReadonlyMap<string, SeriesItem> {
  const updated = new Map(providers);
  for (const [name, rank] of Object.entries(item.ranks.custom ?? {})) {
    const provider = updated.get(name);
    if (!provider || provides(item, rank, provider, provider.ranks.custom?.[name])) updated.set(name, item);
  }
  return updated.size <= MAX_CUSTOM ? updated : firstByName(updated);
}

const firstByName = (providers: Map<string, SeriesItem>): Map<string, SeriesItem> =>
  new Map([...providers].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, MAX_CUSTOM));

const provides = (
  item: SeriesItem,
  rank: number | undefined = -1,
  provider: SeriesItem,
  provided: number | undefined = -1,
): boolean => rank > provided || (rank === provided && comparePositions(item, provider) > 0);
