import type { Ranks } from './ranks.js';
import type { Status } from './status-words.js';

/** The status of an item. A test does not belong to a series. */
export type ItemStatus = Exclude<Status, 'test'>;

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
  readonly status: ItemStatus;
  /** Which occurrence of the problem it is about, see `comparableOf`; null if it has no value. */
  readonly occurrence: string | null;
  /** Its key is one problem for ever: once that is over, only `reopened` opens an alert again. */
  readonly final: boolean;
  /** Revision of the mapping that made it. */
  readonly revision: number;
  /** Above 1 for an item that stands for the expired items of its alert. */
  readonly eventCount: number;
  readonly ranks: Ranks;
  /** The texts of the alert's own fields, in the order of `ALERT_FIELDS`. */
  readonly values: readonly (string | null)[];
  /** The texts of custom fields by name, without fields that have none. */
  readonly custom: Readonly<Record<string, string>>;
  readonly errors: readonly ItemError[];
}

/** Compares two places in a series: below 0 if the first is earlier. UUIDs in lower case sort like their bytes. */
export function comparePositions(one: Position, other: Position): number {
  if (one.receivedAt !== other.receivedAt) return one.receivedAt - other.receivedAt;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}
