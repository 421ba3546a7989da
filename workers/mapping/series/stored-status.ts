import type { ItemOutcome } from './fold.js';
import type { ItemStatus } from './series-item.js';

/**
 * The status of an item as it is stored. With a `-`, the item changed no alert although its status could have: it was outdated, or an update
 * of nothing. So the status of one item and of the last one before it without a `-` say what the item did.
 */
export type StoredStatus = ItemStatus | `-${ItemStatus}`;

/** Returns the status of an item as its event gave it. */
export const statusOfStored = (stored: StoredStatus): ItemStatus =>
  (stored.startsWith('-') ? stored.slice(1) : stored) as ItemStatus;

/** Returns the status as it is stored of an item with an outcome. */
export const storedStatus = (status: ItemStatus, outcome: ItemOutcome): StoredStatus =>
  outcome === 'outdated' || outcome === 'nothing_to_update' ? `-${status}` : status;

/** Returns what a stored item did. `wasFiring`: whether the items before it left an alert firing. */
export function outcomeOfStored(stored: StoredStatus, wasFiring: boolean): ItemOutcome {
  if (stored.startsWith('-')) return stored === '-update' ? 'nothing_to_update' : 'outdated';
  if (stored === 'resolved') return wasFiring ? 'resolved' : 'nothing_to_resolve';
  return wasFiring ? 'updated' : 'opened';
}
