import { z } from 'zod';
import { type Author, authorsOf } from '../../../db/access/upload-links.js';
import type { Database } from '../../../db/client/connect.js';
import { feedsOfPlans } from '../../../db/feeds/feed-plans.js';
import { type AppliedPlan, findAppliedPlans } from '../../../db/identities/history/applied-plans.js';
import {
  type HistoryEntry,
  type HistoryPlace,
  listHistory,
} from '../../../db/identities/history/list-history.js';
import { fileNamesOfJobs } from '../../../db/jobs/jobs.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { PAGE_HEADERS, pageQuery, pageSchema, readPage } from '../../lists/list-page.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import { integrationIdText } from './filters.js';
import { identity } from './record.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

const query = z.strictObject({
  integrationId: integrationIdText.meta({ description: 'Id of the account system' }),
  identity: identity.meta({ description: 'Name of the account' }),
  ...pageQuery,
});

/** Who made a change, or planned it. */
const author = z.object({
  apiKey: z
    .object({ id: z.uuid(), name: z.string().nullable().meta({ description: 'null if the key is unknown' }) })
    .meta({ description: 'The key, or the one that made the upload link' }),
  uploadLink: z
    .object({ id: z.uuid(), name: z.string() })
    .nullable()
    .meta({ description: 'The upload link that the file came through; null without one' }),
});

/** Exported for the types of the console. */
export const entrySchema = z
  .object({
    changedAt: z.iso.datetime().meta({ description: 'With microseconds' }),
    outcome: z.enum(['created', 'updated', 'removed']),
    before: z.string().nullable().meta({ description: 'The owner before; null if there was none' }),
    after: z.string().nullable(),
    jobId: z.uuid().meta({ description: 'The upload, removal, revert or applied plan' }),
    fileName: z.string().nullable().meta({
      description: 'The name of the uploaded file; null if the client sent none, or the job is deleted',
    }),
    ...author.shape,
    plan: z
      .object({
        jobId: z.uuid().meta({ description: 'The dry run' }),
        ...author.shape,
        reason: z.string().nullable().meta({ description: 'Why the plan was applied' }),
        feed: z
          .object({ id: z.uuid(), name: z.string().nullable() })
          .nullable()
          .meta({ description: 'The feed whose run made the plan. Its name is null if it was deleted' }),
      })
      .nullable()
      .meta({ description: 'The plan that `apiKey` has applied; null for other changes' }),
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
  handle: async ({ ctx, query: { integrationId, identity, ...page }, principal, services }) => {
    const { identityHistoryDays } = services.settings;
    const since = new Date(Date.now() - identityHistoryDays * DAY_MS);
    let names: Names = {
      authorOf: await authorsOf(services.database, []),
      files: new Map(),
      plans: new Map(),
      feeds: new Map(),
    };
    const read = async (limit: number, after: HistoryPlace | undefined): Promise<HistoryEntry[]> => {
      const found = await readWithDeadline({
        services,
        apiKeyId: principal.id,
        narrow: 'Request smaller pages.',
        read: (database, withinMs) =>
          listHistory(database, { integrationId, identity }, { limit, after, since, withinMs }),
      });
      names = await readNames(services.database, found);
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
      retentionDays: identityHistoryDays,
    };
  },
});

/** What the entries of a history refer to. */
interface Names {
  authorOf: (id: string) => Author;
  /** The names of uploaded files, by job. */
  files: ReadonlyMap<string, string>;
  /** The plans that jobs have applied. */
  plans: ReadonlyMap<string, AppliedPlan>;
  /** The feeds that made plans, by the plan. */
  feeds: ReadonlyMap<string, { id: string; name: string | null }>;
}

async function readNames(database: Database, entries: readonly HistoryEntry[]): Promise<Names> {
  const distinct = (ids: string[]) => [...new Set(ids)];
  const jobIds = distinct(entries.map(({ jobId }) => jobId));
  const plans = await findAppliedPlans(database, jobIds);
  const planners = [...plans.values()].map(({ plannedBy }) => plannedBy);
  return {
    authorOf: await authorsOf(database, [...entries.map(({ apiKeyId }) => apiKeyId), ...planners]),
    files: await fileNamesOfJobs(database, [...jobIds, ...[...plans.values()].map(({ planId }) => planId)]),
    plans,
    feeds: await feedsOfPlans(
      database,
      [...plans.values()].map(({ planId }) => planId),
    ),
  };
}

function present(
  { changedAt, before, after, jobId, apiKeyId }: HistoryEntry,
  { authorOf, files, plans, feeds }: Names,
): z.input<typeof entrySchema> {
  const applied = plans.get(jobId);
  const fileName = files.get(applied?.planId ?? jobId) ?? null;
  const plan = applied && {
    jobId: applied.planId,
    ...authorOf(applied.plannedBy),
    reason: applied.reason,
    feed: feeds.get(applied.planId) ?? null,
  };
  const outcome = outcomeOf({ before, after });
  const { apiKey, uploadLink } = authorOf(apiKeyId);
  return { changedAt, outcome, before, after, jobId, fileName, apiKey, uploadLink, plan: plan ?? null };
}

const outcomeOf = ({
  before,
  after,
}: Pick<HistoryEntry, 'before' | 'after'>): z.input<typeof entrySchema>['outcome'] => {
  if (before === null) return 'created';
  return after === null ? 'removed' : 'updated';
};
