import type { Knex } from 'knex';
import { fromUuidBinary } from '../bulk/uuid-binary.js';
import type { Transition } from './outbox.js';

/** Returns the latest alerts of series, and locks the series as changes do, which are written into the outbox before or after this. */
export async function lockLatestAlerts(
  transaction: Knex.Transaction,
  seriesIds: readonly Buffer[],
): Promise<(Omit<Transition, 'kind' | 'seriesId'> & { seriesId: string; isFiring: boolean })[]> {
  const series = await transaction('series')
    .whereIn('id', [...seriesIds])
    .orderBy('id')
    .forUpdate()
    .select({
      id: 'id',
      webhookId: 'webhook_id',
      firing: 'firing',
      receivedAt: 'alert_received_at',
      alertId: 'alert_id',
      lastReceivedAt: 'alert_last_received_at',
      lastItem: 'alert_last_item',
    });
  return series.flatMap(({ id, webhookId, firing, receivedAt, alertId, lastReceivedAt, lastItem }) => {
    const alert = placeOf(receivedAt, alertId);
    const item = placeOf(lastReceivedAt, lastItem);
    if (!alert || !item) return [];
    return {
      webhookId: fromUuidBinary(webhookId),
      seriesId: fromUuidBinary(id),
      alert,
      item,
      isFiring: firing === 1,
    };
  });
}

const placeOf = (time: Date | null, id: Buffer | null) =>
  time && id && { receivedAt: time.getTime(), id: fromUuidBinary(id) };
