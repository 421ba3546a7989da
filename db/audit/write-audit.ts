import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { uuidv7 } from 'uuidv7';
import { hashEntry } from './chain.js';
import type { AuditChange, AuditOrigin } from './entry.js';
import { toMembersText } from './members.js';

/** Chains of entries. A change waits for others of its shard until they are committed, so that few wait. The migration has made so many heads. */
export const AUDIT_SHARDS = 16;

const BATCH = 200;
const NAME_LENGTH = 255;

/**
 * Records changes, in the transaction that makes them. Call it last: it locks the head of a shard until the transaction ends. A transaction that
 * holds this lock waits for no other one, so it is part of no deadlock.
 */
export async function writeAudit(
  transaction: Knex.Transaction,
  { actor, action, requestId, address }: AuditOrigin,
  changes: readonly AuditChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const shard = randomInt(AUDIT_SHARDS);
  const head = await lockHead(transaction, shard);
  let { sequence, hash } = head;
  const rows = changes.map(({ kind, id, name, before, after }) => {
    sequence += 1;
    const row = {
      shard,
      sequence,
      id: uuidv7(),
      at: head.now,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: shortened(actor.name),
      action,
      object_kind: kind,
      object_id: id && shortened(id),
      object_name: name && shortened(name),
      old_members: toMembersText(before),
      new_members: toMembersText(after),
      request_id: requestId,
      address,
    };
    hash = hashEntry(hash, row);
    return Object.assign(row, { hash });
  });
  for (let start = 0; start < rows.length; start += BATCH)
    await transaction('audit_entries').insert(rows.slice(start, start + BATCH));
  await transaction('audit_heads').where({ shard }).update({ sequence, hash });
}

/** Locks the head of a shard, and returns it with the time of the database. */
async function lockHead(
  transaction: Knex.Transaction,
  shard: number,
): Promise<{ sequence: number; hash: Buffer; now: Date }> {
  const [[head]] = await transaction.raw(
    'SELECT sequence, hash, UTC_TIMESTAMP(3) AS now FROM audit_heads WHERE shard = ? FOR UPDATE',
    [shard],
  );
  if (!head) throw new Error(`the audit log has no shard ${shard}`);
  return { sequence: Number(head.sequence), hash: head.hash, now: head.now };
}

const shortened = (text: string): string => text.slice(0, NAME_LENGTH).toWellFormed();
