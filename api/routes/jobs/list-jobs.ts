import { z } from 'zod';
import { JOB_STATES } from '../../../db/jobs/jobs.js';
import { listJobs } from '../../../db/jobs/list-jobs.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { JOB_SCOPES, visibleJobs } from '../../jobs/job-access.js';
import { JOB_TYPES, jobSchema } from '../../jobs/job-schema.js';
import { presentJob } from '../../jobs/present-job.js';
import { decodeCursor, encodeCursor } from '../../lists/cursor.js';
import { PAGE_HEADERS, pageQuery, pageSchema, pageSizeOf } from '../../lists/list-page.js';
import { linkNext } from '../../lists/next-link.js';

const query = z.strictObject({
  type: z.enum(JOB_TYPES).optional().meta({ description: 'Only jobs of this type' }),
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
    const visible = visibleJobs(apiKey);
    const found = await listJobs(services.database, { ...list, visible }, { limit: pageSize + 1, before });
    const jobs = found.slice(0, pageSize);
    const last = found.length > pageSize ? jobs.at(-1) : undefined;
    const nextCursor = last ? encodeCursor(ctx, list, [last.id]) : null;
    if (nextCursor) linkNext(ctx, nextCursor);
    ctx.body = { status: 'success', data: jobs.map(presentJob), page: { pageSize, nextCursor } };
  },
});
