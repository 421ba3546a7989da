import { z } from 'zod';
import type { ApiKey } from '../../../db/access/api-keys.js';
import { JOB_STATES } from '../../../db/jobs/jobs.js';
import { listJobs } from '../../../db/jobs/list-jobs.js';
import { type RecordedJobName, recordedContracts } from '../../../workers/queues/index.js';
import { hasScope } from '../../access/auth.js';
import { defineRoute, NO_PARAMS } from '../../http/route.js';
import { decodeCursor, encodeCursor } from '../../lists/cursor.js';
import { pageQuery, pageSchema, pageSizeOf } from '../../lists/list-page.js';
import { linkNext } from '../../lists/next-link.js';
import { failures, PAGE_HEADERS, success } from '../shared.js';
import { JOB_SCOPES, jobSchema, presentJob, scopesOf } from './jobs.js';

const query = z.strictObject({
  type: z
    .enum(Object.keys(recordedContracts) as [RecordedJobName])
    .optional()
    .meta({ description: 'Only jobs of this type' }),
  state: z.enum(JOB_STATES).optional().meta({ description: 'Only jobs in this state' }),
  ...pageQuery,
});
const place = z.tuple([z.uuid()]);

export const getJobs = defineRoute({
  method: 'get',
  path: '/v2/jobs',
  operationId: 'listJobs',
  tag: 'Job',
  summary: 'Jobs, newest first',
  description: 'Jobs about what this key may read, and those that it made.',
  scopes: JOB_SCOPES,
  query,
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({
        ...success,
        data: z.array(jobSchema),
        page: pageSchema,
      }),
    },
    ...failures(400),
  },
  handle: async ({ ctx, query, apiKey, services }) => {
    const { type, state, cursor } = query;
    const pageSize = pageSizeOf(query);
    const list = { type, state };
    const [before] = cursor === undefined ? [] : decodeCursor(ctx, list, cursor, place);
    const visible = visibleTo(apiKey);
    const found = await listJobs(services.database, { ...list, visible }, { limit: pageSize + 1, before });
    const jobs = found.slice(0, pageSize);
    const last = found.length > pageSize ? jobs.at(-1) : undefined;
    const nextCursor = last ? encodeCursor(ctx, list, [last.id]) : null;
    if (nextCursor) linkNext(ctx, nextCursor);
    ctx.body = { status: 'success', data: jobs.map(presentJob), page: { pageSize, nextCursor } };
  },
});

/** All jobs to a key that may read whatever they are about. */
function visibleTo(apiKey: ApiKey) {
  const all = Object.keys(recordedContracts) as RecordedJobName[];
  const types = all.filter((type) => hasScope(apiKey, scopesOf({ type }).read));
  return types.length === all.length ? undefined : { types, apiKeyId: apiKey.id };
}
