import type Koa from 'koa';
import { z } from 'zod';
import type { Job } from '../../../db/jobs/jobs.js';
import { countTables, findTable, type LookupTable } from '../../../db/lookups/lookup-tables.js';
import { jobLinks } from '../../../workers/callbacks/present-job.js';
import { isDryRun } from '../../../workers/queues/contracts/contract.js';
import {
  type TableUploadParams,
  tableQueue,
  tableUpload,
} from '../../../workers/queues/contracts/table-upload.js';
import { JsonReader } from '../../body/json/check-records.js';
import { isFile } from '../../body/open-file.js';
import { isJson } from '../../body/read-body.js';
import { receiveFile, unpackedSize } from '../../body/receive-file.js';
import { type ReceivedRecords, receiveRecords } from '../../body/receive-records.js';
import { failures } from '../../endpoint/error-responses.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { repeatable } from '../../endpoint/parameters.js';
import { defineRoute, type Input, type Route } from '../../endpoint/route.js';
import { readIfMatchTag } from '../../http/entity-tag.js';
import { QUERY, summary } from '../../http/error-details.js';
import { badRequest, conflict, unsupportedMedia } from '../../http/errors.js';
import { requireCallback } from '../../jobs/callback.js';
import { checkJobLimits } from '../../jobs/job-limits.js';
import { respondAfterJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import type { ApiServices } from '../../services.js';
import {
  acceptedResponse,
  csvBodies,
  unlessRejected,
  uploadResponse,
  WAIT_MS,
} from '../identities/import-upload.js';
import { options } from '../identities/upload-options.js';
import {
  MAX_KEY_COLUMNS,
  matching,
  presentTable,
  requireExpected,
  requireTable,
  TABLE_PARAMS,
  tableRow,
  tableSchema,
} from './schema.js';

const MAX_TABLES = 1_000;
const MAX_ROWS = 1_000_000;
/** A larger table is smaller as CSV. */
const JSON_MAX_BYTES = 64 * 1024 * 1024;

const { onError, dryRun, charset, expectedRows, callback } = options;
const common = {
  onError,
  dryRun,
  charset,
  damaged: z
    .enum(['reject', 'keep'])
    .optional()
    .meta({
      description:
        '`reject` (default): a cell that a spreadsheet left in place of a value, such as `#N/A`, `########` or `=A1`, is invalid. `keep`: it is ' +
        'accepted as it is',
    }),
  expectedRows,
  callback,
};
const mergeQuery = z.strictObject(common);
const putQuery = mergeQuery.extend({
  key: repeatable
    .pipe(
      z
        .array(z.string().trim().normalize().min(1).max(100))
        .min(1)
        .max(MAX_KEY_COLUMNS)
        .refine((names) => new Set(names).size === names.length, 'must not name a column twice'),
    )
    .optional()
    .meta({
      description:
        'The name of the key column. Repeat the parameter if several columns together are the key. Default: as in the present table, or the first column',
      override: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_KEY_COLUMNS,
        items: { type: 'string', maxLength: 100 },
      },
    }),
  matching: matching.optional(),
  managedBy: z
    .union([z.literal('').transform(() => null), managedBy.unwrap()])
    .optional()
    .meta({
      description:
        'Where the file is kept from which the table comes, such as the address of a repository. Empty: nowhere. Default: as it is',
      override: { type: 'string', maxLength: 200 },
    }),
});
type UploadQuery = z.infer<typeof putQuery>;
type UploadInput = Input<UploadQuery, z.infer<typeof TABLE_PARAMS>>;

const done = uploadResponse('total', 'added', 'changed', 'unchanged', 'removed', 'rejected').extend({
  data: tableSchema
    .nullable()
    .meta({ description: 'The table as it is now; null after the dry run of a new one' }),
});

const upload = {
  tag: 'Table',
  scopes: ['tables:write'],
  params: TABLE_PARAMS,
  upload: true,
  idempotent: true,
  headers: ['Prefer', 'If-Match'],
  requestBody: { 'application/json': z.array(tableRow), ...csvBodies },
  responses: {
    200: { description: 'Done', body: done },
    202: acceptedResponse,
    ...failures(400, 404, 408, 409, 412, 413, 415, 422, 429),
  },
} as const satisfies Partial<Route>;

export const putTable = defineRoute({
  ...upload,
  method: 'put',
  path: '/v2/tables/{name}',
  operationId: 'putTable',
  summary: 'Upload a lookup table, or replace its rows',
  description:
    'A CSV file, as multipart part `file` or as the body, plain or gzip, or a JSON array of objects. It has at most 20 columns and 1,000,000 rows, ' +
    'each with another key. The upload becomes a revision, which is active as a whole or not at all; the same content makes no new revision. The last ' +
    'revisions are kept. `links.file` lists the changes. Send `If-Match` with the `ETag` of the table, to replace only what you have read; `"0"` means that there was none. If the active revision is another one since, `links.webhooks` lists the integrations that read the table.',
  query: putQuery,
  handle: (input) => receiveTable(input, 'replace'),
});

export const patchTable = defineRoute({
  ...upload,
  method: 'patch',
  path: '/v2/tables/{name}',
  operationId: 'updateTable',
  summary: 'Add rows to a lookup table, or change them',
  description:
    'Like `PUT`, but rows whose keys the upload does not name stay, and so do cells of columns that it does not have. All rows keep their places, and new ones come at the ' +
    'end. Uploads of a table are carried out in the order of their acceptance; what was decided later stays: 409 `table_changed`.',
  query: mergeQuery,
  handle: (input) => receiveTable(input, 'merge'),
});

