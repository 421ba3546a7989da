import type { Database } from '../../../db/client/connect.js';
import { Deadline } from '../../../db/client/deadline.js';
import { itemNumberOf } from '../../../db/events/alerts/alert-id.js';
import { isGeneratedKey } from '../../../db/events/alerts/alerts.js';
import type { StoredEvent } from '../../../db/events/events.js';
import { itemIdsOf } from '../../../db/events/filter-outcome.js';
import { findKeyedItems, type KeyedItem } from '../../../db/series/keyed-items.js';
import {
  changesAlert,
  type ItemOutcome,
  type ItemStatus,
  outcomeOfStored,
  statusOfStored,
} from '../../../workers/mapping/index.js';
import type { ShortPage } from '../../lists/list-page.js';
import { withinDeadline } from '../../lists/read-with-deadline.js';

/** What an item of a series did to its alerts. */
export interface EventOutcome {
  /** Number of the item in its event, from 0. */
  item: number;
  /** Null for an item without a key whose repetitions are counted. It has no status either. */
  dedupKey: string | null;
  status: ItemStatus | null;
  outcome: ItemOutcome;
  /** The alert that it opened, updated or resolved. */
  alertId: string | null;
}

export interface EventOutcomes {
  /** The alerts that the items of the event belong to, each once. */
  alertIds: string[];
  /** Of the items that belong to a series. */
  outcomes: EventOutcome[];
}

/** Items with a key in a page of events, which are looked up one by one. Each event may have 10,000. */
const MAX_KEYED = 2_000;
const WITHIN_MS = 5_000;
const BUSY = 'The database is busy: try again later.';

/**
 * Returns an event with what it did.
 * @throws RequestError 503 `search_too_slow` if that takes the database longer than 5 s
 */
export async function withOutcomes<Event extends StoredEvent>(
  database: Database,
  event: Event,
): Promise<Event & EventOutcomes> {
  const [one] = await withinDeadline(BUSY, allWithOutcomes(database, [event], new Deadline(WITHIN_MS)));
  if (!one) throw new Error(`the outcomes of event ${event.id} are missing`);
  return one;
}

/**
 * Returns the alert that an item of an event belongs to; null if it has none, or no key.
 * @throws RequestError 503 `search_too_slow` if that takes the database longer than 5 s
 */
export async function alertOfItem(
  database: Database,
  { receivedAt }: StoredEvent,
  id: string,
): Promise<string | null> {
  const place = { receivedAt, first: id, last: id };
  const finding = findKeyedItems(database, [place], new Deadline(WITHIN_MS));
  const [item] = await withinDeadline(BUSY, finding);
  return item ? outcomeOfItem(item).alertId : null;
}

/**
 * Returns the first events of a page with what they did: as many as have 2,000 items with a key, and at least one.
 * @throws an error for which `isTooSlow` is true after the deadline
 */
export async function pageWithOutcomes<Event extends StoredEvent>(
  database: Database,
  events: readonly Event[],
  deadline: Deadline,
): Promise<ShortPage<Event & EventOutcomes>> {
  let keyed = 0;
  const end = events.findIndex(({ keyedCount }, index) => {
    keyed += keyedCount;
    return index > 0 && keyed > MAX_KEYED;
  });
  const some = end < 0 ? events : events.slice(0, end);
  return { rows: await allWithOutcomes(database, some, deadline), goesOn: end >= 0 };
}

/** Returns events with what they did. An item without a key is an alert; the others are looked up, those of all events together. */
async function allWithOutcomes<Event extends StoredEvent>(
  database: Database,
  events: readonly Event[],
  deadline: Deadline,
): Promise<(Event & EventOutcomes)[]> {
  const ids = events.map(itemIdsOf);
  const ranges = events.flatMap(({ receivedAt, keyedCount }, index) => {
    const [first, last] = [ids[index]?.[0], ids[index]?.at(-1)];
    return keyedCount > 0 && first && last ? [{ receivedAt, first, last }] : [];
  });
  const items = await findKeyedItems(database, ranges, deadline);
  const keyed = new Map(items.map((item) => [item.id, outcomeOfItem(item)]));
  return events.map((event, index) => ({ ...event, ...outcomesOf(event, ids[index] ?? [], keyed) }));
}

function outcomesOf(
  { keyedCount }: StoredEvent,
  ids: readonly string[],
  keyed: ReadonlyMap<string, EventOutcome>,
): EventOutcomes {
  const outcomes = ids.flatMap((id) => keyed.get(id) ?? []);
  // If items with a key have expired, so have the alerts of the items without one.
  const hasExpired = outcomes.length < keyedCount;
  const alertIds = ids.flatMap((id) => {
    const outcome = keyed.get(id);
    if (outcome) return outcome.alertId ?? [];
    return hasExpired ? [] : id;
  });
  return { alertIds: [...new Set(alertIds)], outcomes };
}

function outcomeOfItem({ id, dedupKey, status, wasFiring, alertId }: KeyedItem): EventOutcome {
  if (isGeneratedKey(dedupKey)) {
    const outcome = alertId === id ? 'opened' : 'updated';
    return { item: itemNumberOf(id), dedupKey: null, status: null, outcome, alertId };
  }
  const outcome = outcomeOfStored(status, wasFiring);
  return {
    item: itemNumberOf(id),
    dedupKey,
    status: statusOfStored(status),
    outcome,
    alertId: changesAlert(outcome) ? alertId : null,
  };
}
