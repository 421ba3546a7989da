import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import type { StoredEvent } from './events.js';

/** A confirmed subscription of Amazon SNS. */
export interface SnsConfirmation {
  /** Null if the response of SNS contained none. At most 300 characters. */
  subscriptionArn: string | null;
  confirmedAt: Date;
  /** The API key that confirmed it, with its name at that time. */
  confirmedBy: { id: string; name: string };
}

/** Returns the confirmation of the subscription that an event requested, or null if it is not confirmed. */
export async function findSnsConfirmation(
  database: Database,
  eventId: string,
): Promise<SnsConfirmation | null> {
  const row = await database('sns_confirmations')
    .where({ id: toUuidBinary(eventId) })
    .first();
  return row
    ? {
        subscriptionArn: row.subscription_arn,
        confirmedAt: row.confirmed_at,
        confirmedBy: { id: row.confirmed_by_id, name: row.confirmed_by_name },
      }
    : null;
}

/** Stores the confirmation of an event's subscription and returns it. Of two confirmations of one event, the first is kept. */
export async function saveSnsConfirmation(
  database: Database,
  event: Pick<StoredEvent, 'id' | 'receivedAt'>,
  { subscriptionArn, confirmedAt, confirmedBy }: SnsConfirmation,
): Promise<SnsConfirmation> {
  const row = {
    id: toUuidBinary(event.id),
    received_at: event.receivedAt,
    subscription_arn: subscriptionArn,
    confirmed_at: confirmedAt,
    confirmed_by_id: confirmedBy.id,
    confirmed_by_name: confirmedBy.name,
  };
  await database('sns_confirmations').insert(row).onConflict('id').ignore();
  const kept = await findSnsConfirmation(database, event.id);
  return kept ?? { subscriptionArn, confirmedAt, confirmedBy };
}
