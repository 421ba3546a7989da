import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, Queue } from 'bullmq';
import { redact } from './redact.js';

/**
 * A queue as the dashboard may see it: nothing can be changed, and what it gets of a job has been redacted already, so no
 * page and no answer of bull-board's can show more, whichever part of a job that takes.
 */
export class RedactedQueue extends BullMQAdapter {
  constructor(queue: Queue) {
    super(queue, { readOnlyMode: true });
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    return job && redacted(job);
  }

  override async getJobs(...asked: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    return (await super.getJobs(...asked)).map(redacted);
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

function redacted(job: Job): Job {
  redact(job);
  return job;
}
