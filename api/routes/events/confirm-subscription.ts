import { z } from 'zod';
import { writeAudit } from '../../../db/audit/write-audit.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { findSnsConfirmation, saveSnsConfirmation } from '../../../db/events/sns-confirmations.js';
import { changed } from '../../audit/changed.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { badGateway, RequestError, unprocessable } from '../../http/errors.js';
import {
  confirmSubscription,
  readSubscriptionRequest,
  SnsConfirmationError,
} from '../../sns/confirm-subscription.js';
import { requireEvent } from './read.js';
import { presentConfirmation, presentTopic, snsConfirmationSchema } from './sns-subscription.js';

export const confirmSnsSubscription = defineRoute({
  method: 'post',
  path: '/v2/events/{id}/confirm-subscription',
  operationId: 'confirmSnsSubscription',
  tag: 'Event',
  summary: 'Confirm the Amazon SNS subscription that an event requests',
  description:
    'Amazon SNS sends no messages to a URL until somebody confirms its subscription. Verifies that Amazon SNS signed the stored ' +
    'message, then opens its `SubscribeURL`, which must be at `sns.<region>.amazonaws.com`. A repeated request ' +
    'returns the first result without another request to Amazon SNS. ' +
    'Responds with 422 if the event is not a valid confirmation request or Amazon SNS rejects it, and with 502 if Amazon SNS ' +
    'cannot be reached.',
  scopes: ['webhooks:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'Amazon SNS confirmed the subscription',
      body: z.object({ ...success, data: snsConfirmationSchema }),
    },
    ...failures(404, 422, 502),
  },
  handle: async ({ ctx, params, principal, requestId, origin, services }) => {
    const { raw, event } = await requireEvent(services, params.id);
    const message = readSubscriptionRequest(raw);
    if (!message)
      throw unprocessable(
        'not_a_confirmation',
        'This event is not a request of Amazon SNS to confirm a subscription.',
        [],
      );
    const { database, https, snsCertificates: certificates, log } = services;
    const confirmNow = async () => {
      const subscriptionArn = await confirmSubscription(message, { https, certificates }).catch((error) => {
        throw toRequestError(error);
      });
      const { TopicArn: topicArn } = message;
      log.info(
        { requestId, eventId: event.id, apiKeyId: principal.id, topicArn },
        'confirmed a subscription of Amazon SNS',
      );
      const confirmedBy = { id: principal.id, name: principal.name };
      const confirmation = { subscriptionArn, confirmedAt: new Date(), confirmedBy };
      return inTransaction(database, async (transaction) => {
        const saved = await saveSnsConfirmation(transaction, event, confirmation);
        const what = { subscription: { topicArn, subscriptionArn: saved.subscriptionArn } };
        await writeAudit(transaction, origin, changed(['event', event.id, null], {}, what));
        return saved;
      });
    };
    const confirmation = (await findSnsConfirmation(database, event.id)) ?? (await confirmNow());
    ctx.body = {
      status: 'success',
      data: { ...presentTopic(message), ...presentConfirmation(confirmation) },
    };
  },
});

function toRequestError(error: unknown): unknown {
  if (!(error instanceof SnsConfirmationError)) return error;
  const { code, message } = error;
  return code === 'sns_unavailable' ? badGateway(code, message) : new RequestError(422, code, message);
}
