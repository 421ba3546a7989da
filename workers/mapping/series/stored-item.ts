import type { CustomValue, ItemError, Rank, SeriesItem } from './series-item.js';
import type { Status } from './status-words.js';

/** An item as its row has it. */
export interface StoredItem {
  /** Milliseconds since 1970. */
  receivedAt: number;
  id: string;
  status: Status;
  revision: number;
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
  /** See {@link writeRanks}. */
  ranks: string;
}

/**
 * Returns the ranks of an item as they are stored: one digit for each of the alert's own fields, and JSON of the ranks of custom fields by
 * name. A custom field that has text and is not named has rank 2.
 */
export function writeRanks(own: string, custom: Readonly<Record<string, Rank>> | null): string {
  return custom ? own + JSON.stringify(custom) : own;
}

/** Returns the item that a row stands for. */
export function readItem(row: StoredItem): SeriesItem {
  const end = row.ranks.indexOf('{');
  return {
    receivedAt: row.receivedAt,
    id: row.id,
    status: row.status,
    revision: row.revision,
    eventCount: row.eventCount ?? 1,
    values: [row.title, row.severity, row.description, row.source, row.service, row.environment, row.team],
    ranks: readDigits(end < 0 ? row.ranks : row.ranks.slice(0, end)),
    custom: readCustom(row.custom, end < 0 ? null : row.ranks.slice(end)),
    errors: row.faults === null ? NO_ERRORS : JSON.parse(row.faults),
  };
}

const NO_ERRORS: readonly ItemError[] = [];

/** There are few combinations of ranks, so each is parsed once. */
const DIGITS = new Map<string, readonly Rank[]>();

export function readDigits(text: string): readonly Rank[] {
  const known = DIGITS.get(text);
  if (known) return known;
  const ranks = [...text].map((digit) => Number(digit) as Rank);
  DIGITS.set(text, ranks);
  return ranks;
}

function readCustom(texts: string | null, named: string | null): ReadonlyMap<string, CustomValue> | null {
  if (texts === null && named === null) return null;
  const values = new Map<string, CustomValue>();
  for (const [name, value] of Object.entries<string>(texts === null ? {} : JSON.parse(texts)))
    values.set(name, { value, rank: 2 });
  for (const [name, rank] of Object.entries<Rank>(named === null ? {} : JSON.parse(named)))
    values.set(name, { value: values.get(name)?.value ?? null, rank });
  return values;
}
