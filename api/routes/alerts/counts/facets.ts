import { z } from 'zod';
import { Deadline } from '../../../../db/client/deadline.js';
import {
  countFacet,
  FACET_FIELDS,
  type Facet,
  type FacetField,
  MAX_FACET_VALUES,
} from '../../../../db/events/counts/alert-facets.js';
import { AlertCounts } from '../../../../db/events/counts/counted-alerts.js';
import { failures } from '../../../endpoint/error-responses.js';
import { commaList } from '../../../endpoint/parameters.js';
import { success } from '../../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../../endpoint/route.js';
import { readWithDeadline } from '../../../lists/read-with-deadline.js';
import { receivedQuery } from '../../../lists/time-query.js';
import { alertFilterQuery, countedFromSchema, NARROW_COUNT } from '../filters.js';
import { checkOwnerFilter, requireOwners, seesOwners } from '../owners.js';

const facetSchema = z.object({
  values: z.array(z.object({ value: z.string().nullable(), alerts: z.number().int() })).meta({
    description: `At most ${MAX_FACET_VALUES}, the most frequent first. \`null\`: alerts without one`,
  }),
  hasMore: z.boolean().meta({ description: 'Whether there are further values' }),
  countedFrom: countedFromSchema,
});

export const facetsSchema = z
  .partialRecord(
    z.enum(FACET_FIELDS),
    facetSchema.nullable().meta({ description: '`null`: counting it took too long' }),
  )
  .meta({ id: 'AlertFacets' });

export const getAlertFacets = defineRoute({
  method: 'get',
  path: '/v2/alerts/facets',
  operationId: 'getAlertFacets',
  tag: 'Alert',
  summary: 'Count alerts by the values of their fields',
  description:
    'Takes the filters of the list of alerts. The filter by a field itself does not apply to the values of that field, so they are the ones that ' +
    'could be added to it. Severities are in lower case. Each field costs the database a pass over the alerts of the time range, and all together ' +
    'may take 5 s: request only the fields that you need.',
  scopes: ['alerts:read'],
  query: z.strictObject({
    ...alertFilterQuery,
    ...receivedQuery,
    fields: commaList
      .pipe(z.array(z.enum(FACET_FIELDS)).max(FACET_FIELDS.length))
      .optional()
      .meta({
        description:
          'The fields to count by, separated by commas. Default: all. `ownerEmail` needs the scope `developer_records:read`',
        override: {
          type: 'array',
          items: { type: 'string', enum: FACET_FIELDS },
          minItems: 1,
          maxItems: FACET_FIELDS.length,
        },
      }),
  }),
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: { description: 'The values of each field', body: z.object({ ...success, data: facetsSchema }) },
    ...failures(400, 429),
  },
  handle: async ({ ctx, query: { fields, ...filters }, principal, services }) => {
    checkOwnerFilter(principal, filters);
    if (fields?.includes('ownerEmail')) requireOwners(principal);
    const counted = fields ?? FACET_FIELDS.filter((name) => name !== 'ownerEmail' || seesOwners(principal));
    const data = await readWithDeadline({
      services,
      apiKeyId: principal.id,
      narrow: NARROW_COUNT,
      read: async (database, withinMs) => {
        const counts = new AlertCounts(database, new Deadline(withinMs));
        const facets: [FacetField, ReturnType<typeof presentFacet>][] = [];
        for (const field of new Set(counted))
          facets.push([field, presentFacet(await countFacet(counts, filters, field))]);
        return Object.fromEntries(facets);
      },
    });
    ctx.body = { status: 'success', data };
  },
});

const presentFacet = (facet: Facet | null) =>
  facet && { ...facet, countedFrom: facet.countedFrom?.toISOString() ?? null };
