import { z } from 'zod';
import { JSON_MAX_RECORDS } from '../../../workers/identities/record/identity-json.js';
import { isJson } from '../../body/read-body.js';
import { receiveUpload } from '../../body/receive-upload.js';
import { failures } from '../../endpoint/error-responses.js';
import { flag } from '../../endpoint/parameters.js';
import { defineRoute, type Input, NO_PARAMS } from '../../endpoint/route.js';
import { QUERY, summary } from '../../http/error-details.js';
import { badRequest, unsupportedMedia } from '../../http/errors.js';
import { checkJobLimits } from '../../jobs/job-limits.js';
import { uploadColumns } from '../../jobs/job-schema.js';
import { acceptedResponse, importJson, importUpload, uploadResponse } from './import-upload.js';
import { recordSchema } from './record.js';

const patchQuery = z.strictObject({
  onError: z.enum(['abort', 'continue']).optional().meta({
    description:
      'CSV only. `abort` (default): one invalid row rejects the file. `continue`: the valid rows are written',
  }),
  dryRun: flag.default(false).meta({
    description: 'Write nothing; only count what the upload would do',
    override: { type: 'boolean', default: false },
  }),
  charset: z.string().min(1).max(40).optional().meta({
    description:
      'CSV only. The encoding of the file if it is neither UTF-8 nor UTF-16, for example `windows-1252`',
  }),
});

const recordsSchema = z.array(recordSchema).min(1, 'must contain at least one record').max(JSON_MAX_RECORDS);

export const patchIdentities = defineRoute({
  method: 'patch',
  path: '/v2/developers/identities',
  operationId: 'updateIdentities',
  tag: 'Identity',
  summary: 'Add accounts or change their owners, from JSON or a CSV file',
  description:
    'JSON: 1 to 10,000 records, at most 8 MiB. CSV: multipart with one file part `file`, plain or gzip, with a header ' +
    'that names `email`, `integrationId` and `identity`. The upload that was accepted later wins.',
  scopes: ['developer_records:write'],
  query: patchQuery,
  params: NO_PARAMS,
  upload: true,
  idempotent: true,
  headers: ['Prefer'],
  requestBody: {
    'application/json': recordsSchema,
    'multipart/form-data': z.object({
      file: z.string().meta({ override: { type: 'string', format: 'binary' } }),
    }),
  },
  responses: {
    200: {
      description: 'Done',
      body: uploadResponse('total', 'created', 'updated', 'unchanged', 'superseded', 'rejected').extend({
        columns: uploadColumns.optional(),
      }),
    },
    202: acceptedResponse,
    ...failures(400, 408, 409, 413, 415, 422, 429),
  },
  handle: async (input) => {
    if (input.ctx.request.type.toLowerCase() === 'multipart/form-data') return uploadCsv(input);
    if (isJson(input.ctx)) return uploadJson(input);
    throw unsupportedMedia(
      'Send a CSV as multipart/form-data with the file part "file", or JSON as application/json.',
    );
  },
});

type UploadInput = Input<z.infer<typeof patchQuery>, unknown>;

async function uploadCsv(input: UploadInput): Promise<void> {
  const { ctx, apiKey, services, once } = input;
  // Checked before the body is received. A repeated request may belong to a job that it created before, so its body
  // is read first.
  if (!once) await checkJobLimits(services, apiKey.id);
  const upload = await receiveUpload(ctx, services.files, services.settings.uploadMaxBytes);
  try {
    once?.bodyRead(upload.digest);
  } catch (error) {
    // A file that cannot be removed now is an orphan, which upkeep removes. The response does not depend on it.
    await services.files.remove(upload.key).catch(() => {});
    throw error;
  }
  const { onError = 'abort', ...query } = input.query;
  const options = { ...query, onError, action: 'assert', format: 'csv' } as const;
  await importUpload(input, upload, options, 'CSV processed and developer identities updated successfully.');
}

async function uploadJson(input: UploadInput): Promise<void> {
  rejectCsvOptions(input.query);
  if (input.ctx.get('content-encoding')) throw unsupportedMedia('Send JSON without a Content-Encoding.');
  await importJson(
    input,
    '{email, integrationId, identity}',
    { action: 'assert', onError: 'abort', dryRun: input.query.dryRun },
    'Developer identities updated successfully.',
  );
}

/** Rejects options that have no effect on JSON: it is always UTF-8, and rejected as a whole if a record is invalid. */
function rejectCsvOptions(query: z.infer<typeof patchQuery>): void {
  const errors = (['onError', 'charset'] as const)
    .filter((name) => query[name] !== undefined)
    .map((field) => ({ field, code: 'not_in_this_format', message: 'applies to CSV only' }));
  if (errors.length > 0) throw badRequest('invalid_query', summary(QUERY, errors), errors);
}
