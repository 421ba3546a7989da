import type Koa from 'koa';
import { z } from 'zod';
import type { Job } from '../../../db/jobs/jobs.js';
import {
  type ImportParams,
  identityImport,
  importQueue,
} from '../../../workers/queues/contracts/identity-import.js';
import { receiveRecords } from '../../body/receive-records.js';
import type { Upload } from '../../body/receive-upload.js';
import { unpackedSize } from '../../body/unpacked-size.js';
import { ACCEPTED_HEADERS, accepted, success } from '../../endpoint/responses.js';
import type { Input } from '../../endpoint/route.js';
import { jobLinks } from '../../jobs/present-job.js';
import { respondAfterJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';

const WAIT_MS = 20_000;

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

type UploadInput = Pick<Input<unknown, unknown>, 'ctx' | 'apiKey' | 'requestId' | 'once' | 'services'>;

type ImportOptions = Pick<ImportParams, 'action' | 'onError' | 'dryRun'>;

/**
 * Receives a JSON array of records and imports it like any other upload. If any record is invalid, it rejects the
 * whole array.
 */
export async function importJson(
  input: UploadInput,
  shape: string,
  options: ImportOptions,
  message: string,
): Promise<void> {
  const { ctx, services, once } = input;
  const { upload, error: invalid } = await receiveRecords(ctx, services.files, options.action, shape);
  try {
    once?.bodyRead(upload.digest);
    if (invalid) throw invalid;
  } catch (error) {
    // As for a CSV file, upkeep removes a file that stays.
    await services.files.remove(upload.key).catch(() => {});
    throw error;
  }
  await importUpload(input, upload, { ...options, format: 'json' }, message);
}

/** Submits a stored upload, and waits for it if it is small. If no job is created, the file is removed. */
export async function importUpload(
  { ctx, apiKey, requestId, once, services }: UploadInput,
  { key, bytes, isGzip }: Upload,
  options: ImportOptions & Pick<ImportParams, 'format' | 'charset'>,
  message: string,
): Promise<void> {
  const { smallUploadBytes, uploadMaxBytes: maxBytes, uploadMaxRows: maxRows } = services.settings;
  const isSmall = bytes <= smallUploadBytes;
  // A few KiB of gzip can expand to a GiB of rows, which would delay the small uploads behind it.
  const size = isGzip && isSmall ? await unpackedSize(services.files, key, smallUploadBytes) : bytes;
  const jobId = await submitJob(services, {
    contract: identityImport,
    queue: importQueue(size, smallUploadBytes),
    params: { version: 1, ...options, bytes, maxBytes, maxRows },
    apiKeyId: apiKey.id,
    requestId,
    sourceKey: key,
    sourceBytes: bytes,
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
  const { dryRun } = params as ImportParams;
  const { total = 0, rejected = 0 } = counts ?? {};
  const invalid = `${rejected} of ${total} ${total === 1 ? 'row' : 'rows'} ${rejected === 1 ? 'was' : 'were'} rejected`;
  if (dryRun)
    return `Dry run: nothing was written. ${rejected ? `${invalid}. ` : ''}The counts show what the upload would do.`;
  if (rejected === 0) return message;
  const others = rejected === total ? '' : ' The others were written.';
  return `${invalid}.${others} Download the rejected rows from links.rejected, fix them and upload them.`;
}
