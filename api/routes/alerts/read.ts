import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import type { Alert } from '../../../db/events/alerts/alerts.js';
import { findEvent } from '../../../db/events/events.js';
import { seriesId } from '../../../db/series/series.js';
import { findRepetitions } from '../../../db/series/series-expiries.js';
import type { Principal } from '../../access/auth.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { withOutcomes } from '../events/outcomes.js';
import { eventSchema, presentEvent } from '../events/schema.js';
import { type FieldResults, fieldResultsOf } from './field-results.js';
import { requireAlert } from './find-alert.js';
import { lookupSchema, shownByName } from './lookups.js';
import { shownResults } from './owners.js';
import { alertSchema, presentAlert } from './schema.js';

const fieldResult = z.object({
  value: z.string().nullable(),
  result: z.enum(['resolved', 'defaulted', 'missing']),
  paths: z.array(z.string()),
  missing: z.array(
    z.object({
      path: z.string(),
      nearest: z.string().nullable(),
      expandJson: z.string().optional().meta({
        description:
          'The text at this path contains JSON. Add the path to `expandJson` to make the nearest path work',
      }),
    }),
  ),
  absent: z.array(z.string()).optional(),
  warnings: z.array(z.object({ code: z.string(), message: z.string(), value: z.string().optional() })),
});
/** How fields were filled, by name of the field. */
export const fieldResults = z.record(z.string(), fieldResult);
const resultsWithEvent = z.record(
  z.string(),
  fieldResult.extend({ eventId: z.uuid().meta({ description: 'The event that the value comes from' }) }),
);

export const alertDetailSchema = alertSchema
  .extend({
    event: eventSchema.nullable().meta({ description: 'Its first event. `null` after it has expired' }),
    repeated: z.object({ count: z.number().int(), lastAt: z.iso.datetime() }).nullable().meta({
      description:
        'How often its last event came again, word for word, without being stored: what Prometheus sends each minute while an alert lasts. `null`: not since its last event',
    }),
    results: z
      .object({
        fields: resultsWithEvent,
        custom: resultsWithEvent,
        lookups: z.record(z.string(), lookupSchema).optional().meta({
          description:
            'What was looked up for its newest event of these, by the name of the lookup. Absent if the mapping has no lookups',
        }),
      })
      .nullable()
      .meta({
        description:
          'How each field was filled, by the event that its value comes from. A field whose event has expired is absent; `null` if all have, or if the server or its database is too busy',
      }),
  })
  .meta({ id: 'AlertDetail' });

export const getAlert = defineRoute({
  method: 'get',
  path: '/v2/alerts/{id}',
  operationId: 'getAlert',
  etag: true,
  tag: 'Alert',
  summary: 'Get an alert, its event, and how each field was filled',
  scopes: ['alerts:read'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'The alert', body: z.object({ ...success, data: alertDetailSchema }) },
    ...failures(404),
  },
  handle: async (input) => {
    const { ctx, params, services } = input;
    const alert = await requireAlert(services.database, params.id);
    const found = await findEvent(services.database, alert.eventId);
    const event = found && (await withOutcomes(services.database, found.event));
    const results = await fieldResultsOf(input, alert, found);
    ctx.body = {
      status: 'success',
      data: {
        ...presentAlert(alert, input.principal),
        event: event ? presentEvent(event) : null,
        repeated: await repeatedOf(services.database, alert),
        results: results && (await shown(services.database, input.principal, results)),
      },
    };
  },
});

/** Returns how the fields of an alert were filled as a principal sees it. */
async function shown(database: Database, principal: Principal, { fields, custom, lookups }: FieldResults) {
  const lookedUp = lookups ? { lookups: await shownByName(database, principal, lookups) } : {};
  return { fields: shownResults(principal, fields), custom, ...lookedUp };
}

/** Returns how often the last event of an alert was repeated. A row of another event belongs to another alert of the series, or to none. */
async function repeatedOf(database: Database, { webhookId, dedupKey, lastEventAt }: Alert) {
  if (dedupKey === null) return null;
  const found = await findRepetitions(database, seriesId(webhookId, dedupKey));
  if (found?.receivedAt.getTime() !== lastEventAt.getTime()) return null;
  return { count: found.count, lastAt: found.lastAt.toISOString() };
}
