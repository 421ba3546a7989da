import type { AlertState } from './alerts/alerts.js';
import type { EventState } from './events.js';

/** An alert to store. Its texts fit their columns. */
export interface NewAlert {
  id: string;
  state: AlertState;
  title: string | null;
  severity: string | null;
  /** The rank that its mapping gives its severity; null or left out: that of the word, see `severityRank`. */
  ownRank?: number | null;
  description: string | null;
  source: string | null;
  service: string | null;
  environment: string | null;
  team: string | null;
  /** In the form of identities' emails. */
  ownerEmail: string | null;
  /** JSON, or null if there are no custom fields. */
  custom: string | null;
  /** JSON of the errors that make it incomplete; null if it is complete. */
  faults: string | null;
  /** A test of the sender, which stands alone. */
  isTest?: boolean;
}

/** What an item says about its problem. */
export type ItemStatus = 'firing' | 'reopened' | 'update' | 'resolved';
/** As it is stored: with a `-` if the item changed no alert although its status could have. See `workers/mapping/series`. */
export type StoredItemStatus = ItemStatus | `-${ItemStatus}`;

/** An item with a `dedupKey` to store. Its texts are what it contributes to the alert of its series. */
export interface NewItem extends NewAlert {
  /** Milliseconds since 1970, the same as its event's. */
  receivedAt: number;
  webhookId: string;
  dedupKey: string;
  seriesId: string;
  status: StoredItemStatus;
  /** The text by which occurrences of the problem compare; null if it has none. */
  occurrence: string | null;
  /** Its key is one problem for ever. */
  final: boolean;
  revision: number;
  /** When the alert expires unless another event comes, in milliseconds since 1970; null or left out: as its integration says. */
  expiresAt?: number | null;
  /** Of what it says, without its times, in hexadecimal: its repetitions are only counted. Null or left out: they are not. */
  digest?: string | null;
  /** How each field got its text, see `Ranks` in `workers/mapping/series`. */
  ranks: string;
  /** Left out: 1. */
  eventCount?: number;
  /** Left out: an event. */
  origin?: 'person' | 'expiry' | null;
  /** Of an expiry: the time of the newest event that it knew of, in milliseconds since 1970. */
  silentSince?: number | null;
}

/** An event to store, with its alerts. */
export interface NewEvent {
  id: string;
  webhookId: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  state: EventState;
  revision: number;
  /** JSON of the errors that left it without alerts; null if there were none. */
  faults: string | null;
  /** JSON of what the filter of the mapping did, see `FilterOutcome`; null if it kept everything. */
  filter: string | null;
  /** The body as it was sent; text if it is UTF-8. */
  raw: string | Buffer;
  /** JSON of the request without its body; null for events of older releases. */
  request: string | null;
  /** JSON of what was looked up for it, see `keptLookups` in `workers/mapping`. Left out or null: nothing. */
  lookups?: string | null;
  /** The keys under which nothing was found. */
  misses?: readonly { place: { readonly table: string } | { readonly integrationId: number }; key: string }[];
  /** Its stand-alone alerts. */
  alerts: readonly NewAlert[];
  /** Its items that belong to a series. */
  items: readonly NewItem[];
  /** What it says about a heartbeat. */
  ping?: Ping;
}

/** A report of a heartbeat. */
export interface Ping {
  name: string;
  result: 'success' | 'start' | 'failure' | 'log';
  /** Of a failure; null if it has none. */
  exitStatus: number | null;
}

/** Upper bound, in bytes, of the rows held in memory at a time: a body of 18 KB can become a thousand alerts of 16 KB each. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;
/** Memory of a row besides its texts: objects, ids, encoded cells. */
const ROW_OVERHEAD_BYTES = 400;
/** Memory of an item while its series is updated, in addition. */
const ITEM_OVERHEAD_BYTES = 600;

/** Returns about how many bytes of memory an event's rows take. A character counts as one byte. */
export function rowSize({ raw, request, faults, filter, lookups = null, alerts, items }: NewEvent): number {
  let size =
    ROW_OVERHEAD_BYTES + raw.length + length(request) + length(faults) + length(filter) + length(lookups);
  for (const alert of alerts) size += alertSize(alert);
  for (const item of items) size += itemSize(item);
  return size;
}

/** Returns about how many bytes of memory an item takes. */
export const itemSize = (item: NewItem): number =>
  alertSize(item) + item.dedupKey.length + item.ranks.length + ITEM_OVERHEAD_BYTES;

function alertSize(alert: NewAlert): number {
  const { title, severity, description, source, service, environment, team, custom, faults, ownerEmail } =
    alert;
  const short = length(title) + length(severity) + length(source) + length(service);
  return (
    ROW_OVERHEAD_BYTES +
    short +
    length(description) +
    length(environment) +
    length(team) +
    length(ownerEmail) +
    length(custom) +
    length(faults)
  );
}

const length = (text: string | null): number => text?.length ?? 0;
