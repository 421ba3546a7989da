import type { Status } from './status-words.js';

/**
 * How a field of an item got its value: 2 from the payload, 1 its default, 0 not at all. A field of rank 0 may have text: that of its
 * template, with missing tags left empty.
 */
export type Rank = 0 | 1 | 2;

/** The place of an item in its series: the order in which events were accepted. */
export interface Position {
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** Id of the item, in lower case. */
  id: string;
}

/** An error of an item, as it is stored. */
export interface ItemError {
  /** `severity`, `custom.zone`; null if the error concerns the whole item. */
  field: string | null;
  code: string;
  message: string;
}

/** An alert with a `dedupKey` that one event became. Items are what a series is folded from. */
export interface SeriesItem extends Position {
  status: Status;
  /** Revision of the mapping that made it. */
  revision: number;
  /** Above 1 for an item that stands for the expired items of its alert. */
  eventCount: number;
  /** The texts of the alert's own fields, in the order of `ALERT_FIELDS`. */
  values: readonly (string | null)[];
  /** The ranks of these fields, in the same order. */
  ranks: readonly Rank[];
  /** Custom fields by name, without those that have neither text nor an error. Null if there are none. */
  custom: ReadonlyMap<string, CustomValue> | null;
  errors: readonly ItemError[];
}

export interface CustomValue {
  value: string | null;
  rank: Rank;
}

/** Compares two places in a series: below 0 if the first is earlier. UUIDs in lower case sort like their bytes. */
export function comparePositions(one: Position, other: Position): number {
  if (one.receivedAt !== other.receivedAt) return one.receivedAt - other.receivedAt;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}
