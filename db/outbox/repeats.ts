import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlInSeconds, sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';
import type { Lane } from './lanes.js';
import { lockLatestAlerts } from './latest-alerts.js';

/**
 * Has a destination told again of the alerts that still fire so many seconds after it was told of them, except those of which a message waits. They are
 * written into the outbox like changes, so that they are told in order with these. Returns how many alerts were due; if it is `limit`, there may be more.
 */
export async function insertRepeats(
  database: Database,
  lane: Lane,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<number> {
  const { destinationId, lease } = lane;
  return inTransaction(database, async (transaction) => {
    const own = transaction('lanes').where({ destination_id: destinationId, lease });
    // Locked before messages and beliefs, as what is written about a lane.
    if (!(await own.forUpdate().first('lease'))) return 0;
    const due = await transaction('beliefs')
      .where({ destination_id: destinationId, firing: 1 })
      .where('repeat_from', '<=', sqlInSeconds(transaction, -seconds))
      .orderBy('repeat_from')
      .limit(limit)
      .select('key_id', 'alert_id');
    if (due.length === 0) return 0;
    const keys = due.map((row) => row.key_id);
    const waiting = await waitingKeys(transaction, destinationId, keys);
    const told = new Map(due.map((row) => [fromUuidBinary(row.key_id), fromUuidBinary(row.alert_id)]));
    const latest = await lockLatestAlerts(transaction, keys);
    const rows = latest
      .filter(({ seriesId, alert, isFiring }) => isFiring && told.get(seriesId) === alert.id)
      .filter(({ seriesId }) => !waiting.has(seriesId))
      .map(({ webhookId, seriesId, alert, item }) => ({
        kind: 'repeated' as const,
        webhook_id: toUuidBinary(webhookId),
        series_id: toUuidBinary(seriesId),
        alert_received_at: new Date(alert.receivedAt),
        alert_id: toUuidBinary(alert.id),
        item_received_at: item && new Date(item.receivedAt),
        item_id: item && toUuidBinary(item.id),
        destination_id: destinationId,
      }));
    if (rows.length > 0) await transaction('outbox').insert(rows);
    await transaction('beliefs')
      .where({ destination_id: destinationId })
      .whereIn('key_id', keys)
      .update({ repeat_from: sqlNow(transaction) });
    return due.length;
  });
}

async function waitingKeys(
  transaction: Knex.Transaction,
  destinationId: string,
  keys: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await transaction('messages')
    .where({ destination_id: destinationId, state: 'waiting' })
    .whereIn('key_id', [...keys])
    .select('key_id');
  return new Set(rows.map((row) => fromUuidBinary(row.key_id)));
}
