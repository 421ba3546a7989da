import { z } from 'zod';
import { presentJob } from '../../../workers/callbacks/present-job.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { findVisibleJob, JOB_SCOPES } from '../../jobs/job-access.js';
import { jobSchema } from '../../jobs/job-schema.js';

export const getJob = defineRoute({
  method: 'get',
  path: '/v2/jobs/{id}',
  operationId: 'getJob',
  etag: true,
  tag: 'Job',
  summary: 'Get a job',
  description:
    'Returns the state, progress and outcome of a job. Poll it every `Retry-After` seconds until it has ended.',
  scopes: JOB_SCOPES,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'The job',
      body: z.object({ ...success, data: jobSchema }),
      headers: { 'Retry-After': 'sometimes' },
    },
    ...failures(404),
  },
  handle: async ({ ctx, params, principal, services }) => {
    const job = await findVisibleJob(services, principal, params.id);
    if (!job.finishedAt) ctx.set('Retry-After', '1');
    const { uploadLink, ...others } = presentJob(job);
    // Somebody with a link does not see the keys of those who have made it.
    const data = principal.uploadLink || !uploadLink ? others : Object.assign(others, { uploadLink });
    ctx.body = { status: 'success', data };
  },
});
