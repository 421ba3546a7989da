import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { alertId } from '../../../db/events/alert-id.js';
import { countUntitled } from '../../../db/events/alerts.js';
import {
  EVENT_STATES,
  findEvent,
  listEvents as readEvents,
  type StoredEvent,
} from '../../../db/events/events.js';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { areEmpty, queueDepths } from '../../../workers/queues/depth.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { notFound, RequestError } from '../../http/errors.js';
import { arrival, sendArrivals } from '../../lists/arrivals.js';
import { PAGE_HEADERS, pageQuery, pageSchema } from '../../lists/list-page.js';
import type { Services } from '../../services.js';

export const faultSchema = z.object({
  field: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  path: z.string().optional().meta({ description: 'Path in the payload that was not found' }),
});

export const eventSchema = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    receivedAt: z.iso.datetime(),
    state: z.enum(EVENT_STATES),
    revision: z.number().int().meta({ description: 'Of the mapping; 0: there was none' }),
    bytes: z.number().int(),
    alertIds: z.array(z.uuid()),
    faults: z.array(faultSchema),
  })
  .meta({ id: 'Event' });

export const receiptSchema = eventSchema
  .extend({
    raw: z.string().meta({ description: 'The body as it was sent; of a rejected one its first 8 KiB' }),
    warnings: z.array(faultSchema).meta({
      description: 'What its alerts lack although they may be complete: `missing_title`',
    }),
    rawEncoding: z.enum(['utf-8', 'base64']).meta({ description: 'base64 when the body is no UTF-8' }),
  })
  .meta({ id: 'Receipt' });

export const getEvent = defineRoute({
  method: 'get',
  path: '/v2/events/{id}',
  operationId: 'getEvent',
  etag: true,
  tag: 'Event',
  summary: 'The receipt of an event: what became of it',
  scopes: ['alerts:read'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'The event', body: z.object({ ...success, data: receiptSchema }) },
    ...failures(404),
  },
  handle: async ({ ctx, params, services }) => {
    const found = await lookFor(services, params.id);
    const { event, raw } = found;
    const text = isUtf8(raw);
    ctx.body = {
      status: 'success',
      data: {
        ...presentEvent(event),
        warnings: await warningsOf(services, event),
        raw: raw.toString(text ? 'utf8' : 'base64'),
        rawEncoding: text ? 'utf-8' : 'base64',
      },
    };
  },
});

/** Returns what a person should know of an event whose alerts may all be complete. A title is not required. */
async function warningsOf(
  { database }: Services,
  event: StoredEvent,
): Promise<z.input<typeof faultSchema>[]> {
  const untitled = await countUntitled(database, event);
  if (untitled === 0) return [];
  const which = event.alertCount === 1 ? 'The alert has' : `${untitled} of ${event.alertCount} alerts have`;
  const message = `${which} no title. Change the template of title in the mapping, or give it a default.`;
  return [{ field: 'title', code: 'missing_title', message }];
}

const listQuery = z.strictObject({
  ...pageQuery,
  webhookId: z.uuid().optional().meta({ description: 'Only events of this integration' }),
  state: z.enum(EVENT_STATES).optional().meta({ description: 'Only events with this outcome' }),
  ...arrival,
});

const NARROW = 'Narrow it by webhookId, or by from and to.';

export const listEvents = defineRoute({
  method: 'get',
  path: '/v2/events',
  operationId: 'listEvents',
  tag: 'Event',
  summary: 'Events, newest first, without their bodies',
  description: 'A page that takes the database over 5 s ends in 503 `search_too_slow`.',
  scopes: ['alerts:read'],
  query: listQuery,
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(eventSchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: async ({ ctx, query: { pageSize, cursor, ...filters }, apiKey, services }) =>
    sendArrivals(ctx, services, {
      apiKeyId: apiKey.id,
      page: { pageSize, cursor },
      filters,
      narrow: NARROW,
      read: readEvents,
      present: presentEvent,
    }),
});

export const presentEvent = (event: StoredEvent): z.input<typeof eventSchema> => ({
  id: event.id,
  webhookId: event.webhookId,
  receivedAt: event.receivedAt.toISOString(),
  state: event.state,
  revision: event.revision,
  bytes: event.bytes,
  alertIds: Array.from({ length: event.alertCount }, (_, number) => alertId(event.id, number)),
  faults: event.faults,
});

/** The event; while anything is on its way, what is not stored may be among it, or may just have arrived. */
async function lookFor({ database, redis, settings }: Services, id: string) {
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
  throw new RequestError(404, 'not_stored_yet', 'This event is not stored yet; it may be on its way.', {
    headers: { 'Retry-After': '1' },
  });
}
