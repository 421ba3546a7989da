import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { readText } from '../client/statement.js';
import { inTransaction } from '../client/transaction.js';
import { isKept, nextDue, updateLanes } from './lane-states.js';
import type { LaneWrite, Written } from './lane-write.js';
import { endMessages, noteBegun, takeBack, writeResults } from './sent-messages.js';

/** Writes about lanes, in one transaction. Returns what became of each, in the same order. */
export function writeLanes(database: Database, writes: readonly LaneWrite[]): Promise<Written[]> {
  return inTransaction(database, async (transaction) => {
    const leases = await lockLanes(transaction, writes);
    const held = writes.filter(({ lane }) => leases.get(lane.destinationId) === lane.lease);
    const revisions = await revisionsOf(transaction, held);
    const isChanged = ({ begun, health, lane, revision }: LaneWrite) =>
      (begun.length > 0 || health !== null) && revisions.get(lane.destinationId) !== revision;
    // What a request finds out about a destination does not count for what it is now.
    const own = held.map((write) => (isChanged(write) ? { ...write, begun: [], health: null } : write));
    await writeResults(transaction, own);
    await endMessages(transaction, own);
    await takeBack(transaction, own);
    await noteBegun(transaction, own);
    const next = await nextDue(transaction, own);
    await updateLanes(transaction, own, { next, revisions });
    return writes.map((write) => {
      if (!held.includes(write)) return 'lost';
      if (isKept(write, next)) return 'kept';
      return isChanged(write) ? 'changed' : 'written';
    });
  });
}

/** Locks lanes for this transaction: messages that come from now on set their times after it. Returns their leases. */
async function lockLanes(
  transaction: Knex.Transaction,
  writes: readonly LaneWrite[],
): Promise<Map<string, string | null>> {
  const ids = writes.map(({ lane }) => lane.destinationId).sort();
  const sql =
    'SELECT destination_id, lease FROM lanes WHERE destination_id IN (?) ORDER BY destination_id FOR UPDATE';
  return new Map(await readText<[string, string | null]>(transaction, sql, [ids]));
}

async function revisionsOf(
  transaction: Knex.Transaction,
  writes: readonly LaneWrite[],
): Promise<Map<string, number>> {
  const ids = writes
    .filter(({ begun, health, release }) => begun.length > 0 || health || release)
    .map(({ lane }) => lane.destinationId);
  if (ids.length === 0) return new Map();
  const sql = 'SELECT id, revision FROM destinations WHERE id IN (?) AND deleted_at IS NULL';
  return new Map(await readText<[string, number]>(transaction, sql, [ids]));
}
