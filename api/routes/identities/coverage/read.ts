import { z } from 'zod';
import { readCoverage } from '../../../../db/identities/coverage.js';
import { failures } from '../../../endpoint/error-responses.js';
import { success } from '../../../endpoint/responses.js';
import { defineRoute, NO_QUERY } from '../../../endpoint/route.js';
import { readWithDeadline } from '../../../lists/read-with-deadline.js';
import { integrationIdText } from '../filters.js';
import { presentCoverage } from './present.js';
import { coverageSchema } from './schema.js';

const NARROW = 'This account system has too many accounts to count at once. Export its identities instead.';

/** The path parameter of the routes of one account system. */
export const ACCOUNT_SYSTEM_PARAMS = z.strictObject({
  integrationId: integrationIdText.meta({ description: 'The account system' }),
});

export const getCoverage = defineRoute({
  method: 'get',
  path: '/v2/integrations/{integrationId}/coverage',
  operationId: 'getCoverage',
  tag: 'Identity',
  summary: 'Count the accounts and owners of an account system',
  description:
    'Counts now, within 5 s. `owners` is `null` if only the rest could be counted in that time (above about 3 million ' +
    'accounts); a query that takes longer returns 503 `search_too_slow`. An account system without accounts has zeros.',
  scopes: ['developer_records:read'],
  query: NO_QUERY,
  params: ACCOUNT_SYSTEM_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: { description: 'The counts', body: z.object({ ...success, data: coverageSchema }) },
    ...failures(404),
  },
  handle: async ({ ctx, params, principal, services }) => {
    const [data] = await readWithDeadline({
      services,
      apiKeyId: principal.id,
      narrow: NARROW,
      read: async (database, withinMs) =>
        presentCoverage(database, [await readCoverage(database, params.integrationId, withinMs)]),
    });
    ctx.body = { status: 'success', data };
  },
});
