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
type Remembered = { row: LookupRow | null };

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

  /** Starts to find rows in the revisions of tables that are active now. */
  async begin(lookups: readonly CompiledLookup[]): Promise<FoundRows> {
    const names = lookups.flatMap(({ place }) => ('table' in place ? place.table : []));
    const tables = await findTables(this.#database, [...new Set(names)]);
    return new FoundRows(this.#database, tables, this.#rows);
  }
}

function sizeOf(row: LookupRow | null): number {
  let size = 0;
  for (const name in row) size += name.length + (row[name]?.length ?? 0);
  return size;
}

/** Rows that are held besides those of one event. */
const MAX_HELD = 20_000;

/** What a source was asked for and did not know, by the name of its place. */
export class Wanted {
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

/** The rows that are found for some events. */
export class FoundRows {
  readonly #database: Database;
  readonly #tables: ReadonlyMap<string, LookupTable>;
  readonly #remembered: LRUCache<string, Remembered>;
  #held = new Map<string, Found>();

  constructor(
    database: Database,
    tables: ReadonlyMap<string, LookupTable>,
    remembered: LRUCache<string, Remembered>,
  ) {
    this.#database = database;
    this.#tables = tables;
    this.#remembered = remembered;
  }

  /** Does something that asks for rows: again, after they were fetched, for as long as it asks for some that are not known. */
  settle<Result>(work: Work<Result>): Result | Promise<Result> {
    if (this.#held.size > MAX_HELD) this.#held = new Map();
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

  #sourceOf(wanted: Wanted, held: ReadonlyMap<string, Found>): LookupSource {
    return (place, key) => {
      const table = 'table' in place ? this.#tables.get(place.table) : undefined;
      if ('table' in place && !table) return FOUND_NOTHING;
      const name = nameOf(place, table);
      const known = held.get(`${name} ${key}`);
      if (known) return known;
      const remembered = table && this.#remembered.get(`${name} ${key}`);
      if (table && remembered) return { revision: table.revision, row: remembered.row };
      wanted.add(name, place, key);
      return { revision: table?.revision ?? null, row: null };
    };
  }

  async #fetch({ places }: Wanted, held: Map<string, Found>): Promise<void> {
    for (const [name, { place, keys }] of places) {
      const all = [...keys];
      const table = 'table' in place ? this.#tables.get(place.table) : undefined;
      const rows = table ? await this.#rowsOf(table, all) : await this.#ownersOf(place, all);
      for (const key of all) {
        const row = rows.get(key) ?? null;
        held.set(`${name} ${key}`, { revision: table?.revision ?? null, row });
        if (table) this.#remembered.set(`${name} ${key}`, { row });
      }
    }
  }

  async #rowsOf(table: LookupTable, keys: readonly string[]): Promise<Map<string, LookupRow>> {
    const rows = await findLookupRows(this.#database, table, keys);
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