const CSV_ONLY = ['onError', 'charset', 'expectedRows'] as const;

async function receiveTable(input: UploadInput, mode: TableUploadParams['mode']): Promise<void> {
  const { ctx, principal, services, once, query } = input;
  const isExpected = readIfMatchTag(ctx);
  const isBased = ctx.get('if-match') !== '';
  const check = async () => {
    const callback = await requireCallback(services, principal, query.callback);
    const table = await checkTable(services, input.params.name, mode);
    requireExpected(isExpected, table);
    // Another upload may be carried out before this one.
    const base = isBased ? (table?.revision ?? null) : undefined;
    return { callback, rules: { ...rulesFor(query, table), base } };
  };
  // Checked before the body is received. A repeated request may belong to a job that it created before, so its body is read first.
  if (!once) {
    await checkJobLimits(services, principal.id);
    await check();
  }
  const { format, upload: file, error } = await receive(input);
  const { callback, rules } = await unlessRejected(input, file, () => {
    once?.bodyRead(file.digest);
    if (error) throw error;
    return check();
  });
  const { smallUploadBytes, uploadMaxBytes, uploadMaxRows } = services.settings;
  const isSmall = file.bytes <= smallUploadBytes;
  const size =
    file.isGzip && isSmall ? await unpackedSize(services.files, file.key, smallUploadBytes) : file.bytes;
  const jobId = await submitJob(services, {
    contract: tableUpload,
    queue: tableQueue(size, smallUploadBytes),
    params: {
      version: 1,
      table: input.params.name,
      mode,
      keyName: principal.name,
      format,
      ...rules,
      onError: query.onError ?? 'abort',
      dryRun: query.dryRun,
      managedBy: query.managedBy,
      charset: file.charset,
      damaged: query.damaged,
      expectedRows: query.expectedRows,
      bytes: file.bytes,
      maxBytes: uploadMaxBytes,
      maxRows: Math.min(uploadMaxRows, MAX_ROWS),
    },
    origin: input.origin,
    sourceKey: file.key,
    sourceBytes: file.bytes,
    fileName: file.fileName,
    callback,
    once,
  });
  await respondAfterJob(ctx, services, jobId, {
    defaultWaitMs: isSmall ? WAIT_MS : 0,
    completed: (job) => respond(ctx, services, job, input.params.name),
  });
}

/**
 * Returns the present table; null if the upload creates it.
 * @throws RequestError 404 if there is none to merge with, 409 if there are too many
 */
async function checkTable(services: ApiServices, name: string, mode: TableUploadParams['mode']) {
  if (mode === 'merge') return requireTable(services, name);
  const table = await findTable(services.database, name);
  if (!table && (await countTables(services.database)) >= MAX_TABLES)
    throw conflict('too_many_tables', `There are at most ${MAX_TABLES} tables. Delete one first.`);
  return table;
}

const OF_ONE_COLUMN: readonly string[] = ['prefix', 'cidr', 'glob'] satisfies LookupTable['matching'][];

/** Returns how keys match and which columns they are; what the request leaves out is as in the present table. @throws RequestError 400 */
function rulesFor(query: UploadQuery, table: LookupTable | null) {
  const { matching = table?.matching ?? 'exact', key = table?.keyColumns } = query;
  if (key && key.length > 1 && OF_ONE_COLUMN.includes(matching)) {
    const message = `cannot be ${matching} for a key of several columns`;
    const errors = [{ field: 'matching', code: 'conflicting', message }];
    throw badRequest('invalid_query', summary(QUERY, errors), errors);
  }
  return { matching, key };
}

async function receive({
  ctx,
  services: { files, settings },
  query,
}: UploadInput): Promise<ReceivedRecords & Pick<TableUploadParams, 'format'>> {
  const limit = settings.uploadMaxBytes;
  if (isFile(ctx)) {
    const upload = await receiveFile(ctx, files, { limit, charset: query.charset });
    return { format: 'csv', upload, error: null };
  }
  if (!isJson(ctx))
    throw unsupportedMedia(
      'Send a CSV as multipart/form-data with the file part "file", or as text/csv or application/gzip, or JSON as application/json.',
      [...Object.keys(csvBodies), 'application/json'],
    );
  const errors = CSV_ONLY.filter((name) => query[name] !== undefined).map((field) => ({
    field,
    code: 'not_in_this_format',
    message: 'applies to CSV only',
  }));
  if (errors.length > 0) throw badRequest('invalid_query', summary(QUERY, errors), errors);
  const checks = { reader: new JsonReader(), shape: 'objects', limit: Math.min(limit, JSON_MAX_BYTES) };
  return { format: 'json', ...(await receiveRecords(ctx, files, checks)) };
}

/** Warnings that are the outcome of an upload. */
const WROTE_NOTHING = ['already_active', 'identical_revision', 'superseded'];

async function respond(ctx: Koa.Context, services: ApiServices, job: Job, name: string): Promise<void> {
  const table = await findTable(services.database, name);
  const { warnings, counts } = job;
  const wroteNothing = warnings.find(({ code }) => WROTE_NOTHING.includes(code));
  const rejected = counts?.rejected
    ? ` ${counts.rejected} of ${counts.total} rows were rejected: see links.rejected.`
    : '';
  const result = isDryRun(job)
    ? 'Dry run: nothing was written. The counts show what the upload would do.'
    : wroteNothing
      ? `Nothing was written: ${wroteNothing.message}.`
      : 'The upload is the active revision now.';
  ctx.body = {
    status: 'success',
    message: result + rejected,
    jobId: job.id,
    data: table && presentTable(table),
    counts,
    warnings,
    links: jobLinks(job),
  };
}
