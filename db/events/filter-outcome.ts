import { alertId } from './alerts/alert-id.js';

/** Why a filter dropped an event or an item of it: a clause that was false, and the values that it read. */
export interface FilterReason {
  clause: string;
  /** The value is null if the path leads to nothing. */
  values: { path: string; value: string | null }[];
  /** Number of the item, from 0; null if the filter dropped the whole event. */
  item: number | null;
}

/** What the filter of a mapping did with an event. */
export interface FilterOutcome {
  /** The reason for the first item that was dropped, or for the event; null if nothing was dropped. */
  reason: FilterReason | null;
  /** The numbers of the dropped items, ascending. The other items keep their numbers, and so their alerts keep their ids. */
  items: number[];
  /** Why the filter could not be decided. What it could not decide was kept. */
  warnings: FilterWarning[];
}

/** Why a filter could not be decided. */
export interface FilterWarning {
  field: 'filter';
  code: string;
  message: string;
  /** The path that leads to nothing. */
  path?: string;
}

/** Parses an outcome, which is stored as JSON. */
export const parseFilterOutcome = (text: string | null): FilterOutcome | null =>
  text === null ? null : JSON.parse(text);

/** The part of a stored event that decides which items it has. */
interface ItemNumbers {
  id: string;
  alertCount: number;
  filter: FilterOutcome | null;
}

/** Returns the ids of an event's items that the filter kept. An item without a key is an alert with the same id. */
export function itemIdsOf({ id, alertCount, filter }: ItemNumbers): string[] {
  const dropped = new Set(filter?.items);
  const ids: string[] = [];
  for (let number = 0; ids.length < alertCount; number++) {
    if (!dropped.has(number)) ids.push(alertId(id, number));
  }
  return ids;
}
