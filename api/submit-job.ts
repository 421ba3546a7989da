import { uuidv7 } from 'uuidv7';
import type { z } from 'zod';
import { dropQueuedJob } from '../db/job-lifecycle.js';
import { insertJob } from '../db/jobs.js';
import { nextAcceptance } from '../workers/queues/acceptance.js';
import type { Contract } from '../workers/queues/contract.js';
import type { jobPayload } from '../workers/queues/job-payload.js';
import type { OnceRequest } from './idempotency.js';
import type { Services } from './services.js';

export interface Submission<Params extends z.ZodType> {
  contract: Contract<string, typeof jobPayload, Params>;
  /** Which of the contract's queues. */
  queue: string;
  params: z.infer<Params>;
  apiKeyId: string;
  requestId: string;
  /** The request's hold on its `Idempotency-Key`, when it has one. */
  once?: OnceRequest | null;
  /** The stored upload, when there is one. */
  sourceKey?: string;
}

/**
 * Records a job and puts it into its queue. An upload is numbered here, when its body is stored whole: of two uploads
 * the one numbered later wins. Throws what becomes a 503 when MySQL or Redis is away; then nothing will happen.
 */
export async function submitJob<Params extends z.ZodType>(
  services: Services,
  submission: Submission<Params>,
): Promise<string> {
  const id = uuidv7();
  try {
    await record(services, id, submission);
    await enqueue(services, id, submission);
  } catch (error) {
    if (submission.sourceKey) await services.files.remove(submission.sourceKey).catch(() => {});
    throw error;
  }
  return id;
}

async function record<Params extends z.ZodType>(
  { database, redis, settings }: Services,
  id: string,
  { contract, queue, params, apiKeyId, requestId, sourceKey, once }: Submission<Params>,
): Promise<void> {
  const acceptance = sourceKey ? await nextAcceptance(redis, settings.redisPrefix) : undefined;
  const job = {
    id,
    type: contract.name,
    queue,
    apiKeyId,
    requestId,
    params: contract.params.parse(params),
    ...(acceptance === undefined ? {} : { acceptance }),
    ...(sourceKey === undefined ? {} : { sourceKey }),
  };
  if (!once) return insertJob(database, job);
  await database.transaction(async (transaction) => {
    await insertJob(transaction, job);
    await once.made(transaction, id);
  });
}

/** An `add` that failed may still have reached Redis. What a worker has taken already is left to it. */
async function enqueue<Params extends z.ZodType>(
  { database, producer }: Services,
  id: string,
  { contract, queue, requestId }: Submission<Params>,
): Promise<void> {
  try {
    await producer.enqueue(contract, queue, id, { version: 1, jobId: id, requestId });
  } catch (error) {
    if (await dropQueuedJob(database, id)) throw error;
  }
}
