import type { Database } from '../../../db/client/connect.js';
import { itemNumberOf } from '../../../db/events/alert-id.js';
import type { StoredEvent } from '../../../db/events/events.js';
import { itemIdsOf } from '../../../db/events/filter-outcome.js';
import { findKeyedItems, type KeyedItem } from '../../../db/series/keyed-items.js';
import { type ItemOutcome, outcomeOf } from '../../../workers/mapping/index.js';

/** What an item with a key did to the alerts of its series. */
export interface Outcome {
  /** Number of the item in its event, from 0. */
  item: number;
  dedupKey: string;
  status: KeyedItem['status'];
  outcome: ItemOutcome;
  /** The alert that it opened, updated or resolved. */
  alertId: string | null;
}

export interface EventOutcomes {
  /** The alerts that the items of the event belong to, each once. */
  alertIds: string[];
  /** Of the items that have a key. */
  outcomes: Outcome[];
}

const WITHIN_MS = 5_000;

/** Returns an event with what it did. */
export async function withOutcomes<Event extends StoredEvent>(
  database: Database,
  event: Event,
): Promise<Event & EventOutcomes> {
  const [one] = await allWithOutcomes(database, [event]);
  return one as Event & EventOutcomes;
}

/**
 * Returns events with what they did. An item without a key is an alert; the others are looked up, those of all events together.
 * @param withinMs time limit of each query; see `isTooSlow`
 */
export async function allWithOutcomes<Event extends StoredEvent>(
  database: Database,
  events: readonly Event[],
  withinMs = WITHIN_MS,
): Promise<(Event & EventOutcomes)[]> {
  const ids = events.map(itemIdsOf);
  const ranges = events.flatMap(({ receivedAt, keyedCount }, index) => {
    const [first, last] = [ids[index]?.[0], ids[index]?.at(-1)];
    return keyedCount > 0 && first && last ? [{ receivedAt, first, last }] : [];
  });
  const items = await findKeyedItems(database, ranges, withinMs);
  const keyed = new Map(items.map((item) => [item.id, outcomeOfItem(item)]));
  return events.map((event, index) => {
    const outcomes: Outcome[] = [];
    const alertIds = new Set<string>();
    for (const id of ids[index] ?? []) {
      const outcome = keyed.get(id);
      if (outcome) outcomes.push(outcome);
      const alertId = outcome ? outcome.alertId : id;
      if (alertId !== null) alertIds.add(alertId);
    }
    return { ...event, alertIds: [...alertIds], outcomes };
  });
}

function outcomeOfItem({ id, dedupKey, status, wasFiring, alertId }: KeyedItem): Outcome {
  const outcome = outcomeOf(status, wasFiring);
  return {
    item: itemNumberOf(id),
    dedupKey,
    status,
    outcome,
    alertId: outcome === 'nothing_to_resolve' ? null : alertId,
  };
}
