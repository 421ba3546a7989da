import type { Database } from '../client/connect.js';
import { inTransaction } from '../client/transaction.js';

/**
 * Deletes the oldest entries of a shard that were written before a time, up to `limit`. The checkpoint of the shard keeps the hash of the last
 * one, with which the chain then begins. Returns how many.
 */
export async function expireEntries(
  database: Database,
  shard: number,
  before: Date,
  limit: number,
): Promise<number> {
  return inTransaction(database, async (transaction) => {
    await transaction('audit_checkpoints').where({ shard }).forUpdate().first('shard');
    const rows = await transaction('audit_entries')
      .where({ shard })
      .orderBy('sequence')
      .limit(limit)
      .select('sequence', 'at', 'hash');
    const kept = rows.findIndex(({ at }) => at >= before);
    const expired = kept === -1 ? rows : rows.slice(0, kept);
    const last = expired.at(-1);
    if (!last) return 0;
    const { sequence, hash } = last;
    await transaction('audit_entries').where({ shard }).where('sequence', '<=', sequence).delete();
    await transaction('audit_checkpoints').where({ shard }).update({ sequence, hash });
    return expired.length;
  });
}
