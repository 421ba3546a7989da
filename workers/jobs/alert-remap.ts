import { countEvents } from '../../db/events/remap-events.js';
import { advancePlan, pinPlan } from '../../db/jobs/job-lifecycle.js';
import type { Job, JobWarning } from '../../db/jobs/jobs.js';
import { hasSeries } from '../../db/series/refold-marks.js';
import { findMapping } from '../../db/webhooks/mapping-revisions.js';
import { checkSteps, describeGroupingChanges, NO_GROUPING_CHECK } from '../events/remap/check-grouping.js';
import { mappedEvents, type Source } from '../events/remap/mapped-events.js';
import { NO_REMAP_COUNTS, type RemapPlan, remapPlan } from '../events/remap/plan.js';
import { writeSteps } from '../events/remap/write-steps.js';
import { refoldMarked } from '../events/series/refold-marked.js';
import type { CurrentMapping } from '../events/store/current-mappings.js';
import { compileStored, mergesEvents } from '../mapping/index.js';
import { type AlertRemapParams, alertRemapParams } from '../queues/contracts/alert-remap.js';
import { JobCanceled, JobFailure, WorkerClosing } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';

interface Remap extends Source {
  job: Job;
  progress: ProgressKeeper;
}

/**
 * Maps stored events again, in place, oldest first. Alerts keep their ids, and alerts that the mapping no longer makes are
 * deleted. Series whose items change are folded again at the end. The job can be interrupted at any point: its plan records the event after
 * which it resumes, and series that are not folded yet stay marked.
 */
export async function remapAlerts(job: Job, services: Services): Promise<JobResult> {
  const params = alertRemapParams.parse(job.params);
  const mapping = await mappingOf(params, services);
  const progress = new ProgressKeeper(job.id, null, services);
  const remap = { job, params, mapping, progress, services, checkpoint: () => progress.checkpoint() };
  const plan = await checkGrouping(remap, await planOf(remap));
  try {
    const { counts } = await writeAll(remap, plan);
    const warnings = await refold(remap);
    return { state: 'completed', counts, warnings, progress: progress.current };
  } catch (error) {
    if (error instanceof JobCanceled) await refold(remap);
    throw error;
  }
}

async function mappingOf(
  { webhookId, revision }: AlertRemapParams,
  { database, closing }: Services,
): Promise<CurrentMapping> {
  const text = await retryWhileDatabaseUnavailable(closing, () => findMapping(database, webhookId, revision));
  const compiled = text === null ? null : compileStored(JSON.parse(text));
  if (compiled && 'mapping' in compiled) return { revision, mapping: compiled.mapping };
  throw new JobFailure('unknown_revision', `There is no revision ${revision} that could be used.`);
}

function planOf({ job, params, mapping, services: { database, closing } }: Remap): Promise<RemapPlan> {
  return retryWhileDatabaseUnavailable(closing, async () => {
    const stored = await pinPlan<unknown>(database, job.id, {
      version: 1,
      total: await countEvents(database, params),
      seen: 0,
      after: null,
      check: (await needsCheck(database, params, mapping)) ? NO_GROUPING_CHECK : null,
      counts: NO_REMAP_COUNTS,
    } satisfies RemapPlan);
    const plan = remapPlan.parse(stored);
    // A plan of an older release lacks what was added since, and each step must find the plan as it left it.
    if (JSON.stringify(plan) !== JSON.stringify(stored)) await advancePlan(database, job.id, stored, plan);
    return plan;
  });
}

/** Returns whether a remap of a part may give items another key or status. */
async function needsCheck(
  database: Services['database'],
  { webhookId, from, onlyIncomplete, isPartial = from !== undefined || onlyIncomplete }: AlertRemapParams,
  { mapping }: CurrentMapping,
): Promise<boolean> {
  if (!isPartial) return false;
  return (mapping !== null && mergesEvents(mapping)) || hasSeries(database, webhookId);
}

/** @throws JobFailure if the remap would move items of some events to other alerts, while the events around them stay as they are */
async function checkGrouping(remap: Remap, plan: RemapPlan): Promise<RemapPlan> {
  if (!plan.check) return plan;
  const { job, params, progress, services } = remap;
  const { database, closing } = services;
  const writing = { jobId: job.id, webhookId: params.webhookId };
  let checked = plan;
  for await (const steps of mappedEvents(remap, toPosition(plan.check.after))) {
    checked = await retryWhileDatabaseUnavailable(closing, () =>
      checkSteps(database, checked, steps, writing),
    );
    progress.moveOn();
    progress.checkpoint();
  }
  const { check } = checked;
  const isPassed = !check?.events;
  // A retry of the job checks again.
  const next = { ...checked, check: isPassed ? null : NO_GROUPING_CHECK };
  await retryWhileDatabaseUnavailable(closing, () => advancePlan(database, job.id, checked, next));
  if (isPassed) return next;
  throw new JobFailure('grouping_changes', describeGroupingChanges(check));
}

async function writeAll(remap: Remap, plan: RemapPlan): Promise<RemapPlan> {
  const { job, params, progress, services } = remap;
  const { database, closing } = services;
  const writing = { jobId: job.id, webhookId: params.webhookId, dryRun: params.dryRun };
  let written = plan;
  for await (const steps of mappedEvents(remap, toPosition(plan.after))) {
    written = await retryWhileDatabaseUnavailable(closing, () =>
      writeSteps(database, written, steps, writing),
    );
    progress.current.rowsRead = written.seen;
    progress.current.rowsTotal = written.total;
    progress.moveOn();
    progress.checkpoint();
  }
  return written;
}

const toPosition = (place: RemapPlan['after']) =>
  place && { receivedAt: new Date(place.receivedAt), id: place.id };

/**
 * Folds the series whose items were changed. Also after a cancellation, so only closing the worker stops it.
 * @returns a warning if the database rejected alerts of some series
 */
async function refold({ params, progress, services }: Remap): Promise<JobWarning[]> {
  const { database, closing, log } = services;
  if (params.dryRun) return [];
  const webhookId = params.webhookId.toLowerCase();
  const { rejected } = await refoldMarked(database, {
    isDue: (id) => id === webhookId,
    run: async (query) => {
      if (closing.aborted) throw new WorkerClosing('closing');
      const result = await retryWhileDatabaseUnavailable(closing, query);
      progress.moveOn();
      saveProgress(progress);
      return result;
    },
  });
  if (rejected.size === 0) return [];
  log.warn({ webhookId, series: rejected.size }, 'the database rejected alerts of series');
  const message =
    `The database rejected the alerts of ${rejected.size.toLocaleString('en-US')} deduplication keys, which ` +
    'still show their state before the remap. Muster tries again every minute.';
  return [{ code: 'series_rejected', message, count: rejected.size }];
}

/** Saves the progress if that is due. The fold is not canceled: it makes the stored events and the alerts agree. */
function saveProgress(progress: ProgressKeeper): void {
  try {
    progress.checkpoint();
  } catch (error) {
    if (!(error instanceof JobCanceled)) throw error;
  }
}
