import { z } from 'zod';
import { EVENT_STATES, listEvents as readEvents } from '../../../db/events/events.js';
import { eventExport } from '../../../workers/queues/contracts/event-export.js';
import { failures } from '../../endpoint/error-responses.js';
import { ACCEPTED_HEADERS, accepted, success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { respondWithFile } from '../../jobs/respond-with-file.js';
import { arrival, sendArrivals } from '../../lists/arrivals.js';
import {
  announceCsv,
  escapeFormulas,
  listFormat,
  listFormatQuery,
  MADE_FILE_HEADERS,
} from '../../lists/list-format.js';
import { pageQuery, pageSchema } from '../../lists/list-page.js';
import { eventSchema, presentEvent } from './events.js';

const NARROW = 'Narrow the search with `webhookId`, or with `from` and `to`, or request a CSV.';

const listQuery = z.strictObject({
  ...pageQuery,
  format: listFormatQuery,
  webhookId: z.uuid().optional().meta({ description: 'Only events of this integration' }),
  state: z.enum(EVENT_STATES).optional().meta({ description: 'Only events with this outcome' }),
  ...arrival,
  escapeFormulas,
});

export const listEvents = defineRoute({
  method: 'get',
  path: '/v2/events',
  operationId: 'listEvents',
  tag: 'Event',
  summary: 'List events without their bodies, the newest first: a page as JSON, or all of them as CSV',
  description:
    'With `Accept: text/csv` or `format=csv`, a worker writes the file. The request waits for it up to 60 s (see `Prefer`), then ' +
    'responds with 202. A page responds with 503 `search_too_slow` if the database takes longer than 5 s.',
  scopes: ['alerts:read'],
  query: listQuery,
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: {
      description: 'A page, or the file',
      headers: MADE_FILE_HEADERS,
      body: {
        'application/json': z.object({ ...success, data: z.array(eventSchema), page: pageSchema }),
        'text/csv': z.string(),
      },
    },
    202: {
      description: 'The file is not ready yet; `Location` is its job',
      body: accepted,
      headers: ACCEPTED_HEADERS,
    },
    ...failures(400, 406, 429),
  },
  handle: async (input) => {
    const { ctx, query, apiKey, services } = input;
    const { pageSize, cursor, format: _, escapeFormulas = false, ...filters } = query;
    if (listFormat(ctx, query, { csv: ['escapeFormulas'], json: ['pageSize', 'cursor'] }) === 'csv') {
      const params = { version: 1 as const, filters, format: 'csv' as const, escapeFormulas };
      return ctx.method === 'HEAD'
        ? announceCsv(ctx)
        : respondWithFile(input, { contract: eventExport, params });
    }
    await sendArrivals(ctx, services, {
      apiKeyId: apiKey.id,
      page: { pageSize, cursor },
      filters,
      narrow: NARROW,
      read: readEvents,
      present: presentEvent,
    });
  },
});
