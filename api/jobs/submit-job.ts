import type { Knex } from 'knex';
import { uuidv7 } from 'uuidv7';
import type { z } from 'zod';
import { giveLinkUseBack } from '../../db/access/upload-links.js';
import type { AuditChange } from '../../db/audit/entry.js';
import { writeAudit } from '../../db/audit/write-audit.js';
import { CommitUnknown } from '../../db/client/errors.js';
import { inKnownTransaction, inTransaction } from '../../db/client/transaction.js';
import { withdrawJob } from '../../db/jobs/job-lifecycle.js';
import { insertJob, isJobCommitted, type NewJob } from '../../db/jobs/jobs.js';
import { newAcceptance } from '../../workers/queues/acceptance.js';
import type { QueueOf, RecordedContract } from '../../workers/queues/contracts/contract.js';
import { enqueueJob } from '../../workers/queues/enqueue-job.js';
import { changed } from '../audit/changed.js';
import type { RequestOrigin } from '../audit/request-origin.js';
import type { IdempotentRequest } from '../idempotency/idempotent-request.js';
import type { ApiServices } from '../services.js';
import { checkJobLimits } from './job-limits.js';
import { type JobOfLink, takeUse } from './link-use.js';

export interface Submission<Submitted extends RecordedContract> {
  contract: Submitted;
  /** Which of the contract's queues. Default: the first. */
  queue?: QueueOf<Submitted>;
  params: z.infer<Submitted['params']>;
  /** The request that the job does. */
  origin: RequestOrigin;
  /** What the job takes of the upload link of its request. */
  ofLink?: JobOfLink | undefined;
  /** The destination that is told when the job ends, as `requireCallback` has returned it. */
  callback?: string | undefined;
  /** For a request with an `Idempotency-Key`. */
  once?: IdempotentRequest | null;
  /** The acceptance number of a job without an upload, if it has one; `next` for a number of its own. */
  acceptance?: number | 'next';
  /** Called in the transaction that records the job, before. What it throws refuses the job. */
  recording?: (transaction: Knex.Transaction, jobId: string) => Promise<void>;
  /** The file of an upload, and its size in bytes. */
  sourceKey?: string;
  sourceBytes?: number;
  /** The name of that file, if its client gave one. */
  fileName?: string | null | undefined;
}

/**
 * Records a job and adds it to its queue. Returns its id. An upload gets its acceptance number here, when its body is
 * completely stored: of two uploads, the one with the higher number wins.
 *
 * If this throws, the job will not run, with two exceptions. A database that fails during COMMIT, and stays unavailable,
 * may have recorded the job. A database that fails after Redis has failed cannot withdraw it. In both cases the upload and
 * the link of the `Idempotency-Key` remain, so that upkeep or a retry can continue.
 *
 * @throws RequestError 403 if the upload link has no use left or has ended
 * @throws RequestError 429 if the API key has reached its limit of open jobs or stored bytes
 * @throws an error that becomes a 503 if the database or Redis is unavailable
 */
export async function submitJob<Submitted extends RecordedContract>(
  services: ApiServices,
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
  services: ApiServices,
  id: string,
  {
    contract,
    queue = contract.queues[0],
    params,
    origin,
    sourceKey,
    acceptance = sourceKey === undefined ? undefined : 'next',
    recording,
    sourceBytes,
    fileName,
    callback,
    once,
    ofLink,
  }: Submission<Submitted>,
): Promise<void> {
  const { actor, requestId } = origin;
  await checkJobLimits(services, actor.id, sourceBytes, ofLink?.link);
  const job = {
    id,
    type: contract.name,
    queue,
    apiKeyId: actor.id,
    requestId,
    // Only exports know the parameters of the service.
    params: { ...contract.params.parse({ ...params, ...services.exportParams }), callback },
    ...(acceptance === undefined
      ? {}
      : { acceptance: acceptance === 'next' ? await newAcceptance(services) : acceptance }),
    ...(sourceKey === undefined ? {} : { sourceKey }),
    ...(sourceBytes === undefined ? {} : { sourceBytes }),
    fileName: fileName ?? null,
  };
  await inKnownTransaction(
    services.database,
    async (transaction) => {
      if (ofLink) await takeUse(transaction, ofLink);
      await recording?.(transaction, id);
      await insertJob(transaction, job);
      await once?.linkJob(transaction, id);
      await writeAudit(transaction, origin, [recorded(job)]);
    },
    (database) => isJobCommitted(database, id),
  );
}

/** Returns the entry of a job in the audit log: what it was asked to do. */
const recorded = ({ id, type, params, fileName, sourceBytes }: NewJob): AuditChange => ({
  kind: 'job',
  id,
  name: type,
  before: null,
  after: Object.assign({}, params, { version: undefined, fileName: fileName ?? undefined, sourceBytes }),
});

/** Adds the job to its queue, or withdraws it. An `add` that failed may still have reached Redis, and a worker may have taken the job. */
async function enqueue<Submitted extends RecordedContract>(
  services: ApiServices,
  id: string,
  submission: Submission<Submitted>,
): Promise<void> {
  const { contract, queue = contract.queues[0], origin, callback } = submission;
  const job = { id, type: contract.name, queue, apiKeyId: origin.actor.id, params: { callback } };
  try {
    await enqueueJob(services.producer, job, origin.requestId);
  } catch (error) {
    // If the database fails here too, the job stays recorded, and upkeep adds it to its queue.
    const withdrawn = await withdraw(services, id, submission).catch(() => null);
    if (withdrawn) await removeUpload(services, submission);
    if (withdrawn !== false) throw error;
  }
}

/**
 * Withdraws a job that did not reach its queue, and removes its link, in one transaction. Returns false if the job continues:
 * a worker has taken it, or a repetition of the request took over the key and waits for it.
 */
async function withdraw<Submitted extends RecordedContract>(
  { database }: ApiServices,
  id: string,
  { contract, origin, once, ofLink }: Submission<Submitted>,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    if (once && !(await once.lockKey(transaction))) return false;
    if (!(await withdrawJob(transaction, id))) return false;
    if (ofLink) await giveLinkUseBack(transaction, ofLink.link.id, ofLink.use);
    await once?.unlinkJob(transaction);
    await writeAudit(transaction, origin, changed(['job', id, contract.name], { state: 'queued' }, null));
    return true;
  });
}

/** Removes an upload that no job refers to. */
async function removeUpload<Submitted extends RecordedContract>(
  { files }: ApiServices,
  { sourceKey }: Submission<Submitted>,
): Promise<void> {
  if (sourceKey) await files.remove(sourceKey).catch(() => {});
}
