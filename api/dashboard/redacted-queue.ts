import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, JobType, Queue } from 'bullmq';
import { jobDataBytes, readJobWithoutData } from '../../workers/queues/bullmq-internals.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import { redact } from './redact.js';

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
