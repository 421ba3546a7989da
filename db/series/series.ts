import { hash } from 'node:crypto';

/** A place in a series: time in milliseconds since 1970, then id. */
export interface SeriesPosition {
  receivedAt: number;
  id: string;
}

/** Before every place in a series. */
export const FIRST: SeriesPosition = { receivedAt: 0, id: '00000000-0000-0000-0000-000000000000' };

/** Where to start in a series: `from` is inclusive, `after` exclusive. */
export type SeriesStart = { from: SeriesPosition } | { after: SeriesPosition };

/** What identifies a series. Its id follows from the other two, see `seriesId`. */
export interface SeriesKey {
  id: string;
  webhookId: string;
  dedupKey: string;
}

/** A series with the state after its newest item. */
export interface StoredSeries {
  /** Null if it has no folded item yet. */
  newest: SeriesPosition | null;
  /** Its latest alert; null if no item has been firing. */
  alert: StoredSeriesAlert | null;
  /** The newest occurrence that was resolved; null if that has no value and its latest alert says whether there was one. */
  ended: string | null;
  /** The newest occurrence that had been resolved before the items that are stored. */
  expiredEnd: string | null;
  /** The items from this time on must be folded again, in milliseconds since 1970; null: all are folded. */
  refoldFrom: number | null;
}

/** The latest alert of a series. The position is that of its first item. */
export interface StoredSeriesAlert extends SeriesPosition {
  firing: boolean;
  newest: SeriesPosition;
  eventCount: number;
  previousAlertId: string | null;
  /** Of its newest item that has one. */
  occurrence: string | null;
  /** Null while it fires, and if an event resolved it. */
  closedBy: 'person' | 'expiry' | null;
  /** That it shows. */
  severity: string | null;
  /** Its most severe severity, with its time: see `writePeak`. Null in rows of earlier releases, and without a severity. */
  peak: string | null;
  /** Says which items the texts come from. */
  providers: string;
  /** About how many bytes of memory the texts take. */
  bytes: number;
}

/** The state of a series without items. */
export const NEW_SERIES: StoredSeries = {
  newest: null,
  alert: null,
  ended: null,
  expiredEnd: null,
  refoldFrom: null,
};

/**
 * Returns the id of a series as a UUID: the first 16 bytes of SHA-256 over the integration's id and the key. Every worker finds the same
 * id without a query.
 */
export function seriesId(webhookId: string, dedupKey: string): string {
  const hex = hash('sha256', `${webhookId.toLowerCase()}\n${dedupKey}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
