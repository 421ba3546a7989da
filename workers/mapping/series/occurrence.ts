import { ALERT_FIELDS } from '../definition/schema.js';
import { severityRank } from '../definition/severities.js';
import { MIXED, newestOf } from './comparable.js';
import { OPENING, replaces, replacesAll } from './ranks.js';
import { comparePositions, type ItemOrigin, type Position, type SeriesItem } from './series-item.js';

/** Custom fields of an alert: twice as many as one mapping may have. Of more, from several revisions, the first by name are kept. */
const MAX_CUSTOM = 100;

/**
 * An alert of a series: the items that fire or add to it, up to and including the one that resolves it. The id and `receivedAt` are those of its first item.
 * The text of each field comes from one item: of those with the highest rank, the newest, or the oldest, see `Rank`. So the items may be added in any
 * order.
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
  /** Its newest item that is an event. */
  newestEvent: SeriesItem;
  /** The item with the most severe severity: see {@link isHigher}. */
  peak: SeriesItem;
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
  newestEvent: item,
  peak: item,
  providers: null,
});

/** Returns whether no item has resolved an occurrence yet. */
export const isFiring = ({ newest }: Occurrence): boolean => newest.status !== 'resolved';

/** The end of an occurrence. */
export interface End {
  /** Milliseconds since 1970. */
  resolvedAt: number;
  resolvedBy: ItemOrigin;
  /** What was said about it; null if that is only what the alert shows anyway. */
  resolution: string | null;
}

const TEXTS = (['title', 'description'] as const).map((name) => ALERT_FIELDS.indexOf(name));

/** Returns the end of an occurrence; null while it is firing. */
export const endOf = (occurrence: Occurrence): End | null => {
  if (isFiring(occurrence)) return null;
  const { receivedAt, origin, resolution } = occurrence.newest;
  const isShown = TEXTS.some((field) => occurrence.providers?.own[field]?.values[field] === resolution);
  return { resolvedAt: receivedAt, resolvedBy: origin, resolution: isShown ? null : resolution };
};

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
    newestEvent:
      item.origin === 'event' && comparePositions(item, occurrence.newestEvent) > 0
        ? item
        : occurrence.newestEvent,
    peak: isHigher(item, occurrence.peak) ? item : occurrence.peak,
    providers: providersWith(occurrence, item, newest),
  };
}

/**
 * Returns whether a late item changes neither the start nor the end of an occurrence, so that {@link withItem} may add it: it is not resolved,
 * its place is between the first item and the newest, and it has no other occurrence than they have. An occurrence that no event
 * resolved is folded again: the expiry may not count any more.
 */
export const isWithin = (item: SeriesItem, occurrence: Occurrence): boolean =>
  item.status !== 'resolved' &&
  occurrence.newest.origin === 'event' &&
  (item.occurrence === null || (item.occurrence === occurrence.occurrence && item.occurrence !== MIXED)) &&
  comparePositions(item, occurrence) > 0 &&
  comparePositions(item, occurrence.newest) < 0;

/** The number of the severity among `ALERT_FIELDS`. */
const SEVERITY = ALERT_FIELDS.indexOf('severity');

/** Returns the severity of an item; null if it has none. */
export const severityOf = ({ values }: Pick<SeriesItem, 'values'>): string | null => values[SEVERITY] ?? null;

/** Returns how severe an item is: by its mapping, or else by the word. 0 without a severity, and for a word without a rank. */
export function rankOfItem(item: Pick<SeriesItem, 'values' | 'ownRank'>): number {
  const severity = severityOf(item);
  return severity === null ? 0 : (item.ownRank ?? severityRank(severity));
}

/** Returns the item that the severity of an occurrence comes from. */
export const severityItemOf = ({ newestEvent, providers }: Occurrence): SeriesItem =>
  providers?.own[SEVERITY] ?? newestEvent;

/** Returns the severity that an alert shows; null if it has none. */
export const severityOfAlert = (occurrence: Occurrence): string | null =>
  severityOf(severityItemOf(occurrence));

/**
 * Returns whether an item takes the peak of its occurrence from another one. A severity that a payload provided counts more than a default,
 * then the more severe one, then the earlier one.
 */
function isHigher(item: SeriesItem, peak: SeriesItem): boolean {
  const [severity, highest] = [severityOf(item), severityOf(peak)];
  if (severity === null || item.status === 'resolved') return false;
  if (highest === null) return true;
  const provided = howProvided(item) - howProvided(peak);
  const rank = rankOfItem(item) - rankOfItem(peak);
  const earlier = peak.receivedAt - item.receivedAt;
  return (provided || rank || earlier || (severity < highest ? 1 : -1)) > 0;
}

/** Whether an alert keeps its first severity says nothing about how severe it was. */
const howProvided = ({ ranks }: SeriesItem): number => {
  const rank = ranks.own[SEVERITY] ?? 0;
  return rank === OPENING ? 2 : rank;
};

function providersWith(occurrence: Occurrence, item: SeriesItem, newest: SeriesItem): Providers | null {
  const before = occurrence.newest;
  if (!occurrence.providers && replacesAll(newest.ranks, newest === item ? before.ranks : item.ranks))
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
): boolean => replaces(rank, provided, comparePositions(item, provider) > 0);
