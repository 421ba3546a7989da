import type { Knex } from 'knex';
import { uuidv7 } from 'uuidv7';
import { systemOrigin } from '../../db/audit/entry.js';
import { writeAudit } from '../../db/audit/write-audit.js';
import { inTransaction } from '../../db/client/transaction.js';
import { otherApply } from '../../db/feeds/feed-plans.js';
import { insertRun, noteStep, openRun, type RunFacts } from '../../db/feeds/feed-runs.js';
import { type Feed, lockFeed, setNextRun } from '../../db/feeds/feeds.js';
import { findApply, insertAppliedPlan } from '../../db/identities/history/applied-plans.js';
import { lockJob } from '../../db/jobs/job-lifecycle.js';
import { insertJob, type Job, type NewJob } from '../../db/jobs/jobs.js';
import { newAcceptance } from '../queues/acceptance.js';
import type { RecordedContract } from '../queues/contracts/contract.js';
import { feedRun } from '../queues/contracts/feed-run.js';
import { identityApply } from '../queues/contracts/identity-apply.js';
import {
  identityImport,
  importParams,
  importQueue,
  WORKBOOK_GROWTH,
} from '../queues/contracts/identity-import.js';
import { enqueueJob } from '../queues/enqueue-job.js';
import { JobFailure, NotYet } from '../run/errors.js';
import type { WorkerServices } from '../run/services.js';
import type { StoredFile } from './fetch-file.js';
import type { FeedSettings } from './rules/feed-settings.js';

/** Starts the scheduled run of a feed, and sets its next time. Does nothing if its last run has not ended. */
export async function startScheduledRun(
  feed: Feed,
  nextRunAt: Date | null,
  services: WorkerServices,
): Promise<void> {
  const job = newJob(
    feedRun,
    { version: 1, feedId: feed.id },
    { apiKeyId: feed.savedBy.id, requestId: uuidv7() },
  );
  const isStarted = await inTransaction(services.database, async (transaction) => {
    const locked = await lockFeed(transaction, feed.id);
    // Another worker was faster, or somebody has changed it.
    if (!locked?.nextRunAt || +locked.nextRunAt !== +(feed.nextRunAt ?? 0)) return false;
    await setNextRun(transaction, feed.id, nextRunAt);
    if (await openRun(transaction, feed.id)) return false;
    await insertJob(transaction, job);
    await insertRun(transaction, { jobId: job.id, feedId: feed.id, startedBy: 'schedule', isDryRun: false });
    return true;
  });
  if (isStarted) await enqueue(job, services);
}

/** Starts the dry run that plans what the file of a run changes. @throws NotYet if another worker has started it */
export async function startPlan(
  job: Job,
  { key, charset, bytes, isGzip, isZip, file }: StoredFile,
  { recipe, mirror, onError }: FeedSettings,
  services: WorkerServices,
): Promise<void> {
  const { uploadMaxBytes: maxBytes, uploadMaxRows: maxRows, smallUploadBytes } = services.settings;
  const { columns, integrationId, rules, keep, sheet } = recipe;
  const hasRules = Object.keys(rules).length > 0 || keep !== undefined;
  const params = importParams.parse({
    version: hasRules ? 5 : isZip ? 4 : mirror || charset ? 2 : 1,
    format: 'csv',
    action: 'assert',
    onError,
    dryRun: true,
    charset,
    ...(isZip ? { workbook: { sheet } } : {}),
    ...(Object.keys(columns).length > 0 ? { columns } : {}),
    ...(hasRules ? { recipe: { rules, keep } } : {}),
    integrationId,
    // The guards decide how many removals are too many.
    ...(mirror ? { mirror: { integrationIds: mirror, maxRemovals: maxRows } } : {}),
    bytes,
    maxBytes,
    maxRows,
  });
  const size = isZip || isGzip ? bytes * WORKBOOK_GROWTH : bytes;
  const plan = {
    ...newJob(identityImport, params, job),
    queue: importQueue(size, smallUploadBytes),
    acceptance: await newAcceptance(services),
    sourceKey: key,
    sourceBytes: bytes,
    fileName: file.name.slice(0, 255),
  };
  await inTransaction(services.database, async (transaction) => {
    if (!(await noteStep(transaction, job.id, { file, planId: plan.id }))) throw new NotYet();
    await insertJob(transaction, plan);
  });
  await enqueue(plan, services);
}

/** Starts the job that applies the plan of a run. @throws NotYet if another worker has started it, JobFailure if somebody has applied the plan */
export async function startApply(
  job: Job,
  plan: Job,
  { feedId, facts, reason }: { feedId: string; facts: RunFacts; reason: string },
  services: WorkerServices,
): Promise<void> {
  const params = { version: 1, jobId: plan.id, isRevert: false, format: 'csv', onConflict: 'skip' };
  const apply = { ...newJob(identityApply, params, job), acceptance: await newAcceptance(services) };
  await inTransaction(services.database, async (transaction: Knex.Transaction) => {
    await lockFeed(transaction, feedId);
    if (!(await noteStep(transaction, job.id, { facts, applyId: apply.id }))) throw new NotYet();
    await lockJob(transaction, plan.id);
    if (await otherApply(transaction, { feedId, planId: plan.id, since: plan.createdAt }))
      throw new JobFailure(
        'plan_outdated',
        'Somebody has applied another plan of the feed meanwhile. Start the run again.',
      );
    if (await findApply(transaction, plan.id))
      throw new JobFailure('already_applied', 'Somebody has applied the plan of this run already.');
    await insertJob(transaction, apply);
    const applied = { jobId: apply.id, planId: plan.id, plannedBy: plan.apiKeyId, reason };
    await insertAppliedPlan(transaction, applied);
    await writeAudit(transaction, systemOrigin('feed', 'apply-feed-plan'), [
      {
        kind: 'job',
        id: apply.id,
        name: apply.type,
        before: null,
        after: { feedRun: job.id, planId: plan.id, reason },
      },
    ]);
  });
  await enqueue(apply, services);
}

function newJob(
  contract: RecordedContract,
  params: unknown,
  { apiKeyId, requestId }: Pick<Job, 'apiKeyId' | 'requestId'>,
): NewJob {
  return { id: uuidv7(), type: contract.name, queue: contract.queues[0], apiKeyId, requestId, params };
}

/** Adds a recorded job to its queue. If Redis does not take it, upkeep adds it. */
async function enqueue(job: NewJob, { producer, log }: WorkerServices): Promise<void> {
  await enqueueJob(producer, job, job.requestId).catch((error: Error) =>
    log.warn({ jobId: job.id, error: error.message }, 'a job of a feed is recorded, and waits for Redis'),
  );
}
