import { z } from 'zod';
import { JOB_STATES } from '../../db/jobs/jobs.js';
import { type RecordedJobName, recordedContracts } from '../../workers/queues/index.js';
import { errorSchema } from '../endpoint/error-responses.js';
import { success } from '../endpoint/responses.js';

/** The types of the jobs that have a row, and so can be listed. */
export const JOB_TYPES = Object.keys(recordedContracts) as [RecordedJobName, ...RecordedJobName[]];

/** Which column of an uploaded CSV file each field was read from. */
export const uploadColumns = z
  .object({ email: z.string(), integrationId: z.string(), identity: z.string() })
  .partial()
  .meta({
    id: 'UploadColumns',
    description:
      'CSV uploads only: the column that each field was read from, as named in the header of the file. A field that is ' +
      'not read from the file is missing: `email` in a removal, `integrationId` if the upload sets it',
  });

export const jobSchema = z
  .object({
    id: z.uuid(),
    type: z.enum(JOB_TYPES),
    state: z.enum(JOB_STATES),
    dryRun: z.boolean().meta({ description: 'Nothing is written; `counts` are what the upload would do' }),
    revertOf: z
      .uuid()
      .optional()
      .meta({ description: 'Reverts only: the job whose changes this one takes back' }),
    applyOf: z
      .uuid()
      .optional()
      .meta({ description: 'Applied plans only: the dry run whose changes this job writes' }),
    acceptOf: z
      .uuid()
      .optional()
      .meta({ description: 'Uploads of accepted candidates only: their worklist' }),
    fileName: z
      .string()
      .nullable()
      .meta({ description: 'The name of the uploaded file; null if the client sent none, as with JSON' }),
    uploadLink: z
      .object({
        id: z.uuid(),
        name: z.string(),
        apiKey: z
          .object({ id: z.uuid(), name: z.string().nullable() })
          .meta({ description: 'The key that made the link' }),
      })
      .optional()
      .meta({ description: 'Uploads through an upload link only' }),
    callback: z
      .uuid()
      .nullable()
      .meta({ description: 'The destination that gets `job.finished` when the job ends; null without one' }),
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
    error: errorSchema
      .pick({ code: true, message: true, errors: true, errorCount: true, candidates: true })
      .optional(),
    links: z.record(z.string(), z.string()),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    attempts: z.number().int(),
  })
  .meta({ id: 'Job' });

/** The body of an operation that runs as a job, both when the job has ended (200) and when it is still running (202). */
export const jobResponse = z
  .object({
    ...success,
    message: z.string(),
    jobId: z.uuid(),
    data: jobSchema.optional().meta({ description: 'The job; absent only if the database is unavailable' }),
  })
  .meta({ id: 'JobResponse' });
