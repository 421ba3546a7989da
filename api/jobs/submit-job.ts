import { uuidv7 } from 'uuidv7';
import type { z } from 'zod';
import { CommitUnknown } from '../../db/client/errors.js';
import { inKnownTransaction, inTransaction } from '../../db/client/transaction.js';
import { withdrawJob } from '../../db/jobs/job-lifecycle.js';
import { greatestAcceptance, insertJob, isJobCommitted } from '../../db/jobs/jobs.js';
import { nextAcceptance } from '../../workers/queues/acceptance.js';
import type { QueueOf, RecordedContract } from '../../workers/queues/contracts/contract.js';
import { enqueueJob } from '../../workers/queues/enqueue-job.js';
import type { IdempotentRequest } from '../idempotency/idempotent-request.js';
import type { Services } from '../services.js';
import { checkJobLimits } from './job-limits.js';

export interface Submission<Submitted extends RecordedContract> {
  contract: Submitted;
  /** Which of the contract's queues. Default: the first. */
  queue?: QueueOf<Submitted>;
  params: z.infer<Submitted['params']>;
  apiKeyId: string;
  requestId: string;
  /** The request's hold on its `Idempotency-Key`, when it has one. */
  once?: IdempotentRequest | null;
  /** The stored upload, when there is one, and its size. */
  sourceKey?: string;
  sourceBytes?: number;
}

/**
 * Records a job and puts it into its queue. Returns its id. An upload is numbered here, when its body is stored whole: of
 * two uploads the one numbered later wins.
 *
 * If this throws, the job will not run, with two exceptions: a database that fails during COMMIT and cannot be asked
 * afterwards may have recorded it, and one that fails after Redis did cannot withdraw it. Then the upload and the link of the
 * `Idempotency-Key` stay, so that upkeep or a retry can carry on.
 *
 * @throws RequestError 429 if the API key has as many open jobs or stored bytes as it may have
 * @throws what becomes a 503 if MySQL or Redis is unavailable
 */
export async function submitJob<Submitted extends RecordedContract>(
  services: Services,
  submission: Submission<Submitted>,
): Promise<string> {
  const id = uuidv7();
  await record(services, id, submission).catch(async (error) => {
    if (!(error instanceof CommitUnknown)) await removeUpload(services, submission);
    throw error;
  });
  await enqueue(services, id, submission);
  return id;
}

async function record<Submitted extends RecordedContract>(
  services: Services,
  id: string,
  {
    contract,
    queue = contract.queues[0],
    params,
    apiKeyId,
    requestId,
    sourceKey,
    sourceBytes,
    once,
  }: Submission<Submitted>,
): Promise<void> {
  await checkJobLimits(services, apiKeyId, sourceBytes);
  const job = {
    id,
    type: contract.name,
    queue,
    apiKeyId,
    requestId,
    params: contract.params.parse(params),
    ...(sourceKey === undefined ? {} : { sourceKey, acceptance: await acceptanceOf(services) }),
    ...(sourceBytes === undefined ? {} : { sourceBytes }),
  };
  await inKnownTransaction(
    services.database,
    async (transaction) => {
      await insertJob(transaction, job);
      await once?.linkJob(transaction, id);
    },
    (database) => isJobCommitted(database, id),
  );
}

/** Above that of every upload on record, even if Redis has lost its data. */
async function acceptanceOf({ database, redis, settings }: Services): Promise<number> {
  return nextAcceptance(redis, settings.redisPrefix, await greatestAcceptance(database));
}

/** An `add` that failed may have reached Redis all the same: a job that a worker has taken goes on. */
async function enqueue<Submitted extends RecordedContract>(
  services: Services,
  id: string,
  submission: Submission<Submitted>,
): Promise<void> {
  const { contract, queue = contract.queues[0], requestId, apiKeyId } = submission;
  try {
    await enqueueJob(services.producer, { id, type: contract.name, queue, apiKeyId }, requestId);
  } catch (error) {
    // If the database fails here too, the job stays as it is, and upkeep puts it into its queue.
    const withdrawn = await withdraw(services, id, submission).catch(() => null);
    if (withdrawn) await removeUpload(services, submission);
    if (withdrawn !== false) throw error;
  }
}

/**
 * Cancels a job that did not reach its queue and removes its link, both or neither. Returns false if it goes on: a worker
 * has taken it, or a retry of the request took over the key and was sent to it.
 */
async function withdraw<Submitted extends RecordedContract>(
  { database }: Services,
  id: string,
  { once }: Submission<Submitted>,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    if (once && !(await once.lockKey(transaction))) return false;
    if (!(await withdrawJob(transaction, id))) return false;
    await once?.unlinkJob(transaction);
    return true;
  });
}

/** Only for an upload that no job names. */
async function removeUpload<Submitted extends RecordedContract>(
  { files }: Services,
  { sourceKey }: Submission<Submitted>,
): Promise<void> {
  if (sourceKey) await files.remove(sourceKey).catch(() => {});
}
