import type { Alert } from '../../../db/events/alerts/alerts.js';
import type { LockedEvent } from '../../../db/events/events-to-remap.js';
import type { NewAlert, NewEvent, NewItem } from '../../../db/events/new-event.js';
import type { TimePosition } from '../../../db/events/newest-first.js';
import type { StoredEventItem } from '../../../db/series/event-items.js';
import type { SeriesKey } from '../../../db/series/series.js';
import { ALERT_FIELDS, severityRank, statusOfStored } from '../../mapping/index.js';
import type { RemapCounts } from './plan.js';

/** What is stored of an event. */
export interface EventContent extends LockedEvent {
  /** Its stand-alone alerts. Those with the id of an item are left from before a remap; folding the series deletes them. */
  alerts: readonly Alert[];
  /** Its items with a key. */
  items: readonly StoredEventItem[];
}

/** How to update an event that was mapped again. */
export interface EventChange {
  /** The event and its stand-alone alerts to store; null if the stored ones stay as they are. */
  write: NewEvent | null;
  /** The items to store. */
  items: readonly NewItem[];
  /** Stand-alone alerts to delete. */
  surplusAlerts: readonly TimePosition[];
  /** Items to delete. */
  surplusItems: readonly StoredEventItem[];
  /** The series that items leave, join, or change in. */
  series: readonly SeriesKey[];
  /** The items that leave their series. */
  gone: readonly string[];
  /** The items that go from one series to another. */
  moved: readonly { item: NewItem; from: string }[];
  /** Whether its items move to other alerts. Not so for an event that had failed: its items are late, and take nothing from any alert. */
  regroups: boolean;
  counts: Partial<RemapCounts>;
}

/** A change that leaves the event as it is. */
export const NO_CHANGE: EventChange = {
  write: null,
  items: [],
  surplusAlerts: [],
  surplusItems: [],
  series: [],
  gone: [],
  moved: [],
  regroups: false,
  counts: {},
};

/**
 * Compares the new alerts and items of an event with the stored ones. A mapping that fails deletes nothing. An event of which an item has
 * expired stays as it is: its other items already stand for it.
 */
export function compareEvent(event: NewEvent, stored: EventContent): EventChange {
  const { alerts, items, keyedCount } = stored;
  if (items.length < keyedCount || items.some(({ eventCount }) => eventCount > 1)) return NO_CHANGE;
  if (event.state === 'failed') {
    const write = alerts.length + items.length > 0 ? null : event;
    return { ...NO_CHANGE, write, counts: { events: 1, failed: 1 } };
  }
  const before = new Map<string, Alert | StoredEventItem>();
  for (const one of [...alerts, ...items]) before.set(one.id, one);
  const after = new Map<string, NewAlert | NewItem>();
  for (const one of [...event.alerts, ...event.items]) after.set(one.id, one);
  const changed = event.items.filter((item) => !isStored(item, before.get(item.id)));
  const counts = countChanges(before, after);
  const left = items.filter(({ id, seriesId }) => seriesOf(after.get(id)) !== seriesId);
  return {
    write: event,
    items: changed,
    surplusAlerts: alerts.filter(({ id }) => !after.has(id)),
    surplusItems: left.filter(({ id }) => seriesOf(after.get(id)) === null),
    series: [...changed, ...left].map(({ seriesId: id, webhookId, dedupKey }) => ({
      id,
      webhookId,
      dedupKey,
    })),
    gone: left.map(({ id }) => id),
    moved: left.flatMap(({ id, seriesId: from }) => {
      const item = after.get(id);
      return item && isItem(item) ? [{ item, from }] : [];
    }),
    regroups: counts.regrouped > 0 && stored.state !== 'failed',
    counts: { events: 1, filtered: event.state === 'filtered' ? 1 : 0, ...counts },
  };
}

function countChanges(
  before: ReadonlyMap<string, Alert | StoredEventItem>,
  after: ReadonlyMap<string, NewAlert | NewItem>,
) {
  const counts = { added: 0, changed: 0, unchanged: 0, completed: 0, removed: 0, regrouped: 0 };
  for (const [id, one] of after) {
    const old = before.get(id);
    if (old?.state === 'incomplete' && one.state === 'complete') counts.completed += 1;
    counts[old ? (isSame(one, old) ? 'unchanged' : 'changed') : 'added'] += 1;
    if (placeOf(one) !== placeOf(old)) counts.regrouped += 1;
  }
  for (const [id, old] of before) {
    if (after.has(id)) continue;
    counts.removed += 1;
    if (placeOf(old) !== null) counts.regrouped += 1;
  }
  return { ...counts, alerts: after.size };
}

type Compared = Alert | StoredEventItem | NewAlert | NewItem;

const isItem = (one: Compared): one is StoredEventItem | NewItem => 'seriesId' in one;

const seriesOf = (one: Compared | undefined): string | null => (one && isItem(one) ? one.seriesId : null);

/** Returns what decides the bounds of alerts: the series, status and occurrence of an item; null for what stands alone or does not exist. */
const placeOf = (one: Compared | undefined): string | null =>
  one && isItem(one)
    ? `${one.seriesId} ${statusOfStored(one.status)} ${one.final} ${one.occurrence ?? ''}`
    : null;

/** Returns whether an item is stored in just this way, also with the same revision. */
const isStored = (item: NewItem, old: Alert | StoredEventItem | undefined): boolean =>
  old !== undefined && old.revision === item.revision && isSame(item, old);

/** Returns whether two alerts or items have the same content. Ignores their revisions. */
function isSame(mapped: NewAlert | NewItem, stored: Alert | StoredEventItem): boolean {
  if (
    mapped.state !== stored.state ||
    !isRankedAlike(mapped, stored) ||
    ALERT_FIELDS.some((field) => mapped[field] !== stored[field])
  )
    return false;
  if (isItem(stored))
    return (
      isItem(mapped) &&
      placeOf(mapped) === placeOf(stored) &&
      mapped.ranks === stored.ranks &&
      mapped.custom === stored.custom &&
      mapped.faults === stored.faults
    );
  return (
    !isItem(mapped) &&
    (mapped.isTest === true) === (stored.status === 'test') &&
    (mapped.custom ?? '{}') === JSON.stringify(stored.custom) &&
    (mapped.faults ?? '[]') === JSON.stringify(stored.faults)
  );
}

/** An alert has the rank that counts, an item one only if its mapping gives it. */
const isRankedAlike = (mapped: NewAlert | NewItem, stored: Alert | StoredEventItem): boolean =>
  rankOf(mapped) === ('severityRank' in stored ? stored.severityRank : rankOf(stored));

const rankOf = ({ severity, ownRank }: Pick<NewAlert, 'severity' | 'ownRank'>): number =>
  ownRank ?? (severity === null ? 0 : severityRank(severity));
