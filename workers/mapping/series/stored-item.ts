import { ALERT_FIELDS } from '../definition/schema.js';
import { type Ranks, readRanks, resolvedRanks } from './ranks.js';
import type { ItemError, ItemOrigin, ItemStatus, SeriesItem } from './series-item.js';
import { type StoredStatus, statusOfStored } from './stored-status.js';

/** An item as its row has it. */
export interface StoredItem {
  /** Milliseconds since 1970. */
  receivedAt: number;
  id: string;
  status: StoredStatus;
  /** See `comparableOf`. */
  occurrence: string | null;
  final: boolean;
  revision: number;
  /** 1 if it is left out. */
  eventCount?: number;
  /** Null or left out: an event. */
  origin?: Exclude<ItemOrigin, 'event'> | null;
  /** See `SeriesItem`. */
  silentSince?: number | null;
  /** Of a new item: when its alert expires unless another event comes. */
  expiresAt?: number | null;
  title: string | null;
  severity: string | null;
  /** See `SeriesItem`. */
  ownRank?: number | null;
  description: string | null;
  source: string | null;
  service: string | null;
  environment: string | null;
  team: string | null;
  ownerEmail: string | null;
  /** JSON of the texts by name; null if there are none. */
  custom: string | null;
  /** JSON; null if there are none. */
  faults: string | null;
  /** See `Ranks`. */
  ranks: string;
}

const [TITLE, DESCRIPTION] = [ALERT_FIELDS.indexOf('title'), ALERT_FIELDS.indexOf('description')];

/** Returns what a resolved item says about the end: the description that its payload provided, or else the title. */
export function resolutionOf(values: readonly (string | null)[], { own }: Ranks): string | null {
  const field = [DESCRIPTION, TITLE].find((one) => own[one] === 2);
  return field === undefined ? null : (values[field] ?? null);
}

/** The item that a row stands for. Its JSON is parsed only when it is read: where an item provides all texts of its alert it never is. */
export class RowItem implements SeriesItem {
  readonly receivedAt: number;
  readonly id: string;
  readonly status: ItemStatus;
  readonly origin: ItemOrigin;
  readonly silentSince: number | null;
  readonly occurrence: string | null;
  readonly final: boolean;
  readonly revision: number;
  readonly eventCount: number;
  readonly ranks: Ranks;
  readonly ownRank: number | null;
  readonly row: StoredItem;
  #custom: SeriesItem['custom'] | null = null;
  #errors: SeriesItem['errors'] | null = null;

  constructor(row: StoredItem) {
    this.receivedAt = row.receivedAt;
    this.id = row.id;
    this.status = statusOfStored(row.status);
    this.origin = row.origin ?? 'event';
    this.silentSince = row.silentSince ?? null;
    this.occurrence = row.occurrence;
    this.final = row.final;
    this.revision = row.revision;
    this.eventCount = row.eventCount ?? 1;
    const ranks = readRanks(row.ranks);
    this.ranks = this.status === 'resolved' ? resolvedRanks(ranks) : ranks;
    this.ownRank = row.ownRank ?? null;
    this.row = row;
  }

  get values(): readonly (string | null)[] {
    const { title, severity, description, source, service, environment, team, ownerEmail } = this.row;
    return [title, severity, description, source, service, environment, team, ownerEmail];
  }

  get custom(): SeriesItem['custom'] {
    this.#custom ??= JSON.parse(this.row.custom ?? '{}') as SeriesItem['custom'];
    return this.#custom;
  }

  get resolution(): string | null {
    if (this.status !== 'resolved') return null;
    return resolutionOf(this.values, readRanks(this.row.ranks));
  }

  get errors(): SeriesItem['errors'] {
    this.#errors ??= JSON.parse(this.row.faults ?? '[]') as ItemError[];
    return this.#errors;
  }
}
