import { createHash } from 'node:crypto';
import type { Tables } from 'knex/types/tables.js';

type Row = Tables['audit_entries'];

/** Of a shard without an entry. */
export const NO_HASH = Buffer.alloc(32);

/**
 * Returns the hash of an entry: SHA-256 of the hash of the entry before it in its shard, and of everything that the entry says. So no
 * entry can be changed, removed or inserted without changing the hashes of all that follow.
 * @param before the hash of the entry before it
 */
export function hashEntry(before: Buffer, row: Omit<Row, 'hash'>): Buffer {
  const content = [
    row.shard,
    Number(row.sequence),
    row.id,
    row.at.getTime(),
    ...[row.actor_kind, row.actor_id, row.actor_name],
    row.action,
    ...[row.object_kind, row.object_id, row.object_name],
    ...[row.old_members, row.new_members],
    ...[row.request_id, row.address],
  ];
  return createHash('sha256').update(before).update(JSON.stringify(content)).digest();
}
