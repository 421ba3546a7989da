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
import { acceptedAnswer, importJson, importUpload, uploadAnswer } from './import-upload.js';
import { recordSchema } from './record.js';

const patchQuery = z.strictObject({
  onError: z.enum(['abort', 'continue']).optional().meta({
    description:
      'CSV only. `abort` (default): one rejected row rejects the file; `continue`: write the others',
  }),
  dryRun: flag.default(false).meta({
    description: 'Write nothing, only count what the upload would do',
    override: { type: 'boolean', default: false },
  }),
  charset: z.string().min(1).max(40).optional().meta({
    description: 'CSV only: the encoding of the file if it is not UTF-8 or UTF-16, such as `windows-1252`',
  }),
});

const recordsSchema = z.array(recordSchema).min(1, 'holds no records').max(JSON_MAX_RECORDS);

export const patchIdentities = defineRoute({
  method: 'patch',
  path: '/v2/developers/identities',
  operationId: 'updateIdentities',
  tag: 'Identity',
  summary: 'Add or correct who owns which account, from JSON or a CSV file',
  description:
    'JSON: 1 to 10,000 records, at most 8 MiB. CSV: multipart with one file part `file`, plain or gzip, with a header ' +
    'naming `email`, `integrationId` and `identity`. The later accepted upload wins over the earlier one.',
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
      body: uploadAnswer('total', 'created', 'updated', 'unchanged', 'superseded', 'rejected').extend({
        columns: uploadColumns.optional(),
      }),
    },
    202: acceptedAnswer,
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
  // Before the body is received. A repeated request may be for a job that it made before, so its body comes first.
  if (!once) await checkJobLimits(services, apiKey.id);
  const upload = await receiveUpload(ctx, services.files, services.settings.uploadMaxBytes);
  try {
    once?.bodyRead(upload.digest);
  } catch (error) {
    // A file that cannot be removed now is an orphan, which upkeep removes; the response does not depend on it.
    await services.files.remove(upload.key).catch(() => {});
    throw error;
  }
  const { onError = 'abort', ...query } = input.query;
  const wish = { ...query, onError, action: 'assert', format: 'csv' } as const;
  await importUpload(input, upload, wish, 'CSV processed and developer identities updated successfully.');
}

async function uploadJson(input: UploadInput): Promise<void> {
  refuseCsvOptions(input.query);
  if (input.ctx.get('content-encoding')) throw unsupportedMedia('JSON is taken without a content coding.');
  await importJson(
    input,
    '{email, integrationId, identity}',
    { action: 'assert', onError: 'abort', dryRun: input.query.dryRun },
    'Developer identities updated successfully.',
  );
}

/** JSON is always UTF-8, and refused whole if a record is invalid: an option that has no effect would be a false promise. */
function refuseCsvOptions(query: z.infer<typeof patchQuery>): void {
  const faults = (['onError', 'charset'] as const)
    .filter((name) => query[name] !== undefined)
    .map((field) => ({ field, code: 'not_in_this_format', message: 'applies to CSV only' }));
  if (faults.length > 0) throw badRequest('invalid_query', summary(QUERY, faults), faults);
}
