import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { findEvent } from '../../../db/events/events.js';
import { type KeptLookup, keptLookups, parseRequest } from '../../../workers/mapping/index.js';
import { areEmpty, queueDepths } from '../../../workers/queues/depth.js';
import { intakeQueuesInUse } from '../../../workers/queues/shards/shards-in-use.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { notFound, RequestError } from '../../http/errors.js';
import type { ApiServices } from '../../services.js';
import { shownLookups } from '../alerts/lookups.js';
import { withOutcomes } from './outcomes.js';
import { warningsOf } from './receipt-warnings.js';
import { presentEvent, receiptSchema } from './schema.js';
import { presentSubscription } from './sns-subscription.js';

export const getEvent = defineRoute({
  method: 'get',
  path: '/v2/events/{id}',
  operationId: 'getEvent',
  etag: true,
  tag: 'Event',
  summary: 'Get the receipt of an event: its outcome, errors and body',
  scopes: ['alerts:read'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'The event', body: z.object({ ...success, data: receiptSchema }) },
    ...failures(404),
  },
  handle: async (input) => {
    const { ctx, params, services } = input;
    const found = await requireEvent(services, params.id);
    const { raw } = found;
    const event = await withOutcomes(services.database, found.event);
    const text = isUtf8(raw);
    const request = parseRequest(found.request);
    ctx.body = {
      status: 'success',
      data: {
        ...presentEvent(event),
        outcomes: event.outcomes,
        warnings: await warningsOf(input, event, { raw, request, lookups: found.lookups }),
        lookups: await shownLookups(
          services.database,
          input.principal,
          keptLookups(found.lookups).slice(0, MAX_LOOKUPS).map(asResult),
        ),
        raw: raw.toString(text ? 'utf8' : 'base64'),
        rawEncoding: text ? 'utf-8' : 'base64',
        request: request ?? null,
        snsSubscription: await presentSubscription(services.database, event, raw),
      },
    };
  },
});

/** Keys that a receipt lists. */
const MAX_LOOKUPS = 100;

function asResult(kept: KeptLookup) {
  const isMissing = 'table' in kept.place && kept.revision === null;
  return { ...kept, reason: kept.row ? null : isMissing ? ('no_table' as const) : ('no_row' as const) };
}

/**
 * Returns an event with its body.
 * @throws RequestError 404 `not_found`, or 404 `not_stored_yet` while the queue holds events: this one may be among them
 */
export async function requireEvent({ database, redis, settings }: ApiServices, id: string) {
  const found = await findEvent(database, id);
  if (found) return found;
  const prefix = settings.redisPrefix;
  const empty = await intakeQueuesInUse(redis, prefix)
    .then((queues) => queueDepths(redis, prefix, queues))
    .then(areEmpty, () => false);
  if (empty) {
    const arrived = await findEvent(database, id);
    if (arrived) return arrived;
    throw notFound('event');
  }
  throw new RequestError(
    404,
    'not_stored_yet',
    'This event is not stored yet. It may still be in the queue; try again in a second.',
    {
      headers: { 'Retry-After': '1' },
    },
  );
}
