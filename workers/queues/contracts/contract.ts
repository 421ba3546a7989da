import type { JobsOptions } from 'bullmq';
import { z } from 'zod';

/** A schema of stored data that says which versions of it this release can read. */
export type Versioned = z.ZodObject<{ version: z.ZodType }>;

/** What the API and the workers agree on for one type of job. `workers/queues/index.ts` explains the terms. */
export interface Contract<
  Payload extends Versioned = Versioned,
  Params extends Versioned | z.ZodNever = Versioned | z.ZodNever,
> {
  /** The job's type in the API and in the table `jobs`, and its name in BullMQ. */
  name: string;
  /** The queues that may carry it. All have the same handler; the first is the default. */
  queues: readonly [string, ...string[]];
  payload: Payload;
  params: Params;
  options: RetryPolicy;
  /** The version that the params get at least when a job starts, because workers of earlier releases cannot continue it. Default: they stay as they are. */
  startedAs?: number;
  /** How many jobs of each of its queues one worker runs at a time. Default: 1. */
  concurrency?: number;
  /** How many jobs of each of its queues run at a time in all workers together. Default: no limit. */
  globalConcurrency?: number;
}

export interface RetryPolicy extends Pick<JobsOptions, 'attempts' | 'backoff'> {
  attempts: number;
}

/** Returns the contract unchanged; its type keeps the exact names of the job and of its queues. */
export const defineContract = <const Defined extends Contract>(contract: Defined): Defined => contract;

/** The names of a contract's queues. */
export type QueueOf<Defined extends Contract> = Defined['queues'][number];

/** The payload of each job that has a row in `jobs`: that row, and the request that the job came from. Version 2: somebody is told of its end. */
export const jobPayload = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  jobId: z.uuid(),
  requestId: z.string(),
  /** The span of the request, as W3C Trace Context writes it. Only while the API is traced. */
  traceparent: z.string().optional(),
});

/** A contract of jobs that have a row in `jobs`. */
export type RecordedContract = Contract<typeof jobPayload, Versioned>;

/**
 * Returns the params of a job of this contract.
 * @throws ZodError if they are not of it, or of a version that this release cannot read
 */
export const paramsOf = <Params extends Versioned>(
  job: { params: unknown },
  { params }: { params: Params },
): z.infer<Params> => params.parse(job.params);

/** The link that an upload came through, and the key that made the link. */
export const uploadLinkOfJob = z.object({
  id: z.string(),
  name: z.string(),
  apiKey: z.object({ id: z.string(), name: z.string().nullable() }),
});
export type UploadLinkOfJob = z.infer<typeof uploadLinkOfJob>;

/** What the params of all types of jobs may have, also those of other releases. */
const commonParams = z.object({
  dryRun: z.boolean().optional(),
  format: z.string().optional(),
  callback: z.string().optional(),
  uploadLink: uploadLinkOfJob.optional(),
  jobId: z.string().optional(),
  planId: z.string().optional(),
  acceptOf: z.string().optional(),
  alerts: z.object({ revertOf: z.string().optional() }).optional().catch(undefined),
});

/**
 * Returns the other jobs that the params of a job name: `jobId` is the one that it reverts or whose plan it applies, `planId` the dry run of a remap, `acceptOf`
 * a worklist, and `revertOf` what a job about alerts takes back.
 */
export function jobsNamedBy(job: { params: unknown }) {
  const { jobId, planId, acceptOf, alerts } = commonParams.parse(job.params);
  return { jobId, planId, acceptOf, revertOf: alerts?.revertOf };
}

/** Returns whether a job of any type changes nothing. */
export const isDryRun = (job: { params: unknown }): boolean => commonParams.parse(job.params).dryRun ?? false;

/** Returns the format of the file that a job of any type was given. */
export const formatOf = (job: { params: unknown }): string | undefined =>
  commonParams.parse(job.params).format;

/** Returns the id of the destination that is told when a job of any type ends; null if nobody is. */
export const callbackOf = (job: { params: unknown }): string | null =>
  commonParams.parse(job.params).callback ?? null;

/** Returns the link that the upload of a job came through; undefined if there is none. */
export const uploadLinkOf = (job: { params: unknown }): UploadLinkOfJob | undefined =>
  commonParams.parse(job.params).uploadLink;

/** The data of a job has a version that this release cannot read: a newer release made it. */
export class UnknownVersion extends Error {
  override name = 'UnknownVersion';
  /** The version that the data has. */
  readonly version: unknown;

  constructor(version: unknown) {
    super('a newer release made this job');
    this.version = version;
  }
}

/** Checks the version of a payload or of params, and nothing else of them. @throws UnknownVersion */
export function checkVersion({ shape }: Versioned, data: unknown): void {
  const version = typeof data === 'object' && data !== null && 'version' in data ? data.version : undefined;
  if (!shape.version.safeParse(version).success) throw new UnknownVersion(version);
}

/**
 * How a recorded job is retried after an unexpected error. BullMQ picks each wait at random from the given range, so that
 * jobs that failed together do not all come back together.
 *
 * | attempt | waits before it | has waited in total |
 * | ------- | --------------- | ------------------- |
 * | 1       | 0               | 0                   |
 * | 2       | 0.5 to 1 s      | 0.5 to 1 s          |
 * | 3       | 1 to 2 s        | 1.5 to 3 s          |
 * | 4       | 2 to 4 s        | 3.5 to 7 s          |
 * | 5       | 4 to 8 s        | 7.5 to 15 s         |
 *
 * After the fifth attempt the job is `failed`. Waiting for an unavailable server is not an attempt, see
 * `workers/run/retry-while-unavailable.ts`.
 */
export const FIVE_ATTEMPTS: RetryPolicy = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
};

/** How long the files and the changes of a job are kept, and a failed one may be retried. */
export const JOB_KEPT_HOURS = 7 * 24;
export const JOB_KEPT_S = JOB_KEPT_HOURS * 60 * 60;

/** A filter of an export: one value, or any of several. */
export const filterValues = z.union([z.string(), z.array(z.string())]).optional();

/** Set if an export must be read from the primary. Otherwise a replica may be read. */
export const readFrom = z.enum(['primary']).optional();

/** Version 2 has a filter with several values, versions 3 and 4 one that earlier releases do not know and would ignore. */
export const exportVersion = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);

const SINCE_3 = [
  'peakSeverity',
  'severityAtLeast',
  'peakAtLeast',
  'resolvedBy',
  'lastEventFrom',
  'lastEventTo',
];

/** Returns the lowest version that can have these filters. */
export function exportVersionOf(filters: Readonly<Record<string, unknown>>): z.infer<typeof exportVersion> {
  if (filters.ownerEmail !== undefined) return 4;
  if (SINCE_3.some((name) => filters[name] !== undefined)) return 3;
  return Object.values(filters).some(Array.isArray) ? 2 : 1;
}
