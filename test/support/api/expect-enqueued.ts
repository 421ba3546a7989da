import { expect } from '@jest/globals';
import type { Queue } from 'bullmq';

/** The properties of a queued job that a test may check. */
interface EnqueuedJob {
  id?: string;
  name?: string;
  data?: object;
}

/**
 * Expects a job in a queue, in any state, with at least these properties. `data` too must have at least the given
 * ones.
 */
export async function expectEnqueued(queue: Queue, { data, ...job }: EnqueuedJob): Promise<void> {
  const found = (await queue.getJobs()).map(({ id, name, data }) => ({ id, name, data }));
  const wanted =
    data === undefined ? job : { ...job, data: expect.objectContaining(data as Record<string, unknown>) };
  expect(found).toContainEqual(expect.objectContaining(wanted));
}
