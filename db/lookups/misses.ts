import { createHash } from 'node:crypto';
import type { Tables } from 'knex/types/tables.js';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';

/** A key that was looked up in a table and found no row. */
export interface MissedKey {
  table: string;
  key: string;
  firstAt: Date;
  lastAt: Date;
  count: number;
  /** The last event for which it was looked up. */
  eventId: string;
}

/** Keys that are kept of a table. Of more, those go that were missed least recently. */
const MAX_KEYS = 10_000;
const BATCH = 500;

/** Adds to what was counted of missed keys. */
export async function addMisses(database: Database, misses: readonly MissedKey[]): Promise<void> {
  // In the order of the key, so that hosts do not deadlock.
  const rows = misses.map(rowOf).sort((a, b) => compareTexts(placeOf(a), placeOf(b)));
  for (let start = 0; start < rows.length; start += BATCH) {
    await database('lookup_misses')
      .insert(rows.slice(start, start + BATCH))
      .onConflict()
      .merge({
        last_at: database.raw('GREATEST(last_at, VALUES(last_at))'),
        misses: database.raw('misses + VALUES(misses)'),
        event_id: database.raw('VALUES(event_id)'),
      });
  }
  for (const table of new Set(misses.map((miss) => miss.table))) await deleteSurplus(database, table);
}

async function deleteSurplus(database: Database, table: string): Promise<void> {
  const own = database('lookup_misses').where('table_name', table);
  const newestFirst = [
    { column: 'last_at', order: 'desc' },
    { column: 'key_hash', order: 'desc' },
  ];
  const surplus = await own.clone().orderBy(newestFirst).offset(MAX_KEYS).first('last_at', 'key_hash');
  if (!surplus) return;
  const { last_at: at, key_hash: hash } = surplus;
  // All keys of an event have the same time.
  await own
    .where((older) =>
      older.where('last_at', '<', at).orWhere({ last_at: at }).andWhere('key_hash', '<=', hash),
    )
    .delete();
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const placeOf = (row: Tables['lookup_misses']): string => `${row.table_name} ${row.key_hash.toString('hex')}`;

const rowOf = ({ table, key, firstAt, lastAt, count, eventId }: MissedKey): Tables['lookup_misses'] => ({
  table_name: table,
  key_hash: createHash('sha256').update(key).digest().subarray(0, 16),
  missed_key: key,
  first_at: firstAt,
  last_at: lastAt,
  misses: count,
  event_id: toUuidBinary(eventId),
});

/** A missed key with its place in the list. */
export interface StoredMiss extends MissedKey {
  /** In hexadecimal. */
  hash: string;
}

/** Returns keys that were missed in a table, those missed last first, from the first one after a place on. */
export async function listMisses(
  database: Database,
  table: string,
  { limit, after }: { limit: number; after?: Pick<StoredMiss, 'lastAt' | 'hash'> | undefined },
): Promise<StoredMiss[]> {
  const query = database('lookup_misses').where('table_name', table).limit(limit);
  orderByKeyset(query, {
    columns: ['last_at', 'key_hash'],
    order: 'desc',
    after: after && [after.lastAt, Buffer.from(after.hash, 'hex')],
  });
  const rows: Tables['lookup_misses'][] = await query;
  return rows.map((row) => ({
    table,
    key: row.missed_key,
    firstAt: row.first_at,
    lastAt: row.last_at,
    count: Number(row.misses),
    eventId: fromUuidBinary(row.event_id),
    hash: row.key_hash.toString('hex'),
  }));
}

/** Deletes up to `limit` keys that were not missed since a time. Returns their number. */
export const deleteMissesBefore = (database: Database, before: Date, limit: number): Promise<number> =>
  database('lookup_misses').where('last_at', '<', before).limit(limit).delete();
