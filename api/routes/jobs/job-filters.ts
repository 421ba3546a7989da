import { z } from 'zod';
import { JOB_STATES } from '../../../db/jobs/jobs.js';
import { anyOf } from '../../endpoint/parameters.js';
import { JOB_TYPES } from '../../jobs/job-schema.js';
import { createdQuery } from '../../lists/time-query.js';

/** The query parameters that select jobs. */
export const jobFilterQuery = {
  type: anyOf(z.enum(JOB_TYPES), 'Only jobs of this type'),
  state: anyOf(z.enum(JOB_STATES), 'Only jobs in this state'),
  ...createdQuery,
};
