import type Koa from 'koa';
import { z } from 'zod';
import type { UploadLink } from '../../../db/access/upload-links.js';
import type { Job } from '../../../db/jobs/jobs.js';
import { jobLinks } from '../../../workers/callbacks/present-job.js';
import { IdentityJsonReader } from '../../../workers/identities/record/identity-json.js';
import { paramsOf } from '../../../workers/queues/contracts/contract.js';
import {
  type ImportParams,
  identityImport,
  importQueue,
  WORKBOOK_GROWTH,
} from '../../../workers/queues/contracts/identity-import.js';
import { isFile, isWorkbook, WORKBOOK_TYPE } from '../../body/open-file.js';
import { isJson } from '../../body/read-body.js';
import { receiveFile, unpackedSize } from '../../body/receive-file.js';
import { JSON_MAX_BYTES, receiveRecords } from '../../body/receive-records.js';
import type { Upload as StoredUpload } from '../../body/upload.js';
import { ACCEPTED_HEADERS, accepted, success } from '../../endpoint/responses.js';
import type { Input } from '../../endpoint/route.js';
import { QUERY, summary } from '../../http/error-details.js';
import { badRequest, unsupportedMedia } from '../../http/errors.js';
import { requireCallback } from '../../jobs/callback.js';
import { checkJobLimits } from '../../jobs/job-limits.js';
import { requireUse, useOfLink } from '../../jobs/link-use.js';
import { respondAfterJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import { rejectCsvOptions, toCsvOptions, type UploadQuery } from './upload-options.js';

/** How long a request waits for a small upload. */
export const WAIT_MS = 20_000;

/** The response to an upload with these counts. */
export const uploadResponse = <Name extends string>(...counts: Name[]) =>
  z.object({
    ...success,
    message: z.string(),
    jobId: z.uuid(),
    counts: z.object(Object.fromEntries(counts.map((name) => [name, z.number().int()]))),
    warnings: z.array(
      z.object({ code: z.string(), message: z.string(), count: z.number().int().optional() }),
    ),
    links: z.record(z.string(), z.string()),
  });

/** The response to an upload that is not finished yet. */
export const acceptedResponse = {
  description: 'Accepted; `Location` is the job',
  body: accepted,
  headers: ACCEPTED_HEADERS,
};

/** The media types of a CSV upload. */
export const csvBodies = {
  'multipart/form-data': z.object({
    file: z.string().meta({ override: { type: 'string', format: 'binary' } }),
  }),
  'text/csv': z.string().meta({ override: { type: 'string' } }),
  'application/gzip': z.string().meta({ override: { type: 'string', format: 'binary' } }),
};

/** The media types of an upload that may be an Excel workbook too. */
export const fileBodies = {
  ...csvBodies,
  [WORKBOOK_TYPE]: z.string().meta({ override: { type: 'string', format: 'binary' } }),
};

type UploadInput = Input<UploadQuery, unknown>;

/** What an upload does. */
interface Upload {
  action: ImportParams['action'];
  /** The shape of a JSON record, for the message about a body that is not an array. */
  shape: string;
  /** The message of a JSON and of a CSV upload that is done. */
  done: Record<ImportParams['format'], string>;
}

/** Receives an upload, a CSV file or a JSON array, and imports it. */
export async function importBody(input: UploadInput, upload: Upload): Promise<void> {
  if (isFile(input.ctx) || isWorkbook(input.ctx)) return importCsv(input, upload);
  // An upload link takes files only: JSON is not checked for its account system.
  if (isJson(input.ctx) && !input.principal.uploadLink) return importJson(input, upload);
  throw unsupportedMedia(
    'Send a CSV or .xlsx file as multipart/form-data with the file part "file", a CSV file as text/csv or application/gzip, or JSON as application/json.' +
      (input.ctx.method === 'DELETE' ? NO_BODY_IN_DELETE : ''),
    [...Object.keys(fileBodies), 'application/json'],
  );
}

const NO_BODY_IN_DELETE =
  ' If your client or a proxy drops the body of DELETE, send it with POST to /v2/developers/identities/removals.';

async function importCsv(input: UploadInput, { action, done }: Upload): Promise<void> {
  const { ctx, principal, services, once, query } = input;
  // Checked before the body is received. A repeated request may belong to a job that it created before, so its body
  // is read first.
  if (!once) {
    await checkJobLimits(services, principal.id, 0, principal.uploadLink);
    const ofLink = useOfLink(principal.uploadLink, query.dryRun);
    if (ofLink) requireUse(ofLink);
    await requireCallback(services, principal, query.callback);
  }
  const { uploadMaxBytes: limit } = services.settings;
  const file = await receiveFile(ctx, services.files, { limit, charset: query.charset });
  const { callback, workbook } = await unlessRejected(input, file, async () => {
    once?.bodyRead(file.digest);
    const callback = await requireCallback(services, principal, query.callback);
    return { callback, workbook: workbookOf(file, query.sheet) };
  });
  const ofLink = linkParams(principal.uploadLink);
  const options = {
    ...toCsvOptions(query, file.charset),
    ...workbook,
    ...ofLink,
    action,
    format: 'csv',
  } as const;
  await submitImport(input, file, { ...options, callback }, done.csv);
}

/**
 * Returns the params of a file that is a workbook, or none. Workers of earlier releases cannot read one.
 * @throws RequestError 400 if another file has a sheet
 */
export function workbookOf({ isZip }: Pick<StoredUpload, 'isZip'>, sheet: string | undefined) {
  if (isZip) return { version: 4, workbook: { sheet } } as const;
  if (sheet === undefined) return {};
  const errors = [
    { field: 'sheet', code: 'not_in_this_format', message: 'applies to Excel workbooks (.xlsx) only' },
  ];
  throw badRequest('invalid_query', summary(QUERY, errors), errors);
}

/** Returns the params of an upload through a link, or none. Workers of earlier releases would take rows of any account system. */
function linkParams(link: UploadLink | undefined) {
  if (!link) return {};
  const { id, name, apiKey, integrationId } = link;
  return { version: 5, uploadLink: { id, name, apiKey, integrationId } } as const;
}

/** Imports a JSON array of records. If any record is invalid, it rejects the whole array. */
async function importJson(input: UploadInput, { action, shape, done }: Upload): Promise<void> {
  const { ctx, principal, services, once, query } = input;
  rejectCsvOptions(query);
  const { dryRun, damaged } = query;
  const reader = new IdentityJsonReader(action, damaged === 'keep');
  const rules = { reader, shape, limit: JSON_MAX_BYTES };
  const { upload: file, error: invalid } = await receiveRecords(ctx, services.files, rules);
  const callback = await unlessRejected(input, file, () => {
    once?.bodyRead(file.digest);
    if (invalid) throw invalid;
    return requireCallback(services, principal, query.callback);
  });
  const options = { version: 1, action, onError: 'abort', dryRun, damaged, format: 'json' } as const;
  await submitImport(input, file, { ...options, callback }, done.json);
}

/** Removes the stored file if the request is rejected after all. */
export async function unlessRejected<Result>(
  { services }: Pick<UploadInput, 'services'>,
  { key }: StoredUpload,
  check: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    // A file that cannot be removed now is an orphan, which upkeep removes. The response does not depend on it.
    await services.files.remove(key).catch(() => {});
    throw error;
  }
}

