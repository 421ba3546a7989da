import type { Database } from '../../../db/client/connect.js';
import { ALERT_FIELDS, type SeriesItem } from '../../../workers/mapping/index.js';
import { type KeyedAlert, newestItems } from './items.js';

/** Names of fields, as results have them. */
export interface FieldNames {
  fields: string[];
  custom: string[];
}

/** Items that are searched. A storm has more of them, but its newest ones have nearly always all values. */
const MAX_ITEMS = 1_000;
const WITHIN_MS = 2_000;

/**
 * Returns the items that the fields of an alert come from, with the names of these fields: of the items with the highest rank, the
 * newest. Fields whose item is not among the newest 1,000 are left out. The status and the key come from the newest item.
 */
export async function providersOf(
  database: Database,
  alert: KeyedAlert,
): Promise<Map<SeriesItem, FieldNames>> {
  const search = new ProviderSearch(alert);
  let left = MAX_ITEMS;
  for await (const item of newestItems({ database, withinMs: WITHIN_MS }, alert)) {
    search.add(item);
    left -= 1;
    if (search.isComplete || left === 0) break;
  }
  return search.providers();
}

interface Provider {
  item: SeriesItem;
  rank: number;
}

class ProviderSearch {
  readonly #alert: KeyedAlert;
  readonly #fields = new Map<(typeof ALERT_FIELDS)[number], Provider>();
  readonly #custom = new Map<string, Provider>();
  #newest: SeriesItem | null = null;

  constructor(alert: KeyedAlert) {
    this.#alert = alert;
  }

  /** Adds the next older item. */
  add(item: SeriesItem): void {
    this.#newest ??= item;
    for (const [index, name] of ALERT_FIELDS.entries())
      keepHigher(this.#fields, name, { item, rank: item.ranks.own[index] ?? 0 });
    for (const [name, rank] of Object.entries(item.ranks.custom ?? {}))
      keepHigher(this.#custom, name, { item, rank });
  }

  /** Whether no older item can provide a field. */
  get isComplete(): boolean {
    const fields = ALERT_FIELDS.every((name) => this.#fields.get(name)?.rank === 2);
    return fields && Object.keys(this.#alert.custom).every((name) => this.#custom.get(name)?.rank === 2);
  }

  providers(): Map<SeriesItem, FieldNames> {
    const found = new Map<SeriesItem, FieldNames>();
    const namesOf = (item: SeriesItem): FieldNames => {
      const names = found.get(item) ?? { fields: [], custom: [] };
      found.set(item, names);
      return names;
    };
    if (this.#newest) namesOf(this.#newest).fields.push('status', 'dedupKey');
    for (const [name, { item }] of this.#fields) {
      const value = item.values[ALERT_FIELDS.indexOf(name)] ?? null;
      if (value === this.#alert[name]) namesOf(item).fields.push(name);
    }
    for (const [name, { item }] of this.#custom) {
      const value = item.custom[name] ?? null;
      if (value === (this.#alert.custom[name] ?? null)) namesOf(item).custom.push(name);
    }
    return found;
  }
}

function keepHigher<Name>(providers: Map<Name, Provider>, name: Name, provider: Provider): void {
  const known = providers.get(name);
  if (!known || provider.rank > known.rank) providers.set(name, provider);
}
