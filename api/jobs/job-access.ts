import type { Scope } from '../../db/access/api-keys.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { jobTypeOf, type RecordedJobName } from '../../workers/queues/index.js';
import { hasScope, type Principal } from '../access/auth.js';
import { notFound } from '../http/errors.js';
import type { ApiServices } from '../services.js';
import { JOB_TYPES } from './job-schema.js';

/** The scopes that open the job routes: a principal with any of them may have submitted a job. */
export const JOB_SCOPES = [
  'developer_records:read',
  'developer_records:write',
  'alerts:read',
  'alerts:write',
  'webhooks:read',
  'webhooks:write',
  'destinations:read',
  'destinations:write',
  'tables:read',
  'tables:write',
] as const satisfies readonly Scope[];

/** Those of them that may change jobs, each those of some types. */
export const CHANGE_SCOPES = [
  'developer_records:write',
  'alerts:write',
  'webhooks:write',
  'destinations:write',
  'tables:write',
] as const satisfies readonly Scope[];

interface JobScopes {
  read: Scope;
  /** For canceling and retrying. */
  change: (typeof CHANGE_SCOPES)[number];
}

const SCOPES: Record<RecordedJobName, JobScopes> = {
  'identity-import': { read: 'developer_records:read', change: 'developer_records:write' },
  'identity-revert': { read: 'developer_records:read', change: 'developer_records:write' },
  'identity-apply': { read: 'developer_records:read', change: 'developer_records:write' },
  'feed-run': { read: 'developer_records:read', change: 'developer_records:write' },
  'identity-export': { read: 'developer_records:read', change: 'developer_records:write' },
  'identity-worklist': { read: 'developer_records:read', change: 'developer_records:write' },
  'alert-export': { read: 'alerts:read', change: 'developer_records:write' },
  'event-export': { read: 'alerts:read', change: 'developer_records:write' },
  'alert-resolve': { read: 'alerts:read', change: 'alerts:write' },
  'alert-refold': { read: 'alerts:read', change: 'alerts:write' },
  'message-replay': { read: 'destinations:read', change: 'destinations:write' },
  'table-upload': { read: 'tables:read', change: 'tables:write' },
  'table-export': { read: 'tables:read', change: 'tables:write' },
  'alert-remap': { read: 'webhooks:read', change: 'webhooks:write' },
};

/** Returns the scopes that a job of this type requires. */
export const scopesOf = (job: Pick<Job, 'type'>): JobScopes => SCOPES[jobTypeOf(job)];

/**
 * Returns the job if the principal has the scope to read jobs of its type, or submitted it.
 * @throws RequestError 404 otherwise
 */
export async function findVisibleJob(
  { database }: Pick<ApiServices, 'database'>,
  principal: Principal,
  id: string,
): Promise<Job> {
  const job = await findJob(database, id);
  const visible = job && (hasScope(principal, scopesOf(job).read) || job.apiKeyId === principal.id);
  if (!visible) throw notFound('job');
  return job;
}

/** Returns the filter for a list of the jobs that the principal may see; undefined if it may see all. */
export function visibleJobs(
  principal: Principal,
): { types: RecordedJobName[]; apiKeyId: string } | undefined {
  const types = JOB_TYPES.filter((type) => hasScope(principal, scopesOf({ type }).read));
  return types.length === JOB_TYPES.length ? undefined : { types, apiKeyId: principal.id };
}
