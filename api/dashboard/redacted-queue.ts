import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, JobType, Queue } from 'bullmq';
import { redact } from './redact.js';

/**
 * A queue as the dashboard may see it: nothing can be changed, and what it gets of a job has been redacted already, so no
 * page and no answer of bull-board's can show more, whichever part of a job that takes.
 */
export class RedactedQueue extends BullMQAdapter {
  readonly #queue: Queue;

  constructor(queue: Queue) {
    super(queue, { readOnlyMode: true });
    this.#queue = queue;
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    if (job) redact(job);
    return job;
  }

  /** One after the other: each may be a batch of half a MiB, and all at once would hold up every request. */
  override async getJobs(...[states, start, end]: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    const jobs: Job[] = [];
    for (const id of new Set(await this.#queue.getRanges(states as JobType[], start, end, false))) {
      const job = await this.getJob(id);
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
}
