import { z } from 'zod';
import { listJobs } from '../../../db/jobs/list-jobs.js';
import { presentJob } from '../../../workers/callbacks/present-job.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { findVisibleJob, JOB_SCOPES, visibleJobs } from '../../jobs/job-access.js';
import { jobSchema } from '../../jobs/job-schema.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage } from '../../lists/list-page.js';
import { jobFilterQuery } from './job-filters.js';

const query = z.strictObject({
  ...jobFilterQuery,
  revertOf: z.uuid().optional().meta({ description: 'Only reverts of this job' }),
  applyOf: z.uuid().optional().meta({ description: 'Only jobs that apply the plan of this dry run' }),
  uploadLink: z.uuid().optional().meta({ description: 'Only uploads and dry runs through this upload link' }),
  ...pageQuery,
});
const position = z.tuple([z.uuid()]).transform(([id]) => id);

export const getJobs = defineRoute({
  method: 'get',
  path: '/v2/jobs',
  operationId: 'listJobs',
  tag: 'Job',
  summary: 'List jobs, newest first',
  description: 'Returns the jobs whose data this key may read, and the jobs that it submitted.',
  scopes: JOB_SCOPES,
  query,
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page of jobs',
      headers: PAGE_HEADERS,
      body: z.object({
        ...success,
        data: z.array(jobSchema),
        page: pageSchema,
      }),
    },
    ...failures(400, 404),
  },
  handle: async ({ ctx, query: { pageSize, cursor, ...filters }, principal, services }) => {
    const { revertOf, applyOf, ...others } = filters;
    const reverted = revertOf === undefined ? undefined : await findVisibleJob(services, principal, revertOf);
    if (applyOf !== undefined) await findVisibleJob(services, principal, applyOf);
    const visible = visibleJobs(principal);
    await sendPage(ctx, {
      page: { pageSize, cursor },
      filters,
      position,
      positionOf: ({ id }) => [id],
      read: ({ limit, after }) =>
        listJobs(
          services.database,
          { ...others, revertOf: reverted, applyOf, visible },
          { limit, before: after },
        ),
      present: presentJob,
    });
  },
});
