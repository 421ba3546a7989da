import type { AlertTexts } from '../../../db/series/latest-alerts.js';
import type { StoredSeries, StoredSeriesAlert } from '../../../db/series/series.js';
import {
  type CustomValue,
  type Occurrence,
  type Position,
  type Rank,
  readDigits,
  type SeriesItem,
  type SeriesState,
} from '../../mapping/index.js';

/**
 * Which items the texts of an alert come from. Stored as the ranks alone if all come from the newest item and the alert has no custom
 * fields, else as JSON.
 */
interface Providers {
  /** One digit for each of the alert's own fields. */
  ranks: string;
  /** The places of the items other than the newest. */
  items: [receivedAt: number, id: string][];
  /** The number of the item of each own field: 0 is the newest item, 1 the first of `items`. */
  own: number[];
  /** The same for custom fields, by name. */
  custom: Record<string, [rank: Rank, item: number]>;
}

/**
 * Returns the state of a series as the fold takes it.
 * @param texts of its latest alert; null if the caller knows that none of them will be shown, see {@link overwritesAll}
 */
export function readState({ newest, alert }: StoredSeries, texts: AlertTexts | null): SeriesState {
  return { newest, lastAlertId: alert?.id ?? null, latest: alert && readOccurrence(alert, texts) };
}

/**
 * Returns an occurrence in which each item that provides a text stands for itself with all texts of the alert. Only those that it provides
 * are read.
 */
function readOccurrence(alert: StoredSeriesAlert, texts: AlertTexts | null): Occurrence {
  const { ranks, items, own, custom } = readProviders(alert.providers);
  const content = {
    revision: texts?.revision ?? 0,
    eventCount: 1,
    values: texts?.values ?? NO_VALUES,
    ranks: readDigits(ranks),
    custom: readCustom(custom, texts?.custom ?? null),
    errors: texts?.faults ? JSON.parse(texts.faults) : [],
  };
  const toItem = ({ receivedAt, id }: Position, status: SeriesItem['status']): SeriesItem => ({
    ...content,
    receivedAt,
    id,
    status,
  });
  const newest = toItem(alert.newest, alert.firing ? 'firing' : 'resolved');
  const all = [newest, ...items.map(([receivedAt, id]) => toItem({ receivedAt, id }, 'firing'))];
  return {
    receivedAt: alert.receivedAt,
    id: alert.id,
    eventCount: alert.eventCount,
    previousAlertId: alert.previousAlertId,
    newest,
    providers: own.map((number) => all[number] as SeriesItem),
    customProviders:
      content.custom &&
      new Map(Object.entries(custom).map(([name, [, number]]) => [name, all[number] as SeriesItem])),
  };
}

const NO_VALUES = new Array<null>(7).fill(null);
const ALL_NEWEST = new Array<number>(NO_VALUES.length).fill(0);

const readProviders = (text: string): Providers =>
  text.startsWith('{') ? JSON.parse(text) : { ranks: text, items: [], own: ALL_NEWEST, custom: {} };

function readCustom(
  ranks: Providers['custom'],
  json: string | null,
): ReadonlyMap<string, CustomValue> | null {
  const entries = Object.entries(ranks);
  if (entries.length === 0) return null;
  const values: Record<string, string> = json === null ? {} : JSON.parse(json);
  return new Map(entries.map(([name, [rank]]) => [name, { value: values[name] ?? null, rank }]));
}

/** Returns which items the texts of an occurrence come from, as it is stored. */
export function writeProviders({ newest, providers, customProviders }: Occurrence): string {
  let ranks = '';
  for (let field = 0; field < providers.length; field++)
    ranks += (providers[field] as SeriesItem).ranks[field];
  if (!customProviders && providers.every((item) => item === newest)) return ranks;
  const numbers = new Map<SeriesItem, number>([[newest, 0]]);
  const numberOf = (item: SeriesItem): number => {
    const number = numbers.get(item) ?? numbers.size;
    numbers.set(item, number);
    return number;
  };
  const own = providers.map(numberOf);
  const custom: Providers['custom'] = {};
  for (const [name, item] of customProviders ?? [])
    custom[name] = [item.custom?.get(name)?.rank ?? 0, numberOf(item)];
  const items = [...numbers.keys()].slice(1).map(({ receivedAt, id }): [number, string] => [receivedAt, id]);
  return JSON.stringify({ ranks, items, own, custom } satisfies Providers);
}

/** Returns whether an item that is newer than an alert replaces all of its texts, so that they need not be read. */
export function overwritesAll({ ranks }: SeriesItem, providers: string): boolean {
  if (providers.startsWith('{')) return false;
  const provided = readDigits(providers);
  return ranks.every((rank, field) => rank >= (provided[field] as number));
}
