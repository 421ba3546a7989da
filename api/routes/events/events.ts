import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { countUntitled } from '../../../db/events/alerts.js';
import { EVENT_STATES, findEvent, type StoredEvent } from '../../../db/events/events.js';
import { alertIdsOf } from '../../../db/events/filter-outcome.js';
import { parseRequest } from '../../../workers/mapping/index.js';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { areEmpty, queueDepths } from '../../../workers/queues/depth.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { notFound, RequestError } from '../../http/errors.js';
import type { Services } from '../../services.js';
import { requestSchema } from './request-schema.js';
import { presentSubscription, snsSubscriptionSchema } from './sns-subscription.js';

export const mappingErrorSchema = z.object({
  field: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  path: z.string().optional().meta({ description: 'Path in the payload that was not found' }),
});

/** What a filter dropped of an event, and why. */
export const filterSchema = z.object({
  clause: z.string().meta({ description: 'The clause of the filter that was false' }),
  values: z
    .array(z.object({ path: z.string(), value: z.string().nullable() }))
    .meta({ description: 'The values that the clause read. `null` if a path leads to nothing' }),
  item: z.number().int().nullable().meta({
    description: 'The item that the reason is about, the first that was dropped. `null`: the event',
  }),
  filteredItems: z
    .number()
    .int()
    .meta({ description: 'Items that were dropped. 0 if the filter dropped the whole event' }),
});

export const eventSchema = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    receivedAt: z.iso.datetime(),
    state: z.enum(EVENT_STATES),
    revision: z
      .number()
      .int()
      .meta({ description: 'Revision of the mapping that was used. 0: there was no mapping' }),
    bytes: z.number().int(),
    alertIds: z.array(z.uuid()),
    faults: z.array(mappingErrorSchema),
    filter: filterSchema
      .nullable()
      .meta({ description: 'What the filter of the mapping dropped, and why. `null` if it dropped nothing' }),
  })
  .meta({ id: 'Event' });

export const receiptSchema = eventSchema
  .extend({
    raw: z.string().meta({
      description:
        'The body as it was sent, decompressed; for a form, its JSON. For a rejected event, its first 8 KiB',
    }),
    warnings: z.array(mappingErrorSchema).meta({
      description:
        'What is missing in alerts that may still be complete: `missing_title`. Why the filter could not be decided, so ' +
        'that alerts were kept: `filter_missing`, `filter_error`',
    }),
    rawEncoding: z.enum(['utf-8', 'base64']).meta({ description: '`base64` if the body is not UTF-8' }),
    request: requestSchema
      .nullable()
      .meta({ description: 'The HTTP request without its body. `null` for events of older releases' }),
    snsSubscription: snsSubscriptionSchema,
  })
  .meta({ id: 'Receipt' });

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
  handle: async ({ ctx, params, services }) => {
    const found = await requireEvent(services, params.id);
    const { event, raw } = found;
    const text = isUtf8(raw);
    ctx.body = {
      status: 'success',
      data: {
        ...presentEvent(event),
        warnings: await warningsOf(services, event),
        raw: raw.toString(text ? 'utf8' : 'base64'),
        rawEncoding: text ? 'utf-8' : 'base64',
        request: parseRequest(found.request) ?? null,
        snsSubscription: await presentSubscription(services.database, event, raw),
      },
    };
  },
});

/** Returns warnings about the filter, and about alerts that may still be complete: a title is not required. */
async function warningsOf(
  { database }: Services,
  event: StoredEvent,
): Promise<z.input<typeof mappingErrorSchema>[]> {
  const undecided = event.filter?.warnings ?? [];
  const untitled = await countUntitled(database, event);
  if (untitled === 0) return undecided;
  const which = event.alertCount === 1 ? 'The alert has' : `${untitled} of ${event.alertCount} alerts have`;
  const message = `${which} no title. In the mapping, change the template of \`title\` or give it a default.`;
  return [...undecided, { field: 'title', code: 'missing_title', message }];
}

export const presentEvent = (event: StoredEvent): z.input<typeof eventSchema> => ({
  id: event.id,
  webhookId: event.webhookId,
  receivedAt: event.receivedAt.toISOString(),
  state: event.state,
  revision: event.revision,
  bytes: event.bytes,
  alertIds: alertIdsOf(event),
  faults: event.faults,
  filter: event.filter?.reason ? { ...event.filter.reason, filteredItems: event.filter.items.length } : null,
});

/**
 * Returns an event with its body.
 * @throws RequestError 404 `not_found`, or 404 `not_stored_yet` while the queue holds events: this one may be among them
 */
export async function requireEvent({ database, redis, settings }: Services, id: string) {
  const found = await findEvent(database, id);
  if (found) return found;
  const empty = await queueDepths(redis, settings.redisPrefix, alertIntake.queues).then(
    areEmpty,
    () => false,
  );
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
