import { z } from 'zod';
import { JOB_STATES } from '../../db/jobs.js';
import { listJobs } from '../../db/list-jobs.js';
import { type RecordedJobName, recordedContracts } from '../../workers/queues/index.js';
import { hasScope } from '../auth.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { linkNext } from '../next-link.js';
import { defineRoute, NO_PARAMS } from '../route.js';
import { jobSchema, presentJob } from './jobs.js';
import { failures, pageSize, success } from './shared.js';

const query = z.strictObject({
  type: z.enum(Object.keys(recordedContracts) as [RecordedJobName]).optional(),
  state: z.enum(JOB_STATES).optional(),
  pageSize: pageSize.default(50),
  cursor: z.string().max(4_000).optional(),
});
const place = z.tuple([z.uuid()]);

export const getJobs = defineRoute({
  method: 'get',
  path: '/v2/jobs',
  tag: 'Job',
  summary: 'Jobs, newest first',
  description: 'Without the scope to read, only the jobs that this key made.',
  scopes: ['developer_records:read', 'developer_records:write', 'webhooks:write'],
  query,
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page',
      body: z.object({
        ...success,
        data: z.array(jobSchema),
        page: z.object({ pageSize: z.number().int(), nextCursor: z.string().nullable() }),
      }),
    },
    ...failures(400),
  },
  handle: async ({ ctx, query, apiKey, services }) => {
    const { type, state, pageSize, cursor } = query;
    const list = { type, state };
    const [before] = cursor === undefined ? [] : decodeCursor(list, cursor, place);
    const apiKeyId = hasScope(apiKey, 'developer_records:read') ? undefined : apiKey.id;
    const found = await listJobs(services.database, { ...list, apiKeyId }, { limit: pageSize + 1, before });
    const jobs = found.slice(0, pageSize);
    const last = found.length > pageSize ? jobs.at(-1) : undefined;
    const nextCursor = last ? encodeCursor(list, [last.id]) : null;
    if (nextCursor) linkNext(ctx, nextCursor);
    ctx.body = { status: 'success', data: jobs.map(presentJob), page: { pageSize, nextCursor } };
  },
});
