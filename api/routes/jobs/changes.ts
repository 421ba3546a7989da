import { z } from 'zod';
import type { ChangesKind } from '../../../db/identities/import-changes.js';
import type { Job } from '../../../db/jobs/jobs.js';
import { isExpired } from '../../../workers/callbacks/present-job.js';
import { identityApply } from '../../../workers/queues/contracts/identity-apply.js';
import { identityImport } from '../../../workers/queues/contracts/identity-import.js';
import { identityRevert } from '../../../workers/queues/contracts/identity-revert.js';
import { failures } from '../../endpoint/error-responses.js';
import { CSV_OR_GZIP, fileResponses } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, type Input } from '../../endpoint/route.js';
import { QUERY, summary } from '../../http/error-details.js';
import { badRequest, conflict, gone, notFound } from '../../http/errors.js';
import { CHANGES_FORMATS, ChangesFile, type ChangesForm } from '../../jobs/changes-file.js';
import { findVisibleJob } from '../../jobs/job-access.js';
import { sendFile } from '../../jobs/send-file.js';
import { escapeFormulas } from '../../lists/list-format.js';

const query = z.strictObject({
  format: z
    .enum(CHANGES_FORMATS)
    .default('csv')
    .meta({ description: '`csv` (default), or `csv.gz` for a file compressed with gzip' }),
  escapeFormulas,
});

/** The types of jobs that have changes. */
const WITH_CHANGES: readonly string[] = [identityImport.name, identityRevert.name, identityApply.name];
const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', 'csv.gz': 'application/gzip' };

const download = {
  method: 'get',
  tag: 'Job',
  // It names present owners, also of a dry run, which every key that may upload can start.
  scopes: ['developer_records:read'],
  query,
  params: ID_PARAMS,
  headers: ['Range', 'If-Range', 'If-None-Match'],
  responses: {
    ...fileResponses(CSV_OR_GZIP),
    ...failures(400, 404, 409, 410, 416),
  },
} as const;

export const getChanges = defineRoute({
  ...download,
  path: '/v2/jobs/{id}/changes',
  operationId: 'downloadChanges',
  summary: 'Download what an upload, removal, revert, applied plan or dry run changed as CSV',
  description:
    'One row for each account, in the order of account system and account: `integrationId`, `identity`, the owner `before` and `after`, ' +
    '`outcome` (`created`, `updated`, `removed`, `superseded`, `not_found` or, after a revert, `restored`) and `line`, or `index` after ' +
    'a JSON upload. Accounts whose owner stays are left out. After a dry run, these are the changes that the upload would make. Kept ' +
    'for 7 days.',
  handle: (input) => sendChanges(input, 'changes'),
});

export const getSkipped = defineRoute({
  ...download,
  path: '/v2/jobs/{id}/skipped',
  operationId: 'downloadSkipped',
  summary: 'Download the accounts that a revert skipped as CSV',
  description:
    'The columns are those of the changes file. `before` and `after` are the owner that the account has, `outcome` is `skipped`. A later ' +
    'upload has asserted these accounts, or they were reverted before.',
  handle: (input) => sendChanges(input, 'skipped'),
});

export const getConflicts = defineRoute({
  ...download,
  path: '/v2/jobs/{id}/conflicts',
  operationId: 'downloadConflicts',
  summary: 'Download the accounts that applying a plan refused as CSV',
  description:
    'The columns are those of the changes file and `owner`. `before` and `after` are what was planned, `outcome` is `conflict`, and `owner` is the ' +
    'owner that the account had when the plan was applied. If it equals `before`, a later upload has asserted that owner.',
  handle: (input) => sendChanges(input, 'conflicts'),
});

async function sendChanges(
  {
    ctx,
    query: { format, escapeFormulas = false },
    params,
    principal,
    services,
  }: Input<z.infer<typeof query>, { id: string }>,
  kind: ChangesKind,
): Promise<void> {
  const form = { format, escapeFormulas };
  requireForm(form);
  const job = await findVisibleJob(services, principal, params.id);
  requireChanges(job);
  if (kind === 'skipped' && job.type !== identityRevert.name)
    throw notFound('file', 'only a revert skips accounts');
  if (kind === 'conflicts' && job.type !== identityApply.name)
    throw notFound('file', 'only applying a plan has conflicts');
  const file = new ChangesFile(services.database, job, kind, form);
  const name = `${kind}-${job.id}.${format}`;
  await sendFile(ctx, file, { key: file.key, name, type: MEDIA_TYPES[format] });
}

/** @throws RequestError 400 for a compressed file with escapes: its parts are stored compressed, without them */
function requireForm({ format, escapeFormulas }: ChangesForm): void {
  if (format === 'csv' || !escapeFormulas) return;
  const errors = [
    { field: 'escapeFormulas', code: 'not_in_this_format', message: 'applies to `format=csv` only' },
  ];
  throw badRequest('invalid_query', summary(QUERY, errors), errors);
}

/** @throws RequestError 409 if the job has not ended, 410 if its changes have expired, 404 if it has none */
export function requireChanges(job: Job): void {
  if (!WITH_CHANGES.includes(job.type)) throw notFound('file', 'jobs of this type have no changes');
  if (!job.finishedAt)
    throw conflict('job_not_finished', 'The changes are complete once the job has ended.', job.id);
  if (isExpired(job)) throw gone('result_expired', 'The changes have expired. They are kept for 7 days.');
  if (job.changesBytes === null) throw notFound('file', 'no changes of this job were recorded');
}