type ImportOptions = Omit<ImportParams, 'bytes' | 'maxBytes' | 'maxRows'> & { callback: string | undefined };

/** Submits a stored upload, and waits for it if it is small. If no job is created, the file is removed. */
async function submitImport(
  { ctx, principal, origin, once, services }: UploadInput,
  { key, bytes, isGzip, isZip, fileName }: StoredUpload,
  { callback, ...options }: ImportOptions,
  message: string,
): Promise<void> {
  const { smallUploadBytes, uploadMaxBytes: maxBytes, uploadMaxRows: maxRows } = services.settings;
  const isSmall = bytes <= smallUploadBytes;
  // A few KiB of gzip can expand to a GiB of rows, which would delay the small uploads behind it.
  const unpacked = isGzip && isSmall ? await unpackedSize(services.files, key, smallUploadBytes) : bytes;
  const size = isZip ? bytes * WORKBOOK_GROWTH : unpacked;
  const jobId = await submitJob(services, {
    contract: identityImport,
    queue: importQueue(size, smallUploadBytes),
    params: { ...options, bytes, maxBytes, maxRows },
    origin,
    ofLink: useOfLink(principal.uploadLink, options.dryRun),
    sourceKey: key,
    sourceBytes: bytes,
    fileName,
    callback,
    once,
  });
  await respondAfterJob(ctx, services, jobId, {
    defaultWaitMs: isSmall ? WAIT_MS : 0,
    completed: (job) => respondWithResult(ctx, job, message),
  });
}

function respondWithResult(ctx: Koa.Context, job: Job, message: string): void {
  ctx.body = {
    status: 'success',
    message: resultMessage(job, message),
    jobId: job.id,
    ...(job.uploadColumns ? { columns: job.uploadColumns } : {}),
    counts: job.counts,
    warnings: job.warnings,
    links: jobLinks(job),
  };
}

/** Returns the message for what has happened: a dry run wrote nothing, and rejected rows are counted. */
function resultMessage({ params, counts }: Job, message: string): string {
  const { dryRun, action } = paramsOf({ params }, identityImport);
  const { total = 0, rejected = 0 } = counts ?? {};
  const invalid = `${rejected} of ${total} ${total === 1 ? 'row' : 'rows'} ${rejected === 1 ? 'was' : 'were'} rejected`;
  if (dryRun)
    return `Dry run: nothing was written. ${rejected ? `${invalid}. ` : ''}The counts show what the upload would do.`;
  if (rejected === 0) return message;
  const others =
    rejected === total ? '' : ` The others were ${action === 'remove' ? 'processed' : 'written'}.`;
  return `${invalid}.${others} Download the rejected rows from links.rejected, fix them and upload them.`;
}
