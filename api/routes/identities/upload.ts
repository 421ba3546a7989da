import { Readable } from 'node:stream';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Job } from '../../../db/jobs.js';
import { type ImportParams, identityImport, importQueue } from '../../../workers/queues/identity-import.js';
import { answerWithJob } from '../../answer-job.js';
import { badRequest, unsupportedMedia } from '../../errors.js';
import { toFaults } from '../../faults.js';
import { parseJson, readBody } from '../../read-body.js';
import { receiveUpload, type Upload } from '../../receive-upload.js';
import { defineRoute, type Input, NO_PARAMS } from '../../route.js';
import { submitJob } from '../../submit-job.js';
import { jobLinks } from '../jobs.js';
import { failures, success } from '../shared.js';
import { recordSchema } from './record.js';

const JSON_MAX_BYTES = 8 * 1024 * 1024;
const JSON_MAX_RECORDS = 10_000;
const WAIT_MS = 20_000;

const query = z.strictObject({
  onError: z.enum(['abort', 'continue']).default('abort'),
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  charset: z.string().max(40).optional(),
});
type UploadQuery = z.infer<typeof query>;

const recordsSchema = z.array(recordSchema).min(1, 'holds no records').max(JSON_MAX_RECORDS);

const uploadAnswer = z
  .object({
    ...success,
    message: z.string(),
    jobId: z.uuid(),
    counts: z.object({
      total: z.number().int(),
      created: z.number().int(),
      updated: z.number().int(),
      unchanged: z.number().int(),
      superseded: z.number().int(),
      rejected: z.number().int(),
    }),
    warnings: z.array(
      z.object({ code: z.string(), message: z.string(), count: z.number().int().optional() }),
    ),
    links: z.record(z.string(), z.string()),
  })
  .meta({ id: 'UploadAnswer' });

export const patchIdentities = defineRoute({
  method: 'patch',
  path: '/v2/developers/identities',
  tag: 'Identity',
  summary: 'Add or correct who owns which account, from JSON or a CSV file',
  description:
    'JSON: 1 to 10,000 records, at most 8 MiB. CSV: multipart with one file part `file`, plain or gzip, with a header ' +
    'naming `email`, `integrationId` and `identity`. The later accepted upload wins over the earlier one.',
  scopes: ['developer_records:write'],
  query,
  params: NO_PARAMS,
  upload: true,
  requestBody: {
    'application/json': recordsSchema,
    'multipart/form-data': z.object({
      file: z.string().meta({ override: { type: 'string', format: 'binary' } }),
    }),
  },
  responses: {
    200: { description: 'Done', body: uploadAnswer },
    202: {
      description: 'Accepted; `Location` is the job',
      body: z.object({ ...success, message: z.string(), jobId: z.uuid() }),
    },
    ...failures(400, 408, 409, 413, 415),
  },
  handle: async (input) => {
    if (input.ctx.is('multipart/form-data')) return uploadCsv(input);
    if (input.ctx.is('json')) return uploadJson(input);
    throw unsupportedMedia(
      'Send a CSV as multipart/form-data with the file part "file", or JSON as application/json.',
    );
  },
});

type UploadInput = Input<UploadQuery, Record<string, unknown>>;

async function uploadCsv(input: UploadInput): Promise<void> {
  const { settings, files } = input.services;
  const upload = await receiveUpload(input.ctx, files, settings.uploadMaxBytes);
  await importUpload(input, upload, 'csv', 'CSV processed and developer identities updated successfully.');
}

async function uploadJson(input: UploadInput): Promise<void> {
  const { ctx, query, services } = input;
  if (query.charset) throw badRequest('invalid_query', 'JSON is UTF-8; charset is for CSV.');
  const body = await readBody(ctx.req, JSON_MAX_BYTES);
  checkRecords(parseJson(body));
  const key = `uploads/${uuidv7()}`;
  await services.files.write(key, Readable.from([body], { objectMode: false }));
  await importUpload(
    input,
    { key, bytes: body.length },
    'json',
    'Developer identities updated successfully.',
  );
}

function checkRecords(value: unknown): void {
  if (!Array.isArray(value)) {
    throw badRequest('not_an_array', 'The body must be a JSON array of {email, integrationId, identity}.');
  }
  const result = recordsSchema.safeParse(value);
  if (!result.success) throw badRequest('invalid_records', refusal(result.error), toFaults(result.error));
}

function refusal({ issues }: z.ZodError): string {
  const [first] = issues;
  const [index, field] = first?.path ?? [];
  const where = index === undefined ? '' : `record ${String(index)}, ${field ? `${String(field)} ` : ''}`;
  const count = issues.length === 1 ? '1 fault' : `${issues.length} faults`;
  return `Nothing was written: ${count}, first: ${where}${first?.message}.`;
}

async function importUpload(
  { ctx, query, apiKey, requestId, services }: UploadInput,
  { key, bytes }: Upload,
  format: ImportParams['format'],
  message: string,
): Promise<void> {
  const { settings } = services;
  const jobId = await submitJob(services, {
    contract: identityImport,
    queue: importQueue(bytes, settings.smallUploadBytes),
    params: {
      version: 1,
      format,
      action: 'assert',
      onError: query.onError,
      dryRun: query.dryRun,
      charset: query.charset,
      bytes,
      maxBytes: settings.uploadMaxBytes,
      maxRows: settings.uploadMaxRows,
    },
    apiKeyId: apiKey.id,
    requestId,
    sourceKey: key,
  });
  await answerWithJob(ctx, services, jobId, {
    defaultWaitMs: bytes <= settings.smallUploadBytes ? WAIT_MS : 0,
    completed: (job) => answerDone(ctx, job, message),
  });
}

function answerDone(ctx: Koa.Context, job: Job, message: string): void {
  const { file: _, ...links } = jobLinks(job);
  ctx.body = {
    status: 'success',
    message: trueMessage(job, message),
    jobId: job.id,
    counts: job.counts,
    warnings: job.warnings,
    links,
  };
}

/** The message says what really happened: a dry run wrote nothing, and refused rows are named. */
function trueMessage(job: Job, message: string): string {
  const { dryRun } = job.params as ImportParams;
  if (dryRun) return 'Dry run: nothing was written; the counts are what an upload would do.';
  const rejected = job.counts?.rejected ?? 0;
  if (rejected === 0) return message;
  return `${rejected} of ${job.counts?.total} rows were refused, the others were written; see links.rejected.`;
}
