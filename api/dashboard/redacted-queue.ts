import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, JobType, Queue } from 'bullmq';
import type { RedisConnection } from '../../workers/queues/connection.js';
import { jobWithoutData } from './job-without-data.js';
import { redact } from './redact.js';

/** A list is read anew every few seconds: of a job with more data it tells how much that is. */
const LISTED_BYTES = 16 * 1024;
/** The same of a job that is looked at alone. Batches have less, unless it is one large event. */
const SHOWN_BYTES = 1024 * 1024;

/**
 * A queue as the dashboard may see it: nothing can be changed, and what it gets of a job has been redacted already, so no
 * page and no answer of bull-board's can show more, whichever part of a job that takes.
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

  /** One after the other: all at once would hold up every request. */
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

  /** We write none; whoever else did, nobody knows what is in them. */
  override async getJobLogs(): Promise<string[]> {
    return [];
  }

  /** Jobs here have no children. */
  override async getFlowProducer(): Promise<null> {
    return null;
  }

  async #read(id: string, mostBytes: number): Promise<Job | undefined> {
    const bytes = await this.#redis.hstrlen(this.#queue.toKey(id), 'data');
    const job =
      bytes > mostBytes
        ? await jobWithoutData(this.#redis, this.#queue, id, { bytes })
        : await super.getJob(id);
    if (job) redact(job);
    return job;
  }
}
