import type { Ranks } from './ranks.js';
import type { Status } from './status-words.js';

/** The status of an item. A test does not belong to a series. */
export type ItemStatus = Exclude<Status, 'test'>;

/** Who ended or reported a problem: the source, with an event; a person; or Muster, because no event came for long enough. */
export type ItemOrigin = 'event' | 'person' | 'expiry';

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

/**
 * What a series is folded from: an alert with a `dedupKey` that one event became, or the end of an alert that a person or the expiry of its
 * integration brought about, which has no texts but its resolution.
 */
export interface SeriesItem extends Position {
  readonly status: ItemStatus;
  readonly origin: ItemOrigin;
  /** Of an expiry: the time of the newest event that it knew of, in milliseconds since 1970. It does not count if there was a later one. */
  readonly silentSince: number | null;
  /** Which occurrence of the problem it is about, see `comparableOf`; null if it has no value. */
  readonly occurrence: string | null;
  /** Its key is one problem for ever: once that is over, only `reopened` opens an alert again. */
  readonly final: boolean;
  /** Revision of the mapping that made it. */
  readonly revision: number;
  /** Above 1 for an item that stands for the expired items of its alert, 0 for one without an event. */
  readonly eventCount: number;
  /** Those of a resolved item let it provide nothing but custom fields that are missing: see `resolvedRanks`. */
  readonly ranks: Ranks;
  /** The texts of the alert's own fields, in the order of `ALERT_FIELDS`. */
  readonly values: readonly (string | null)[];
  /** The rank that its mapping gives its severity; null or left out: that of the word. */
  readonly ownRank?: number | null;
  /** The texts of custom fields by name, without fields that have none. */
  readonly custom: Readonly<Record<string, string>>;
  readonly errors: readonly ItemError[];
  /** What a resolved item says about the end; null if it says nothing, and of others. */
  readonly resolution: string | null;
}

/** Compares two places in a series: below 0 if the first is earlier. UUIDs in lower case sort like their bytes. */
export function comparePositions(one: Position, other: Position): number {
  if (one.receivedAt !== other.receivedAt) return one.receivedAt - other.receivedAt;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}
