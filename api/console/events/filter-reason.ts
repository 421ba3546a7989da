import type { Event } from '../http/types.ts';
import { counted } from '../text/quantities.ts';

type Filter = NonNullable<Event['filter']>;

/** Describes in one line what a filter dropped, and why: `False: webhook.severity != "info"`. */
export function describeFilter({ clause, filteredItems }: Filter): string {
  const dropped = filteredItems > 0 ? `${counted(filteredItems, 'item')} filtered. ` : '';
  return `${dropped}False: ${clause}`;
}

/** Describes which item a reason is about; null if it is about the whole event. */
export const describeItem = ({ item, filteredItems }: Filter): string | null =>
  item === null
    ? null
    : `${counted(filteredItems, 'item')} filtered. The first is item ${item + 1}, for which this clause is false:`;
