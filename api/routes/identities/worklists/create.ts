import { Readable } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import {
  identityWorklist,
  type WorklistParams,
} from '../../../../workers/queues/contracts/identity-worklist.js';
import { parseExactly } from '../../../body/json/parse-exactly.js';
import { isFile, isWorkbook } from '../../../body/open-file.js';
import { isJson, readJson } from '../../../body/read-body.js';
import { receiveFile } from '../../../body/receive-file.js';
import type { Upload } from '../../../body/upload.js';
import { failures } from '../../../endpoint/error-responses.js';
import { flag } from '../../../endpoint/parameters.js';
import { ACCEPTED_HEADERS } from '../../../endpoint/responses.js';
import { defineRoute, type Input } from '../../../endpoint/route.js';
import { QUERY, summary } from '../../../http/error-details.js';
import { badRequest, unsupportedMedia } from '../../../http/errors.js';
import { callback, requireCallback } from '../../../jobs/callback.js';
import { checkJobLimits } from '../../../jobs/job-limits.js';
import { jobResponse } from '../../../jobs/job-schema.js';
import { respondWithJob } from '../../../jobs/respond-with-job.js';
import { submitJob } from '../../../jobs/submit-job.js';
import { escapeFormulas } from '../../../lists/list-format.js';
import { ACCOUNT_SYSTEM_PARAMS } from '../coverage/read.js';
import { fileBodies, workbookOf } from '../import-upload.js';
import { email, identity } from '../record.js';
import { assertQuery } from '../upload-options.js';

/** A worker holds a list in memory. It has the same limits, see `workers/worklist/read-accounts.ts`. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_JSON_ACCOUNTS = 1_000;
const MAX_JSON_BYTES = 2 * 1024 * 1024;
const MAX_NAME = 255;

const query = z.strictObject({
  charset: z.string().min(1).max(40).optional().meta({
    description:
      'CSV only. The encoding of the file if it is neither UTF-8 nor UTF-16, for example `windows-1252`',
  }),
  damaged: assertQuery.shape.damaged,
  sheet: assertQuery.shape.sheet,
  escapeFormulas: escapeFormulas.meta({
    description:
      "Escapes the file for spreadsheets: prefixes cells that look like a formula with ' and names their columns " +
      '`…Escaped`. An upload removes the prefix again',
  }),
  includeDecided: flag.optional().meta({
    description:
      'Also lists the accounts with the decision `bot`, `left` or `later`. By default they are left out and counted',
  }),
  callback,
});

const accountSchema = z
  .strictObject({
    identity,
    name: z.string().max(MAX_NAME).optional().meta({ description: 'The display name of the account' }),
    email: email.optional().meta({ description: 'An address of the account, for example a `noreply` one' }),
  })
  .meta({ id: 'WorklistAccount' });

const body = z.strictObject({ accounts: z.array(accountSchema).min(1).max(MAX_JSON_ACCOUNTS) });

export const createWorklist = defineRoute({
  method: 'post',
  path: '/v2/integrations/{integrationId}/worklists',
  operationId: 'createWorklist',
  tag: 'Identity',
  summary: 'Suggest owners for accounts',
  description:
    'Send the accounts of an account system: a CSV file as multipart part `file` or as the body, plain or gzip, or an Excel workbook (.xlsx), with a column `identity` and ' +
    'optionally `name` and `email`, at most 100,000 rows and 64 MiB; or JSON with at most 1,000 accounts. A worker writes a ' +
    'CSV file with a row for each account that has no owner. It has the columns of an upload, the email empty, then up to ' +
    'five candidates with a score and the reason. You can download it at `/v2/jobs/{id}/file` for 7 days, fill in the emails and ' +
    'upload it. Nothing is written before that. Decisions about accounts apply: see `PUT /v2/integrations/{integrationId}/decisions`.',
  scopes: ['developer_records:read'],
  query,
  params: ACCOUNT_SYSTEM_PARAMS,
  upload: true,
  idempotent: true,
  headers: ['Prefer'],
  requestBody: { 'application/json': body, ...fileBodies },
  responses: {
    200: { description: 'The worklist was ready within the time of `Prefer: wait`', body: jobResponse },
    202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(400, 408, 409, 413, 415, 422, 429),
  },
  handle: async (input) => {
    const { ctx, query, params, origin, once, services } = input;
    const { format, upload, workbook } = await receiveAccounts(input);
    const jobId = await submitJob(services, {
      contract: identityWorklist,
      params: {
        version: query.includeDecided ? 3 : workbook ? 2 : 1,
        workbook,
        integrationId: params.integrationId,
        format,
        charset: upload.charset,
        damaged: query.damaged,
        escapeFormulas: query.escapeFormulas ?? false,
        includeDecided: query.includeDecided,
      },
      origin,
      sourceKey: upload.key,
      sourceBytes: upload.bytes,
      fileName: upload.fileName,
      callback: query.callback,
      once,
    });
    await respondWithJob(ctx, services, jobId, 'The worklist is ready.');
  },
});

type WorklistInput = Input<z.infer<typeof query>, z.infer<typeof ACCOUNT_SYSTEM_PARAMS>>;
type Stored = Pick<Upload, 'key' | 'bytes' | 'fileName' | 'charset'>;

interface Received extends Pick<WorklistParams, 'workbook'> {
  format: 'csv' | 'json';
  upload: Stored;
}

async function receiveAccounts(input: WorklistInput): Promise<Received> {
  const { ctx } = input;
  if (isFile(ctx) || isWorkbook(ctx)) return { format: 'csv', ...(await receiveCsv(input)) };
  if (!isJson(ctx)) {
    throw unsupportedMedia(
      'Send a CSV or .xlsx file as multipart/form-data with the file part "file", a CSV file as text/csv or application/gzip, or JSON as application/json.',
      [...Object.keys(fileBodies), 'application/json'],
    );
  }
  return { format: 'json', upload: await receiveJson(input) };
}

async function receiveCsv({
  ctx,
  query,
  principal,
  services,
  once,
}: WorklistInput): Promise<Omit<Received, 'format'>> {
  // Checked before the body is received. A repeated request may belong to a job that it created before.
  if (!once) {
    await checkJobLimits(services, principal.id);
    await requireCallback(services, principal, query.callback);
  }
  const limit = Math.min(MAX_BYTES, services.settings.uploadMaxBytes);
  const upload = await receiveFile(ctx, services.files, { limit, charset: query.charset });
  try {
    once?.bodyRead(upload.digest);
    await requireCallback(services, principal, query.callback);
    return { upload, workbook: workbookOf(upload, query.sheet).workbook };
  } catch (error) {
    // A file that cannot be removed now is an orphan, which upkeep removes.
    await services.files.remove(upload.key).catch(() => {});
    throw error;
  }
}

async function receiveJson({ ctx, query, principal, services, once }: WorklistInput): Promise<Stored> {
  const errors = (['charset', 'sheet'] as const)
    .filter((field) => query[field] !== undefined)
    .map((field) => ({ field, code: 'not_in_this_format', message: 'applies to CSV only' }));
  if (errors.length > 0) throw badRequest('invalid_query', summary(QUERY, errors), errors);
  const { accounts } = await readJson(ctx, body, once, { limit: MAX_JSON_BYTES, parse: parseExactly });
  await requireCallback(services, principal, query.callback);
  const key = `uploads/${uuidv7()}`;
  const { bytes } = await services.files.write(key, Readable.from([Buffer.from(JSON.stringify(accounts))]));
  return { key, bytes };
}
