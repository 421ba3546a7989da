import type { Job } from '../../db/jobs/jobs.js';
import type { RecordedContract } from './contracts/contract.js';
import { type RecordedJobName, recordedContracts } from './index.js';
import type { Producer } from './producer.js';

/**
 * Puts a job that has its row into its queue. If it is in there already, nothing changes.
 * @throws QueueUnavailable if Redis does not take the job
 */
export async function enqueueJob(
  producer: Producer,
  { id, type, queue, apiKeyId }: Pick<Job, 'id' | 'type' | 'queue' | 'apiKeyId'>,
  requestId: string,
): Promise<void> {
  const contract: RecordedContract = recordedContracts[type as RecordedJobName];
  await producer.enqueue(contract, id, { version: 1, jobId: id, requestId }, { queue, apiKeyId });
}
