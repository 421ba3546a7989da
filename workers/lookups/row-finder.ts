import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/client/connect.js';
import { findOwners } from '../../db/identities/owners.js';
import { findLookupRows } from '../../db/lookups/lookup-rows.js';
import { findTables, type LookupTable } from '../../db/lookups/lookup-tables.js';
import {
  type CompiledLookup,
  FOUND_NOTHING,
  type Found,
  type LookupPlace,
  type LookupRow,
  type LookupSource,
} from '../mapping/index.js';

/** Rows of tables that are remembered, and about how many characters they may have in all. */
const MAX_ROWS = 50_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;
const ROW_OVERHEAD = 200;

/** What is remembered of a key: a row, or that there is none. */
type Remembered = Pick<Found, 'row' | 'compared'>;

/** Finds the rows of lookups. Remembers rows of tables: those of a revision never change. */
export class RowFinder {
  readonly #database: Database;
  readonly #rows = new LRUCache<string, Remembered>({
    max: MAX_ROWS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ row }, key) => sizeOf(row) + key.length + ROW_OVERHEAD,
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /** Starts to find rows in the revisions of tables that are active now. Only the columns that the lookups read are held. */
  async begin(lookups: readonly CompiledLookup[]): Promise<FoundRows> {
    const columns = new Map<string, Columns>();
    for (const { place, columns: read } of lookups) {
      if (!('table' in place)) continue;
      const others = columns.has(place.table) ? (columns.get(place.table) ?? null) : new Set<string>();
      columns.set(place.table, read && others && new Set([...others, ...read]));
    }
    const tables = await findTables(this.#database, [...columns.keys()]);
    return new FoundRows(this.#database, { tables, columns }, this.#rows);
  }
}

/** The columns that lookups read of a table; null: all. */
type Columns = CompiledLookup['columns'];

interface Tables {
  tables: ReadonlyMap<string, LookupTable>;
  columns: ReadonlyMap<string, Columns>;
}

function onlyColumns(row: LookupRow | null, columns: Columns): LookupRow | null {
  if (!row || !columns) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name)));
}

function sizeOf(row: LookupRow | null): number {
  let size = 0;
  for (const name in row) size += name.length + (row[name]?.length ?? 0);
  return size;
}

/** Rows that are held besides those of one event, and about how many characters are fetched before events are mapped with them. */
const MAX_HELD = 20_000;
const MAX_HELD_CHARACTERS = 8 * 1024 * 1024;
/** Characters that are compared with patterns before events are mapped with what was found: about 30 ms. */
const MAX_COMPARED = 10_000_000;
/** Keys of one query. */
const FETCHED = 2_000;

/** What a source was asked for and did not know, by the name of its place. */
class Wanted {
  readonly places = new Map<string, { place: LookupPlace; keys: Set<string> }>();
  size = 0;

  add(name: string, place: LookupPlace, key: string): void {
    const wanted = this.places.get(name) ?? { place, keys: new Set() };
    this.places.set(name, wanted);
    if (!wanted.keys.has(key)) this.size += 1;
    wanted.keys.add(key);
  }
}

type Work<Result> = (source: LookupSource, wanted: Wanted) => Result | Promise<Result>;

interface Held {
  rows: Map<string, Found>;
  /** Approximate characters of the rows. */
  characters: number;
  /** Characters that were compared with patterns. */
  compared: number;
}

const nothingHeld = (): Held => ({ rows: new Map(), characters: 0, compared: 0 });

/** The rows that are found for some events. */
export class FoundRows {
  readonly #database: Database;
  readonly #tables: Tables['tables'];
  readonly #columns: Tables['columns'];
  readonly #remembered: LRUCache<string, Remembered>;
  #held = nothingHeld();

  constructor(database: Database, { tables, columns }: Tables, remembered: LRUCache<string, Remembered>) {
    this.#database = database;
    this.#tables = tables;
    this.#columns = columns;
    this.#remembered = remembered;
  }

  /** Whether events should be mapped with what is held before more is fetched. */
  get isFull(): boolean {
    const { characters, compared } = this.#held;
    return characters >= MAX_HELD_CHARACTERS || compared >= MAX_COMPARED;
  }

