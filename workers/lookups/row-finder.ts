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
import { RememberedRows, ROW_OVERHEAD, sizeOf } from './remembered-rows.js';

/** Finds the rows of lookups. Remembers rows of tables: those of a revision never change. */
export class RowFinder {
  readonly #database: Database;
  readonly #remembered = new RememberedRows();

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
    return new FoundRows(this.#database, { tables, columns }, this.#remembered);
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

/** Rows that are held besides those of one event, and about how many characters are fetched before events are mapped with them. */
const MAX_HELD = 20_000;
const MAX_HELD_CHARACTERS = 8 * 1024 * 1024;
/** Characters that are compared with patterns before events are mapped with what was found: about 30 ms. */
const MAX_COMPARED = 10_000_000;
/** Keys of one query. */
const FETCHED = 2_000;

/** A place where lookups find rows, and what is held of it. */
interface Place {
  place: LookupPlace;
  /** Undefined of owners. */
  table: LookupTable | undefined;
  /** Of the table, among all tables. */
  revision: string;
  rows: Map<string, Found>;
}

/** What a source was asked for and did not know. */
class Wanted {
  readonly places = new Map<Place, Set<string>>();
  /** How many different keys. */
  size = 0;
  /** How many times something was not known. */
  asked = 0;

  add(place: Place, key: string): void {
    const keys = this.places.get(place) ?? new Set();
    this.places.set(place, keys);
    this.asked += 1;
    if (!keys.has(key)) this.size += 1;
    keys.add(key);
  }
}

type Work<Result> = (source: LookupSource, wanted: Wanted) => Result | Promise<Result>;

interface Held {
  /** By the name of the table, or the number of the account system. */
  places: Map<string | number, Place>;
  rows: number;
  /** Approximate characters of the rows. */
  characters: number;
  /** Characters that were compared with patterns. */
  compared: number;
}

const nothingHeld = (): Held => ({ places: new Map(), rows: 0, characters: 0, compared: 0 });

/** The rows that are found for some events. */
export class FoundRows {
  readonly #database: Database;
  readonly #tables: Tables['tables'];
  readonly #columns: Tables['columns'];
  readonly #remembered: RememberedRows;
  #held = nothingHeld();

  constructor(database: Database, { tables, columns }: Tables, remembered: RememberedRows) {
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

  /** Forgets what is held. */
  makeRoom(): void {
    this.#held = nothingHeld();
  }

  /** Does something that asks for rows: again, after they were fetched, for as long as it asks for some that are not known. */
  settle<Result>(work: Work<Result>): Result | Promise<Result> {
    const { rows, characters } = this.#held;
    if (rows > MAX_HELD || characters > 2 * MAX_HELD_CHARACTERS) this.makeRoom();
    const held = this.#held;
    const wanted = new Wanted();
    const result = work(this.#sourceOf(wanted, held), wanted);
    if (result instanceof Promise) return result.then((done) => this.#again(work, { wanted, held }, done));
    return wanted.size === 0 ? result : this.#again(work, { wanted, held }, result);
  }

  async #again<Result>(
    work: Work<Result>,
    { wanted: first, held }: { wanted: Wanted; held: Held },
    result: Result,
  ): Promise<Result> {
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
      const where = held.places.get(placeKey(place)) ?? this.#open(place, held);
      if (!where) return FOUND_NOTHING;
      const known = where.rows.get(key);
      if (known) return known;
      const revision = where.table?.revision ?? null;
      const remembered = where.table && this.#remembered.get(where.revision, key);
      if (remembered) return { revision, row: remembered.row, compared: remembered.compared };
      wanted.add(where, key);
      return { revision, row: null };
    };
  }

  /** Undefined if there is no such table. */
  #open(place: LookupPlace, { places }: Held): Place | undefined {
    const table = 'table' in place ? this.#tables.get(place.table) : undefined;
    if ('table' in place && !table) return undefined;
    const opened = { place, table, revision: table ? `${table.id}/${table.revision}` : '', rows: new Map() };
    places.set(placeKey(place), opened);
    return opened;
  }

  /** Fetches what is wanted, or its beginning: an event may not need the rest. */
  async #fetch({ places }: Wanted, held: Held): Promise<void> {
    const before = { ...held };
    for (const [{ place, table, revision: name, rows: known }, keys] of places) {
      const all = [...keys];
      const revision = table?.revision ?? null;
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
          known.set(key, { revision, row: kept, compared });
          held.rows += 1;
          held.characters += sizeOf(kept) + key.length + ROW_OVERHEAD;
          held.compared += compared;
          if (table) this.#remembered.set(name, key, { row, compared });
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

const placeKey = (place: LookupPlace): string | number =>
  'table' in place ? place.table : place.integrationId;
