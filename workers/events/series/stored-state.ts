import type { AlertTexts } from '../../../db/series/latest-alert-texts.js';
import type { SeriesKey, StoredSeries, StoredSeriesAlert } from '../../../db/series/series.js';
import {
  ALERT_FIELDS,
  digitOf,
  type ItemOrigin,
  NO_VALUE,
  type Occurrence,
  type Position,
  type Ranks,
  rankOfItem,
  ranksOf,
  readRanks,
  repeatWindowMs,
  replacesAll,
  type SeriesItem,
  type SeriesState,
  severityOf,
  severityRank,
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
    // Earlier releases stored an end without a value as null.
    ended: ended ?? (alert && !firing && !alert.closedBy ? NO_VALUE : null),
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
  const stored: StoredProviders | null = isJson(alert.providers) ? JSON.parse(alert.providers) : null;
  const ranks = readRanks(stored?.ranks ?? alert.providers);
  const newest = toItem(alert.newest, {
    status: alert.firing ? 'firing' : 'resolved',
    ranks,
    texts,
    origin: alert.closedBy ?? 'event',
  });
  const newestEvent = alert.closedBy
    ? toItem({ receivedAt: texts?.lastEventAt ?? 0, id: '' }, { status: 'firing', ranks, texts })
    : newest;
  // Field by field: see `toNewAlert`.
  const read: Occurrence = {
    receivedAt,
    id,
    eventCount,
    previousAlertId,
    occurrence,
    // What had ended before it is stored with its place, which stays as it is.
    endedBefore: null,
    newest,
    newestEvent,
    peak: readPeak(alert) ?? newest,
    providers: null,
  };
  if (!stored) return read;
  const others = stored.items.map(([receivedAt, id]) =>
    toItem({ receivedAt, id }, { status: 'firing', ranks, texts }),
  );
  // 0 is the newest item.
  const itemOf = (number: number): SeriesItem => others[number - 1] ?? newest;
  read.providers = {
    // Earlier releases know fewer fields.
    own: ALERT_FIELDS.map((_, field) => itemOf(stored.own[field] ?? 0)),
    custom: new Map(Object.entries(stored.custom).map(([name, number]) => [name, itemOf(number)])),
  };
  return read;
}

const isJson = (providers: string): boolean => providers.startsWith('{');

const toItem = (
  { receivedAt, id }: Position,
  {
    status,
    ranks,
    texts,
    origin = 'event',
  }: { status: SeriesItem['status']; ranks: Ranks; texts: AlertTexts | null; origin?: ItemOrigin },
): SeriesItem => ({
  receivedAt,
  id,
  status,
  origin,
  silentSince: null,
  occurrence: null,
  final: false,
  revision: texts?.revision ?? 0,
  eventCount: 1,
  ranks,
  values: texts?.values ?? [],
  custom: texts?.custom ? JSON.parse(texts.custom) : {},
  errors: texts?.faults ? JSON.parse(texts.faults) : [],
  ownRank: texts?.severityRank ?? null,
  resolution: texts?.resolution ?? null,
});

/** The number of the severity among `ALERT_FIELDS`. */
const SEVERITY = ALERT_FIELDS.indexOf('severity');
const PEAK = /^(\d+) (\S)(?::(\d+))? (.*)$/s;

/** Returns the item with the peak of an alert; null if the row does not have it. */
function readPeak({ id, peak }: StoredSeriesAlert): SeriesItem | null {
  const [, time, rank = '0', own, severity = ''] = PEAK.exec(peak ?? '') ?? [];
  if (time === undefined) return null;
  const ranks = ranksOf(ALERT_FIELDS.map((_, field) => (field === SEVERITY ? rank : '0')).join(''), '');
  const item = toItem({ receivedAt: Number(time), id }, { status: 'firing', ranks, texts: null });
  return {
    ...item,
    values: ALERT_FIELDS.map((_, field) => (field === SEVERITY ? severity : null)),
    ownRank: own === undefined ? null : Number(own),
  };
}

/**
 * Returns the peak of an alert as its series stores it: the time in milliseconds since 1970, how the severity was filled (see `digitOf`), its
 * rank if that is not the one of the word, the severity. Null if it has none.
 */
export function writePeak({ peak }: Occurrence): string | null {
  const severity = severityOf(peak);
  if (severity === null) return null;
  const own = rankOfItem(peak) === severityRank(severity) ? '' : `:${rankOfItem(peak)}`;
  return `${peak.receivedAt} ${digitOf(peak.ranks.own[SEVERITY] ?? 0)}${own} ${severity}`;
}

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
  !isJson(providers) && replacesAll(ranks, readRanks(providers));
