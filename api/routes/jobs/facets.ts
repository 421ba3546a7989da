import { z } from 'zod';
import { countJobs, type JobCount, type JobFilters, MAX_COUNTED_JOBS } from '../../../db/jobs/list-jobs.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { JOB_SCOPES, visibleJobs } from '../../jobs/job-access.js';
import { JOB_TYPES } from '../../jobs/job-schema.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import { jobFilterQuery } from './job-filters.js';

const count = z.number().int();
const values = z.array(z.object({ value: z.string(), jobs: count }));

/** Exported for the types of the console. */
export const jobFacetsSchema = z
  .object({
    jobs: count.meta({ description: 'Jobs that match all filters' }),
    countedFrom: z.iso
      .datetime()
      .nullable()
      .meta({
        description: `\`null\`: all jobs of the time range are counted. Otherwise only jobs among the newest ${MAX_COUNTED_JOBS}, created at this time or later`,
      }),
    type: values.meta({ description: 'The most frequent first. The filter by type does not apply to them' }),
    state: values.meta({
      description: 'The most frequent first. The filter by state does not apply to them',
    }),
  })
  .meta({ id: 'JobFacets' });

export const getJobFacets = defineRoute({
  method: 'get',
  path: '/v2/jobs/facets',
  operationId: 'getJobFacets',
  tag: 'Job',
  summary: 'Count jobs by type and state',
  description: 'Takes the filters of the list of jobs, except `revertOf` and `applyOf`.',
  scopes: JOB_SCOPES,
  query: z.strictObject(jobFilterQuery),
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: { description: 'The counts', body: z.object({ ...success, data: jobFacetsSchema }) },
    ...failures(400),
  },
  handle: async ({ ctx, query: { from, to, ...chosen }, principal, services }) => {
    const counts = await readWithDeadline({
      services,
      apiKeyId: principal.id,
      narrow: 'Narrow the count with `from` and `to`.',
      read: (database, withinMs) => countJobs(database, { from, to }, { apiKeyId: principal.id, withinMs }),
    });
    ctx.body = { status: 'success', data: toFacets(counts, chosen, visibleJobs(principal)?.types) };
  },
});

function toFacets(
  counts: readonly JobCount[],
  { type, state }: Pick<JobFilters, 'type' | 'state'>,
  visibleTypes: readonly string[] = JOB_TYPES,
): z.input<typeof jobFacetsSchema> {
  const visible = counts.filter((one) => one.isOwn || visibleTypes.includes(one.type));
  const ofType = visible.filter((one) => type === undefined || [type].flat().includes(one.type));
  const ofState = visible.filter((one) => state === undefined || [state].flat().includes(one.state));
  const oldest = Math.min(...counts.map((one) => one.oldest.getTime()));
  return {
    jobs: sum(ofType.filter((one) => ofState.includes(one))),
    countedFrom: sum(counts) < MAX_COUNTED_JOBS ? null : new Date(oldest).toISOString(),
    type: byValue(ofState, 'type'),
    state: byValue(ofType, 'state'),
  };
}

const sum = (counts: readonly JobCount[]): number => counts.reduce((all, { jobs }) => all + jobs, 0);

const byValue = (counts: readonly JobCount[], field: 'type' | 'state') =>
  [...new Set(counts.map((one) => one[field]))]
    .map((value) => ({ value, jobs: sum(counts.filter((one) => one[field] === value)) }))
    .sort((one, other) => other.jobs - one.jobs);
