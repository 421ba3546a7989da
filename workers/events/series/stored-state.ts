import type { AlertTexts } from '../../../db/series/latest-alert-texts.js';
import type { SeriesKey, StoredSeries, StoredSeriesAlert } from '../../../db/series/series.js';
import {
  areAtLeast,
  digitOf,
  NO_VALUE,
  type Occurrence,
  type Position,
  type Ranks,
  ranksOf,
  readRanks,
  repeatWindowMs,
  type SeriesItem,
  type SeriesState,
} from '../../mapping/index.js';

/**
 * Which items the texts of an alert come from, as JSON. If all come from the newest item, the text of its ranks is stored instead, which
 * starts with a digit.
 */
interface StoredProviders {
  /** The rank of each text, as the text of `Ranks`. */
  ranks: string;
  /** The places of the items other than the newest. */
  items: [receivedAt: number, id: string][];
  /** The number of the item of each own field: 0 is the newest item, 1 the first of `items`. */
  own: number[];
  /** The same for custom fields, by name. */
  custom: Record<string, number>;
}

/**
 * Returns the state of a series as the fold takes it.
 * @param texts of its latest alert; null if the caller knows that none of them will be shown, see {@link overwritesAll}
 */
export function readState(
  { dedupKey }: Pick<SeriesKey, 'dedupKey'>,
  { newest, ended, alert }: StoredSeries,
  texts: AlertTexts | null,
): SeriesState {
  const windowMs = repeatWindowMs(dedupKey);
  // The alerts of repetitions never resolve, but are not stored as firing.
  const firing = alert?.firing === true || windowMs !== null;
  return {
    newest,
    ended: ended ?? (alert && !firing ? NO_VALUE : null),
    lastAlertId: alert?.id ?? null,
    latest: alert && readOccurrence({ ...alert, firing }, texts),
    windowMs,
  };
}

/**
 * Returns an occurrence in which each item that provides a text has all texts and ranks of the alert. Only those that it provides are read.
 */
function readOccurrence(alert: StoredSeriesAlert, texts: AlertTexts | null): Occurrence {
  const { receivedAt, id, eventCount, previousAlertId, occurrence } = alert;
  // What had ended before it is stored with its place, which stays as it is.
  const start = { receivedAt, id, eventCount, previousAlertId, occurrence, endedBefore: null };
  const stored: StoredProviders | null = isJson(alert.providers) ? JSON.parse(alert.providers) : null;
  const ranks = readRanks(stored?.ranks ?? alert.providers);
  const newest = toItem(alert.newest, { status: alert.firing ? 'firing' : 'resolved', ranks, texts });
  if (!stored) return { ...start, newest, providers: null };
  const others = stored.items.map(([receivedAt, id]) =>
    toItem({ receivedAt, id }, { status: 'firing', ranks, texts }),
  );
  // 0 is the newest item.
  const itemOf = (number: number): SeriesItem => others[number - 1] ?? newest;
  const providers = {
    own: stored.own.map(itemOf),
    custom: new Map(Object.entries(stored.custom).map(([name, number]) => [name, itemOf(number)])),
  };
  return { ...start, newest, providers };
}

const isJson = (providers: string): boolean => providers.startsWith('{');

const toItem = (
  { receivedAt, id }: Position,
  { status, ranks, texts }: { status: SeriesItem['status']; ranks: Ranks; texts: AlertTexts | null },
): SeriesItem => ({
  receivedAt,
  id,
  status,
  occurrence: null,
  final: false,
  revision: texts?.revision ?? 0,
  eventCount: 1,
  ranks,
  values: texts?.values ?? [],
  custom: texts?.custom ? JSON.parse(texts.custom) : {},
  errors: texts?.faults ? JSON.parse(texts.faults) : [],
});

/** Returns which items the texts of an occurrence come from, as it is stored. */
export function writeProviders({ newest, providers }: Occurrence): string {
  if (!providers) return newest.ranks.text;
  const numbers = new Map<SeriesItem, number>([[newest, 0]]);
  const numberOf = (item: SeriesItem): number => {
    const number = numbers.get(item) ?? numbers.size;
    numbers.set(item, number);
    return number;
  };
  const own = providers.own.map(numberOf);
  const custom = Object.fromEntries([...providers.custom].map(([name, item]) => [name, numberOf(item)]));
  const digits = providers.own.map((item, field) => digitOf(item.ranks.own[field] ?? 0)).join('');
  const named = [...providers.custom].map(([name, item]) => `"${name}":${item.ranks.custom?.[name]}`).join();
  const items = [...numbers.keys()].slice(1).map(({ receivedAt, id }): [number, string] => [receivedAt, id]);
  return JSON.stringify({
    ranks: ranksOf(digits, named).text,
    items,
    own,
    custom,
  } satisfies StoredProviders);
}

/** Returns whether an item that is newer than an alert replaces all of its texts, so that they need not be read. */
export const overwritesAll = ({ ranks }: SeriesItem, providers: string): boolean =>
  !isJson(providers) && areAtLeast(ranks, readRanks(providers));
