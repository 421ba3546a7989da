import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Tables } from 'knex/types/tables.js';
import { LRUCache } from 'lru-cache';
import type { Database } from '../client/connect.js';
import { GlobPatterns, MAX_PATTERNS } from './glob-patterns.js';
import { hashesOfMatches, keyOf } from './lookup-keys.js';
import type { LookupTable } from './lookup-tables.js';

/** A row of a lookup table. */
export interface LookupRow {
  /** Its key as the upload had it, see `keyOf`. */
  key: string;
  /** All of its cells by the names of their columns. */
  columns: Record<string, string>;
}

/** Of patterns that are held compiled, in characters. */
const MAX_HELD = 4_000_000;

/** By the digest of the revision, so that equal tables of different databases may share them. */
const held = new LRUCache<string, GlobPatterns>({
  maxSize: MAX_HELD,
  sizeCalculation: ({ size }) => size,
});

/** Returns the patterns of the active revision of a table. */
async function patternsOf(database: Database, table: LookupTable): Promise<GlobPatterns> {
  const known = held.get(table.digest);
  if (known) return known;
  const rows = await nextRows(database, table, { after: undefined, limit: MAX_PATTERNS });
  const patterns = new GlobPatterns(rows.map(({ cells }) => toRow(table, cells).key));
  // Upkeep may delete them meanwhile, if the table was deleted.
  if (rows.length === table.rowCount) held.set(table.digest, patterns);
  return patterns;
}

/** How long keys are compared with patterns. */
interface Comparing {
  /** How many characters may still be compared before no further key is looked up. Counted down. */
  left: number;
  /** Gets for each key how many characters it was compared with. */
  compared: Map<string, number>;
}

/** Hashes in one query. */
const HASHES = 2_000;

/**
 * Returns the row that each key finds in the active revision of a table, by key. A key that finds none is missing. It takes one query, or one for
 * each 2,000 keys. With `prefix` and `cidr` each key counts as many times as the table has lengths of keys. With `glob` the patterns of a table are
 * held in memory.
 * @param comparing for tables with patterns; keys that are not in its result then were not looked up
 */
export async function findLookupRows(
  database: Database,
  table: LookupTable,
  keys: readonly string[],
  comparing: Comparing = { left: Number.POSITIVE_INFINITY, compared: new Map() },
): Promise<Map<string, LookupRow>> {
  const patterns = table.matching === 'glob' ? await patternsOf(database, table) : null;
  const found = new Map<string, LookupRow>();
  const piece = Math.ceil(HASHES / Math.max(table.lengths.length, 1));
  for (let from = 0; from < keys.length; from += piece) {
    const some = keys.slice(from, from + piece);
    const patternByKey = patterns && (await fittingPatterns(patterns, some, comparing));
    const wanted = some.map((key) => {
      const own = patternByKey ? (patternByKey.get(key) ?? null) : key;
      const matches = own === null ? [] : hashesOfMatches(table, own);
      return { key, matches: matches.map((hash) => hash.toString('hex')) };
    });
    const hashes = [...new Set(wanted.flatMap(({ matches }) => matches))];
    const rows = await rowsByHash(database, table, hashes);
    for (const { key, matches } of wanted) {
      const row = rows.get(matches.find((hash) => rows.has(hash)) ?? '');
      if (row) found.set(key, toRow(table, row.cells));
    }
  }
  return found;
}

/** How long patterns may be compared without a turn of the event loop. */
const HOLD_MS = 10;

/** Returns the pattern that fits each key; null if none does. */
async function fittingPatterns(
  patterns: GlobPatterns,
  keys: readonly string[],
  comparing: Comparing,
): Promise<Map<string, string | null>> {
  const fitting = new Map<string, string | null>();
  let since = performance.now();
  for (const key of keys) {
    if (comparing.left <= 0) break;
    const search = patterns.search(key);
    let step = search.next();
    for (; !step.done; step = search.next()) {
      if (performance.now() - since < HOLD_MS) continue;
      await yieldToOthers();
      since = performance.now();
    }
    fitting.set(key, step.value.key);
    comparing.compared.set(key, step.value.compared);
    comparing.left -= step.value.compared;
  }
  return fitting;
}

/** Returns rows as they are stored, by the hash of their key in hexadecimal. */
export async function rowsByHash(
  database: Database,
  { id, revision }: Pick<LookupTable, 'id' | 'revision'>,
  hashes: readonly string[],
): Promise<Map<string, StoredRow>> {
  const found = new Map<string, StoredRow>();
  for (let from = 0; from < hashes.length; from += HASHES) {
    // As text: knex takes tens of microseconds for each value of bytes.
    const some = hashes.slice(from, from + HASHES).map((hash) => `x'${hash}'`);
    const [rows]: Pick<Tables['lookup_rows'], 'position' | 'key_hash' | 'cells'>[][] = await database.raw(
      `SELECT position, key_hash, cells FROM lookup_rows WHERE table_id = ${id} AND revision = ${revision} AND key_hash IN (${some})`,
    );
    for (const { position, key_hash: keyHash, cells } of rows ?? [])
      found.set(keyHash.toString('hex'), { position, keyHash, cells });
  }
  return found;
}

/** A row as it is stored. */
export interface StoredRow {
  /** Its place in the revision, from 0. */
  position: number;
  keyHash: Buffer;
  /** A JSON array, without the empty cells at its end. */
  cells: string;
}

/** Returns the next rows of a revision in the order of its upload. */
export async function nextRows(
  database: Database,
  { id, revision }: Pick<LookupTable, 'id' | 'revision'>,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<StoredRow[]> {
  const query = database('lookup_rows').where({ table_id: id, revision });
  if (after !== undefined) query.where('position', '>', after);
  const rows = await query.orderBy('position').limit(limit).select('position', 'key_hash', 'cells');
  return rows.map(({ position, key_hash: keyHash, cells }) => ({ position, keyHash, cells }));
}

/** Returns a row of its stored cells. */
export function toRow(
  { columns, keyColumns }: Pick<LookupTable, 'columns' | 'keyColumns'>,
  text: string,
): LookupRow {
  const cells = parseCells(text);
  const row = Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
  return { key: keyOf(keyColumns.map((name) => row[name] ?? '')), columns: row };
}

export const parseCells = (text: string): string[] => JSON.parse(text);
