import type { Job } from '../../db/jobs/jobs.js';
import { type RecordedJobName, recordedContracts } from './index.js';
import type { Producer } from './producer.js';

/**
 * Puts a job that has its row back into its queue; one that is there already stays as it is.
 *
 * @throws QueueAway if Redis does not take it
 */
export async function enqueueAgain(
  producer: Producer,
  { id, type, queue, apiKeyId }: Job,
  requestId: string,
): Promise<void> {
  const contract = recordedContracts[type as RecordedJobName];
  await producer.enqueue(contract, queue, id, { version: 1, jobId: id, requestId }, apiKeyId);
}
