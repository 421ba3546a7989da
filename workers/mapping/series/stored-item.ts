import { type Ranks, readRanks } from './ranks.js';
import type { ItemError, ItemStatus, SeriesItem } from './series-item.js';
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
  title: string | null;
  severity: string | null;
  description: string | null;
  source: string | null;
  service: string | null;
  environment: string | null;
  team: string | null;
  /** JSON of the texts by name; null if there are none. */
  custom: string | null;
  /** JSON; null if there are none. */
  faults: string | null;
  /** See `Ranks`. */
  ranks: string;
}

/** The item that a row stands for. Its JSON is parsed only when it is read: where an item provides all texts of its alert it never is. */
export class RowItem implements SeriesItem {
  readonly receivedAt: number;
  readonly id: string;
  readonly status: ItemStatus;
  readonly occurrence: string | null;
  readonly final: boolean;
  readonly revision: number;
  readonly eventCount: number;
  readonly ranks: Ranks;
  readonly row: StoredItem;
  #custom: SeriesItem['custom'] | null = null;
  #errors: SeriesItem['errors'] | null = null;

  constructor(row: StoredItem) {
    this.receivedAt = row.receivedAt;
    this.id = row.id;
    this.status = statusOfStored(row.status);
    this.occurrence = row.occurrence;
    this.final = row.final;
    this.revision = row.revision;
    this.eventCount = row.eventCount ?? 1;
    this.ranks = readRanks(row.ranks);
    this.row = row;
  }

  get values(): readonly (string | null)[] {
    const { title, severity, description, source, service, environment, team } = this.row;
    return [title, severity, description, source, service, environment, team];
  }

  get custom(): SeriesItem['custom'] {
    this.#custom ??= JSON.parse(this.row.custom ?? '{}') as SeriesItem['custom'];
    return this.#custom;
  }

  get errors(): SeriesItem['errors'] {
    this.#errors ??= JSON.parse(this.row.faults ?? '[]') as ItemError[];
    return this.#errors;
  }
}
