import { z } from 'zod';
import type { ApiKey, Scope } from '../../../db/access/api-keys.js';
import { findJob, JOB_STATES, type Job } from '../../../db/jobs/jobs.js';
import { type RecordedJobName, recordedContracts } from '../../../workers/queues/index.js';
import { hasScope } from '../../access/auth.js';
import { notFound } from '../../http/errors.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../http/route.js';
import type { Services } from '../../services.js';
import { errorSchema, failures, success, uploadColumns } from '../shared.js';

const JOB_TYPES = Object.keys(recordedContracts) as [RecordedJobName, ...RecordedJobName[]];

export const jobSchema = z
  .object({
    id: z.uuid(),
    type: z.enum(JOB_TYPES),
    state: z.enum(JOB_STATES),
    dryRun: z.boolean().meta({ description: 'Nothing is written: the counts are what would be done' }),
    progress: z.object({
      rowsRead: z.number().int(),
      rowsTotal: z.number().int().nullable(),
      bytesRead: z.number().int(),
      bytesTotal: z.number().int().nullable(),
      percent: z.number().nullable(),
    }),
    columns: uploadColumns.optional(),
    counts: z.record(z.string(), z.number().int()).nullable(),
    warnings: z.array(
      z.object({ code: z.string(), message: z.string(), count: z.number().int().optional() }),
    ),
    error: errorSchema.pick({ code: true, message: true, errors: true, errorCount: true }).optional(),
    links: z.record(z.string(), z.string()),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    attempts: z.number().int(),
  })
  .meta({ id: 'Job' });

/** The response of an operation that is a job, whether the job has ended or goes on. */
export const jobResponse = z
  .object({
    ...success,
    message: z.string(),
    jobId: z.uuid(),
    data: jobSchema
      .optional()
      .meta({ description: 'The job; absent only if it cannot be read at the moment' }),
  })
  .meta({ id: 'JobResponse' });

/** Whoever has any of these may have made a job. */
export const JOB_SCOPES = [
  'developer_records:read',
  'developer_records:write',
  'alerts:read',
  'webhooks:read',
  'webhooks:write',
] as const satisfies readonly Scope[];

export const getJob = defineRoute({
  method: 'get',
  path: '/v2/jobs/{id}',
  operationId: 'getJob',
  etag: true,
  tag: 'Job',
  summary: 'How a job is doing',
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
  handle: async ({ ctx, params, apiKey, services }) => {
    const job = await findVisibleJob(services, apiKey, params.id);
    if (!job.finishedAt) ctx.set('Retry-After', '1');
    ctx.body = { status: 'success', data: presentJob(job) };
  },
});

/**
 * The job, if this key may see it: any with the scope to read what it is about, else only those that it made itself.
 */
export async function findVisibleJob({ database }: Services, apiKey: ApiKey, id: string): Promise<Job> {
  const job = await findJob(database, id);
  const visible = job && (hasScope(apiKey, scopesOf(job).read) || job.apiKeyId === apiKey.id);
  if (!visible) throw notFound('job');
  return job;
}

/** Which scopes show a job, and let it be canceled or tried again: those of what it is about. */
export const scopesOf = ({ type }: Pick<Job, 'type'>): { read: Scope; change: Scope } =>
  SCOPES[type as RecordedJobName];

const SCOPES: Record<RecordedJobName, { read: Scope; change: Scope }> = {
  'identity-import': { read: 'developer_records:read', change: 'developer_records:write' },
  'identity-export': { read: 'developer_records:read', change: 'developer_records:write' },
  'alert-export': { read: 'alerts:read', change: 'developer_records:write' },
  'alert-remap': { read: 'webhooks:read', change: 'webhooks:write' },
};

export function presentJob(job: Job): z.input<typeof jobSchema> {
  return {
    id: job.id,
    type: job.type as RecordedJobName,
    state: job.state,
    dryRun: (job.params as { dryRun?: boolean }).dryRun ?? false,
    progress: presentProgress(job),
    ...(job.uploadColumns ? { columns: job.uploadColumns } : {}),
    counts: job.counts,
    warnings: job.warnings,
    ...(job.error ? { error: job.error } : {}),
    links: jobLinks(job),
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    expiresAt: job.expiresAt?.toISOString() ?? null,
    attempts: job.attempts,
  };
}

/** Whether the time is over for which a job's files are kept. */
export const isExpired = ({ expiresAt }: Job): boolean =>
  expiresAt !== null && expiresAt.getTime() <= Date.now();

/** Where the job and its files can be had. */
export function jobLinks(job: Job): Record<string, string> {
  const self = `/v2/jobs/${job.id}`;
  if (isExpired(job)) return { self };
  return {
    self,
    ...(job.resultKey ? { file: `${self}/file` } : {}),
    ...(job.rejectedKey ? { rejected: `${self}/rejected` } : {}),
  };
}

function presentProgress({ progress, finishedAt, state }: Job) {
  const { rowsRead = 0, rowsTotal = null, bytesRead = 0, bytesTotal = null } = progress ?? {};
  const done = finishedAt !== null && state.startsWith('completed');
  const share = rowsTotal ? rowsRead / rowsTotal : bytesTotal ? bytesRead / bytesTotal : null;
  const percent = done ? 100 : share === null ? null : Math.min(99, Math.floor(share * 100));
  return { rowsRead, rowsTotal, bytesRead, bytesTotal, percent };
}
