import type { Database } from '../../../db/client/connect.js';
import { Deadline } from '../../../db/client/deadline.js';
import { itemsOfLatestAlert } from '../../../db/series/latest-alert-items.js';
import { ALERT_FIELDS, RowItem, replaces, type SeriesItem } from '../../../workers/mapping/index.js';
import { type KeyedAlert, newestItems } from './items.js';

/** Names of fields, as results have them. */
export interface FieldNames {
  fields: string[];
  custom: string[];
}

/** Items of an earlier alert that are searched. A storm has more of them, but its newest ones have nearly always all values. */
const MAX_ITEMS = 200;
const WITHIN_MS = 2_000;

/**
 * Returns the items that the fields of an alert come from, with the names of these fields: see `Rank`. The latest alert of a series is stored with these items. Of an earlier alert, fields whose item is not among the newest 200 are
 * left out. The status and the key come from the newest item.
 * @throws an error for which `isTooSlow` is true after 2 s
 */
export async function providersOf(
  database: Database,
  alert: KeyedAlert,
): Promise<Map<SeriesItem, FieldNames>> {
  const search = new ProviderSearch(alert);
  const deadline = new Deadline(WITHIN_MS);
  const latest = await itemsOfLatestAlert(database, alert, deadline);
  for (const row of latest ?? []) search.add(new RowItem(row));
  if (latest) return search.providers();
  let left = MAX_ITEMS;
  for await (const item of newestItems({ database, deadline }, alert)) {
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

  /** Adds the next older item. Items may be added again. */
  add(item: SeriesItem): void {
    this.#newest ??= item;
    for (const [index, name] of ALERT_FIELDS.entries())
      keepHigher(this.#fields, name, { item, rank: item.ranks.own[index] ?? 0 });
    for (const [name, rank] of Object.entries(item.ranks.custom ?? {}))
      keepHigher(this.#custom, name, { item, rank });
  }

  /** Whether no older item can provide a field. Most alerts have no owner, and no item of theirs provides one. */
  get isComplete(): boolean {
    const fields = ALERT_FIELDS.every(
      (name) => this.#fields.get(name)?.rank === 2 || (name === 'ownerEmail' && !this.#alert.ownerEmail),
    );
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
  if (!known || replaces(provider.rank, known.rank, false)) providers.set(name, provider);
}