  /** Does something that asks for rows: again, after they were fetched, for as long as it asks for some that are not known. */
  settle<Result>(work: Work<Result>): Result | Promise<Result> {
    const { rows, characters } = this.#held;
    if (rows.size > MAX_HELD || characters > 2 * MAX_HELD_CHARACTERS) this.#held = nothingHeld();
    const wanted = new Wanted();
    const result = work(this.#sourceOf(wanted, this.#held), wanted);
    if (result instanceof Promise) return result.then((done) => this.#again(work, wanted, done));
    return wanted.size === 0 ? result : this.#again(work, wanted, result);
  }

  async #again<Result>(work: Work<Result>, first: Wanted, result: Result): Promise<Result> {
    const held = this.#held;
    let [wanted, last] = [first, result];
    while (wanted.size > 0) {
      await this.#fetch(wanted, held);
      wanted = new Wanted();
      last = await work(this.#sourceOf(wanted, held), wanted);
    }
    return last;
  }

  #sourceOf(wanted: Wanted, held: Held): LookupSource {
    return (place, key) => {
      const table = 'table' in place ? this.#tables.get(place.table) : undefined;
      if ('table' in place && !table) return FOUND_NOTHING;
      const name = nameOf(place, table);
      const known = held.rows.get(`${name} ${key}`);
      if (known) return known;
      const remembered = table && this.#remembered.get(`${name} ${key}`);
      if (table && remembered) return { revision: table.revision, ...remembered };
      wanted.add(name, place, key);
      return { revision: table?.revision ?? null, row: null };
    };
  }

  /** Fetches what is wanted, or its beginning: an event may not need the rest. */
  async #fetch({ places }: Wanted, held: Held): Promise<void> {
    const before = { ...held };
    for (const [name, { place, keys }] of places) {
      const all = [...keys];
      const table = 'table' in place ? this.#tables.get(place.table) : undefined;
      const columns = table ? (this.#columns.get(table.name) ?? null) : null;
      for (let from = 0; from < all.length; from += FETCHED) {
        if (held.characters - before.characters > MAX_HELD_CHARACTERS) return;
        if (held.compared - before.compared > MAX_COMPARED) return;
        const some = all.slice(from, from + FETCHED);
        const steps = new Map<string, number>();
        const rows = table ? await this.#rowsOf(table, some, steps) : await this.#ownersOf(place, some);
        for (const key of table?.matching === 'glob' ? steps.keys() : some) {
          const row = rows.get(key) ?? null;
          const kept = onlyColumns(row, columns);
          const compared = steps.get(key) ?? 0;
          held.rows.set(`${name} ${key}`, { revision: table?.revision ?? null, row: kept, compared });
          held.characters += sizeOf(kept) + key.length + ROW_OVERHEAD;
          held.compared += compared;
          if (table) this.#remembered.set(`${name} ${key}`, { row, compared });
        }
      }
    }
  }

  async #rowsOf(
    table: LookupTable,
    keys: readonly string[],
    compared: Map<string, number>,
  ): Promise<Map<string, LookupRow>> {
    const rows = await findLookupRows(this.#database, table, keys, { left: MAX_COMPARED, compared });
    return new Map([...rows].map(([key, { columns }]) => [key, columns]));
  }

  async #ownersOf(place: LookupPlace, keys: readonly string[]): Promise<Map<string, LookupRow>> {
    if (!('integrationId' in place)) return new Map();
    // As they are stored.
    const identities = new Map(keys.map((key) => [key, key.trim().normalize('NFC')]));
    const owners = await findOwners(this.#database, place.integrationId, [...new Set(identities.values())]);
    const found = new Map<string, LookupRow>();
    for (const [key, identity] of identities) {
      const email = owners.get(identity);
      if (email !== undefined) found.set(key, { email });
    }
    return found;
  }
}

const nameOf = (place: LookupPlace, table: LookupTable | undefined): string =>
  table ? `${table.id}/${table.revision}` : `owners ${'integrationId' in place ? place.integrationId : ''}`;
