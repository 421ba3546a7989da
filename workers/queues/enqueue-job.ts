import type { Job } from '../../db/jobs/jobs.js';
import { currentTraceparent, inSpan } from '../tracing/spans.js';
import { callbackOf, type RecordedContract } from './contracts/contract.js';
import { jobTypeOf, recordedContracts } from './index.js';
import type { Producer } from './producer.js';

/**
 * Puts a job that has its row into its queue. If it is in there already, nothing changes.
 * @throws QueueUnavailable if Redis does not take the job
 */
export async function enqueueJob(
  producer: Producer,
  job: Pick<Job, 'id' | 'type' | 'queue' | 'apiKeyId' | 'params'>,
  requestId: string,
): Promise<void> {
  const { id, type, queue, apiKeyId } = job;
  const contract: RecordedContract = recordedContracts[jobTypeOf({ type })];
  await inSpan(
    `enqueue ${type}`,
    { kind: 'PRODUCER', attributes: { 'messaging.destination.name': queue } },
    () => {
      const traceparent = currentTraceparent();
      // Workers of earlier releases would tell nobody.
      const version = callbackOf(job) === null ? 1 : 2;
      const payload = { version, jobId: id, requestId, ...(traceparent && { traceparent }) } as const;
      return producer.enqueue(contract, id, payload, { queue, apiKeyId });
    },
  );
}
