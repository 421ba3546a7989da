import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, JobType, Queue } from 'bullmq';
import { jobDataBytes, readJobWithoutData } from '../../workers/queues/bullmq-internals.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import { alertIntake } from '../../workers/queues/contracts/alert-intake.js';
import { jobPayload } from '../../workers/queues/contracts/contract.js';

/** The largest data shown in a list, which is reloaded every few seconds. Of larger data, only the size is shown. */
const LISTED_BYTES = 16 * 1024;
/** The same for a single job. Only a batch with one large event has more. */
const SHOWN_BYTES = 1024 * 1024;

/**
 * A read-only queue for the dashboard. Jobs are redacted before bull-board gets them, so none of its pages can show more,
 * whichever part of a job it uses.
 */
export class RedactedQueue extends BullMQAdapter {
  readonly #queue: Queue;
  readonly #redis: RedisConnection;

  constructor(queue: Queue, redis: RedisConnection) {
    super(queue, { readOnlyMode: true });
    this.#queue = queue;
    this.#redis = redis;
  }

  override getJob(id: string): Promise<Job | undefined> {
    return this.#read(id, SHOWN_BYTES);
  }

  /** Reads one job after the other. All at once would delay other requests. */
  override async getJobs(...[states, start, end]: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    const jobs: Job[] = [];
    for (const id of new Set(await this.#queue.getRanges(states as JobType[], start, end, false))) {
      const job = await this.#read(id, LISTED_BYTES);
      if (job) jobs.push(job);
    }
    return jobs;
  }

  override async getJobSchedulers(): ReturnType<BullMQAdapter['getJobSchedulers']> {
    return (await super.getJobSchedulers()).map(({ template: _, ...scheduler }) => scheduler);
  }

  /** Muster writes no job logs. Any that exist may contain anything. */
  override async getJobLogs(): Promise<string[]> {
    return [];
  }

  /** Muster's jobs have no children. */
  override async getFlowProducer(): Promise<null> {
    return null;
  }

  async #read(id: string, maxBytes: number): Promise<Job | undefined> {
    const bytes = await jobDataBytes(this.#redis, this.#queue, id);
    const job =
      bytes > maxBytes
        ? await readJobWithoutData(this.#redis, this.#queue, id, { bytes })
        : await super.getJob(id);
    if (job) redact(job);
    return job;
  }
}

/** Event ids shown of a batch. */
const IDS_SHOWN = 10;

/** Removes everything from a job that may contain user data. Only what is known to be harmless stays. */
function redact(job: Job): void {
  job.data = summaryOf(job.data);
  job.returnvalue = null;
  job.progress = typeof job.progress === 'object' ? numbersOf(job.progress) : 0;
  job.failedReason = job.failedReason && reasonOf(job.failedReason);
  job.deferredFailure = job.deferredFailure && reasonOf(job.deferredFailure);
  job.stacktrace = [];
}

/** Returns the ids and numbers that Muster itself created. */
function summaryOf(data: unknown): object {
  const batch = alertIntake.payload.safeParse(data);
  if (batch.success) {
    const { version, events, lists = [] } = batch.data;
    const rejected = events.filter((event) => event.rejected).length;
    const ids = [...events.map(({ id }) => id), ...lists.flatMap((list) => list.ids)];
    return { version, events: ids.length, rejected, eventIds: ids.slice(0, IDS_SHOWN) };
  }
  const recorded = jobPayload.safeParse(data);
  return recorded.success ? recorded.data : numbersOf(data);
}

function numbersOf(value: unknown): object {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(entries.filter(([, inner]) => typeof inner === 'number'));
}

/** Keeps our own codes and two known messages. The message of any other error may quote user data. */
function reasonOf(text: string): string {
  const isOurs = /^[a-z][a-z0-9_]{0,63}$/.test(text) || HARMLESS.includes(text);
  return isOurs ? text : 'The log of the worker has the reason.';
}

const HARMLESS = ['the attempt failed; the log has the reason', 'job stalled more than allowable limit'];
