import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { findSnsConfirmation, type SnsConfirmation } from '../../../db/events/sns-confirmations.js';
import { readSubscriptionRequest, subscribeHost } from '../../sns/confirm-subscription.js';
import type { SnsConfirmationMessage } from '../../sns/sns-message.js';

const confirmation = {
  subscriptionArn: z.string().nullable().meta({ description: 'As Amazon SNS returned it' }),
  confirmedAt: z.iso.datetime(),
  confirmedBy: z
    .object({ id: z.uuid(), name: z.string() })
    .meta({ description: 'The API key that confirmed it, with its name at that time' }),
};

/** The response to a confirmation. */
export const snsConfirmationSchema = z.object({
  topicArn: z.string(),
  host: z.string().meta({ description: 'The host that confirmed the subscription' }),
  ...confirmation,
});

/** The subscription in a receipt. */
export const snsSubscriptionSchema = z
  .object({
    topicArn: z.string(),
    host: z
      .string()
      .meta({ description: 'Host of the `SubscribeURL`. Not verified before the confirmation' }),
    confirmation: z
      .object(confirmation)
      .nullable()
      .meta({ description: '`null` if nobody has confirmed it here' }),
  })
  .nullable()
  .meta({
    description:
      'Not null if the event claims to be a request of Amazon SNS to confirm a subscription. Confirm it with `POST /v2/events/{id}/confirm-subscription`',
  });

/** Returns the subscription that an event requests, with its confirmation; null if the event is something else. */
export async function presentSubscription(
  database: Database,
  { id }: { id: string },
  raw: Buffer,
): Promise<z.input<typeof snsSubscriptionSchema>> {
  const message = readSubscriptionRequest(raw);
  if (!message) return null;
  const confirmed = await findSnsConfirmation(database, id);
  return { ...presentTopic(message), confirmation: confirmed && presentConfirmation(confirmed) };
}

/** Returns the topic of a request, and the host that confirms its subscription. */
export const presentTopic = (message: SnsConfirmationMessage) => ({
  topicArn: message.TopicArn,
  host: subscribeHost(message),
});

/** Returns a confirmation in the form of a response. */
export const presentConfirmation = ({ confirmedAt, ...confirmed }: SnsConfirmation) => ({
  ...confirmed,
  confirmedAt: confirmedAt.toISOString(),
});
