import { z } from 'zod';
import type { ChangesKind } from '../../../db/identities/import-changes.js';
import type { Job } from '../../../db/jobs/jobs.js';
import { failures } from '../../endpoint/error-responses.js';
import { FILE_HEADERS, PART_HEADERS } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS } from '../../endpoint/route.js';
import { QUERY, summary } from '../../http/error-details.js';
import { badRequest, conflict, gone, notFound } from '../../http/errors.js';
import { CHANGES_FORMATS, ChangesFile, type ChangesForm } from '../../jobs/changes-file.js';
import { findVisibleJob } from '../../jobs/job-access.js';
import { isExpired } from '../../jobs/present-job.js';
import { sendFile } from '../../jobs/send-file.js';
import { escapeFormulas } from '../../lists/list-format.js';

const query = z.strictObject({
  format: z
    .enum(CHANGES_FORMATS)
    .default('csv')
    .meta({ description: '`csv` (default), or `csv.gz` for a file compressed with gzip' }),
  escapeFormulas,
});

const bytes = z.string().meta({ override: { type: 'string', format: 'binary' } });
const body = { 'text/csv': bytes, 'application/gzip': bytes };
const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', 'csv.gz': 'application/gzip' };

export const getChanges = defineRoute({
  method: 'get',
  path: '/v2/jobs/{id}/changes',
  operationId: 'downloadChanges',
  tag: 'Job',
  summary: 'Download what an upload, removal or dry run changed as CSV',
  description:
    'One row for each account, in the order of integration and account: `integrationId`, `identity`, the owner `before` and `after`, ' +
    '`outcome` (`created`, `updated`, `removed`, `superseded` or `not_found`) and `line`, or `index` after a JSON upload. Accounts ' +
    'whose owner stays are left out. After a dry run, these are the changes that the upload would make. Kept for 7 days.',
  scopes: ['developer_records:read', 'developer_records:write'],
  query,
  params: ID_PARAMS,
  headers: ['Range', 'If-Range', 'If-None-Match'],
  responses: {
    200: { description: 'The file', body, headers: FILE_HEADERS },
    206: { description: 'The part of the file that `Range` requests', body, headers: PART_HEADERS },
    304: {
      description: 'Not modified: `If-None-Match` contains the `ETag` of this file',
      headers: FILE_HEADERS,
    },
    ...failures(400, 404, 409, 410, 416),
  },
  handle: async ({ ctx, query: { format, escapeFormulas = false }, params, apiKey, services }) => {
    const form = { format, escapeFormulas };
    requireForm(form);
    const job = await findVisibleJob(services, apiKey, params.id);
    requireChanges(job);
    const kind: ChangesKind = 'changes';
    const file = new ChangesFile(services.database, job, kind, form);
    const name = `${kind}-${job.id}.${format}`;
    await sendFile(ctx, file, { key: file.key, name, type: MEDIA_TYPES[format] });
  },
});

/** @throws RequestError 400 for a compressed file with escapes: its parts are stored compressed, without them */
function requireForm({ format, escapeFormulas }: ChangesForm): void {
  if (format === 'csv' || !escapeFormulas) return;
  const errors = [
    { field: 'escapeFormulas', code: 'not_in_this_format', message: 'applies to `format=csv` only' },
  ];
  throw badRequest('invalid_query', summary(QUERY, errors), errors);
}

/** @throws RequestError 409 if the job has not ended, 410 if its changes have expired, 404 if it has none */
function requireChanges(job: Job): void {
  if (!job.type.startsWith('identity-import')) throw notFound('file', 'jobs of this type have no changes');
  if (!job.finishedAt)
    throw conflict('job_not_finished', 'The changes are complete once the job has ended.', job.id);
  if (isExpired(job)) throw gone('result_expired', 'The changes have expired. They are kept for 7 days.');
  if (job.changesBytes === null)
    throw notFound('file', 'the changes of this job were not recorded (`IMPORT_CHANGES`)');
}
