import { z } from 'zod';
import { namesOfApiKeys } from '../../../db/access/api-keys.js';
import {
  type HistoryEntry,
  type HistoryPlace,
  listHistory,
} from '../../../db/identities/identity-history.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { PAGE_HEADERS, pageQuery, pageSchema, readPage } from '../../lists/list-page.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import { integrationIdText } from './filters.js';
import { identity } from './record.js';

const query = z.strictObject({
  integrationId: integrationIdText.meta({ description: 'Id of the integration' }),
  identity: identity.meta({ description: 'Name of the account' }),
  ...pageQuery,
});

/** Exported for the types of the console. */
export const entrySchema = z
  .object({
    changedAt: z.iso.datetime().meta({ description: 'With microseconds' }),
    outcome: z.enum(['created', 'updated', 'removed']),
    before: z.string().nullable().meta({ description: 'The owner before; null if there was none' }),
    after: z.string().nullable(),
    jobId: z.uuid().meta({ description: 'The upload, removal or revert' }),
    apiKey: z.object({
      id: z.uuid(),
      name: z.string().nullable().meta({ description: 'null if the key is unknown' }),
    }),
  })
  .meta({ id: 'IdentityHistoryEntry' });

const position = z
  .tuple([z.iso.datetime(), z.uuid()])
  .transform(([changedAt, jobId]): HistoryPlace => ({ changedAt, jobId }));

export const getHistory = defineRoute({
  method: 'get',
  path: '/v2/developers/identities/history',
  operationId: 'getIdentityHistory',
  tag: 'Identity',
  summary: 'Get the history of an account, newest first',
  description:
    'Returns each change of the owner: when, by which job and API key, and the owner before and after. Uploads that assert the ' +
    'stored owner again change nothing and are left out. Kept for 400 days (`IDENTITY_HISTORY_DAYS`).',
  scopes: ['developer_records:read'],
  query,
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: {
      description: 'A page of changes; empty for an unknown account',
      headers: PAGE_HEADERS,
      body: z.object({
        ...success,
        data: z.array(entrySchema),
        page: pageSchema,
        retentionDays: z
          .int()
          .meta({ description: 'After how many days changes are deleted; 0 if none are recorded' }),
      }),
    },
    ...failures(400, 503),
  },
  handle: async ({ ctx, query: { integrationId, identity, ...page }, apiKey, services }) => {
    let names = new Map<string, string>();
    const read = async (limit: number, after: HistoryPlace | undefined): Promise<HistoryEntry[]> => {
      const found = await readWithDeadline({
        services,
        apiKeyId: apiKey.id,
        narrow: 'Request smaller pages.',
        read: (database, withinMs) =>
          listHistory(database, { integrationId, identity }, { limit, after, withinMs }),
      });
      names = await namesOfApiKeys(services.database, [...new Set(found.map(({ apiKeyId }) => apiKeyId))]);
      return found;
    };
    const { rows, pageSize, nextCursor } = await readPage<HistoryEntry, HistoryPlace>(ctx, {
      page,
      filters: { integrationId, identity },
      position,
      positionOf: ({ changedAt, jobId }) => [changedAt, jobId],
      read: ({ limit, after }) => read(limit, after),
    });
    ctx.body = {
      status: 'success',
      data: rows.map((row) => present(row, names)),
      page: { pageSize, nextCursor },
      retentionDays: services.settings.identityHistoryDays,
    };
  },
});

function present(
  { changedAt, before, after, jobId, apiKeyId }: HistoryEntry,
  names: ReadonlyMap<string, string>,
): z.input<typeof entrySchema> {
  const apiKey = { id: apiKeyId, name: names.get(apiKeyId) ?? null };
  return { changedAt, outcome: outcomeOf({ before, after }), before, after, jobId, apiKey };
}

const outcomeOf = ({
  before,
  after,
}: Pick<HistoryEntry, 'before' | 'after'>): z.input<typeof entrySchema>['outcome'] => {
  if (before === null) return 'created';
  return after === null ? 'removed' : 'updated';
};
