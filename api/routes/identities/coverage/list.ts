import { z } from 'zod';
import type { Database } from '../../../../db/client/connect.js';
import { isTooSlow } from '../../../../db/client/errors.js';
import { type Coverage, listIntegrationIds, readCoverage } from '../../../../db/identities/coverage.js';
import { failures } from '../../../endpoint/error-responses.js';
import { success } from '../../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../../endpoint/route.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage } from '../../../lists/list-page.js';
import { readWithDeadline } from '../../../lists/read-with-deadline.js';
import { presentCoverage, type Uncounted } from './present.js';
import { coverageSchema } from './schema.js';

const NARROW = 'Use a smaller `pageSize`.';
/** The most time for one account system, so that a large one leaves time for the others. It counts about 500,000 accounts. */
const EACH_WITHIN_MS = 1_000;

export const listCoverage = defineRoute({
  method: 'get',
  path: '/v2/integrations/coverage',
  operationId: 'listCoverage',
  tag: 'Identity',
  summary: 'Count the accounts and owners of all account systems',
  description:
    'Lists the account systems that have accounts, removed ones included, by `integrationId`. A page counts for at most 5 s, ' +
    'and at most 1 s for each account system. The counts of an account system that takes longer are `null`: request its own ' +
    'coverage.',
  scopes: ['developer_records:read'],
  query: z.strictObject(pageQuery),
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(coverageSchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: ({ ctx, query, principal, services }) =>
    sendPage<z.input<typeof coverageSchema>, number>(ctx, {
      page: query,
      filters: {},
      position: z.tuple([z.int().positive()]).transform(([integrationId]) => integrationId),
      positionOf: ({ integrationId }) => [integrationId],
      read: ({ limit, after }) =>
        readWithDeadline({
          services,
          apiKeyId: principal.id,
          narrow: NARROW,
          read: async (database, withinMs) => {
            const until = performance.now() + withinMs;
            const ids = await listIntegrationIds(database, { limit, after, withinMs });
            return presentCoverage(database, await countEach(database, ids, until));
          },
        }),
      present: (row) => row,
    }),
});

/** Counts one account system after the other, on one connection at a time, until the time is over. */
async function countEach(
  database: Database,
  ids: readonly number[],
  until: number,
): Promise<(Coverage | Uncounted)[]> {
  const coverages: (Coverage | Uncounted)[] = [];
  for (const integrationId of ids) {
    const leftMs = Math.min(EACH_WITHIN_MS, Math.floor(until - performance.now()));
    coverages.push(await countWithin(database, integrationId, leftMs));
  }
  return coverages;
}

async function countWithin(
  database: Database,
  integrationId: number,
  withinMs: number,
): Promise<Coverage | Uncounted> {
  if (withinMs < 1) return { integrationId };
  try {
    return await readCoverage(database, integrationId, withinMs);
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    return { integrationId };
  }
}
