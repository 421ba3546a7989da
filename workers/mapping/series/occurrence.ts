import { MIXED, newestOf } from './comparable.js';
import { areAtLeast } from './ranks.js';
import { comparePositions, type Position, type SeriesItem } from './series-item.js';

/** Custom fields of an alert: twice as many as one mapping may have. Of more, from several revisions, the first by name are kept. */
const MAX_CUSTOM = 100;

/**
 * An alert of a series: the items that fire or add to it, up to and including the one that resolves it. The id and `receivedAt` are those of its first item.
 * The text of each field comes from one item: of those with the highest rank, the newest. So the items may be added in any order.
 */
export interface Occurrence extends Position {
  eventCount: number;
  /** The alert of the series before this one. */
  previousAlertId: string | null;
  /** Of its newest item that has one, by value; `MIXED` if they do not compare. Null if none of them has one. */
  occurrence: string | null;
  /** The newest occurrence that had been resolved when it was opened; null if that has no value. */
  endedBefore: string | null;
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
export const openOccurrence = (
  item: SeriesItem,
  { lastAlertId, ended }: { lastAlertId: string | null; ended: string | null },
): Occurrence => ({
  receivedAt: item.receivedAt,
  id: item.id,
  eventCount: item.eventCount,
  previousAlertId: lastAlertId,
  occurrence: item.occurrence ?? (item.status === 'reopened' ? ended || null : null),
  endedBefore: ended || null,
  newest: item,
  providers: null,
});

/** Returns whether no item has resolved an occurrence yet. */
export const isFiring = ({ newest }: Occurrence): boolean => newest.status !== 'resolved';

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
    occurrence:
      item.status === 'resolved' ? occurrence.occurrence : newestOf(occurrence.occurrence, item.occurrence),
    endedBefore: occurrence.endedBefore,
    newest,
    providers: providersWith(occurrence, item, newest),
  };
}

/**
 * Returns whether a late item changes neither the start nor the end of an occurrence, so that {@link withItem} may add it: it is not resolved,
 * its place is between the first item and the newest, and it has no other occurrence than they have.
 */
export const isWithin = (item: SeriesItem, occurrence: Occurrence): boolean =>
  item.status !== 'resolved' &&
  (item.occurrence === null || (item.occurrence === occurrence.occurrence && item.occurrence !== MIXED)) &&
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
