import { z } from 'zod';
import { ALERT_STATES, listAlerts as readAlerts } from '../../../db/events/alerts.js';
import { alertExport } from '../../../workers/queues/contracts/alert-export.js';
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
import { alertSchema, presentAlert } from './schema.js';

const exactly = z.string().min(1).max(255).optional();
const NARROW = 'Narrow the search with `webhookId`, or with `from` and `to`, or request a CSV.';

const listQuery = z.strictObject({
  ...pageQuery,
  format: listFormatQuery,
  webhookId: z.uuid().optional().meta({ description: 'Only alerts of this integration' }),
  state: z.enum(ALERT_STATES).optional().meta({ description: '`incomplete`: a required field is missing' }),
  severity: exactly.meta({ description: 'Case-insensitive: `Critical` finds `critical`' }),
  source: exactly.meta({ description: 'Only alerts with exactly this source' }),
  service: exactly.meta({ description: 'Only alerts with exactly this service' }),
  environment: exactly.meta({ description: 'Only alerts with exactly this environment' }),
  team: exactly.meta({ description: 'Only alerts with exactly this team' }),
  ...arrival,
  search: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'Any part of the title or the description, case-insensitive' }),
  escapeFormulas,
});

export const listAlerts = defineRoute({
  method: 'get',
  path: '/v2/alerts',
  operationId: 'listAlerts',
  tag: 'Alert',
  summary: 'List alerts, the newest first: a page as JSON, or all of them as CSV',
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
        'application/json': z.object({ ...success, data: z.array(alertSchema), page: pageSchema }),
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
        : respondWithFile(input, { contract: alertExport, params });
    }
    await sendArrivals(ctx, services, {
      apiKeyId: apiKey.id,
      page: { pageSize, cursor },
      filters,
      narrow: NARROW,
      read: readAlerts,
      present: presentAlert,
    });
  },
});
