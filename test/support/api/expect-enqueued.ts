import { expect } from '@jest/globals';
import type { Queue } from 'bullmq';

/** What a test may say of a job in a queue. */
interface EnqueuedJob {
  id?: string;
  name?: string;
  data?: object;
}

/** Expects a job in a queue, whatever its state there, that has at least these properties; of `data` at least these, too. */
export async function expectEnqueued(queue: Queue, { data, ...job }: EnqueuedJob): Promise<void> {
  const found = (await queue.getJobs()).map(({ id, name, data }) => ({ id, name, data }));
  const wanted =
    data === undefined ? job : { ...job, data: expect.objectContaining(data as Record<string, unknown>) };
  expect(found).toContainEqual(expect.objectContaining(wanted));
}
