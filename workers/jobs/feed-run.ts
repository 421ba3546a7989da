import { readNow } from '../../db/client/now.js';
import { lastApplied } from '../../db/feeds/feed-plans.js';
import { type FeedRun, findRun, type RunFacts } from '../../db/feeds/feed-runs.js';
import { type Feed, findFeed, NOTHING_SEEN } from '../../db/feeds/feeds.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { endFeedRun, type FeedRunEnd } from '../feeds/end-feed-run.js';
import { fetchFile } from '../feeds/fetch-file.js';
import { type FeedSettings, storedSettings } from '../feeds/rules/feed-settings.js';
import { staleness, trippedGuards } from '../feeds/rules/guards.js';
import { SourceError } from '../feeds/sources/source-error.js';
import { startApply, startPlan } from '../feeds/start-jobs.js';
import { FileError } from '../identities/record/errors.js';
import { RecordedChanges } from '../identities/recorded-changes.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { feedRun } from '../queues/contracts/feed-run.js';
import { JobFailure, NotYet, WorkerClosing } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { pauseWithin } from '../run/retry-while-unavailable.js';
import type { WorkerServices } from '../run/services.js';

/**
 * Runs a feed: fetches its file, has a dry run plan what it changes, judges the plan by the guards, and has it applied. Each of the three is a
 * transaction that records the job that goes on, so that the run can be interrupted anywhere. While such a job runs, this one waits in its queue.
 */
export async function runFeed(job: Job, services: WorkerServices): Promise<JobResult> {
  const { database } = services;
  const { feedId } = paramsOf(job, feedRun);
  const feed = await findFeed(database, feedId);
  const run = await findRun(database, job.id);
  if (!feed || !run) throw new JobFailure('feed_deleted', 'The feed was deleted.');
  // A worker was killed between the end of the run and that of its job.
  if (run.state !== 'running') return resultOf({ ...run, state: run.state });
  const progress = new ProgressKeeper(job.id, null, services);
  // What kills a worker while this job waits is another job.
  if (run.planId !== null) progress.moveOn();
  await progress.checkNow();
  const end = await advance(job, { feed, run, settings: storedSettings(feed.settings) }, services);
  const present = (await findRun(database, job.id)) ?? run;
  await endFeedRun(services, feed, present, end);
  return resultOf(end);
}

interface Running {
  feed: Feed;
  run: FeedRun;
  settings: FeedSettings;
}

/** Does the next step of a run. Returns how it ends. @throws NotYet if it goes on when the job that was started has ended */
async function advance(job: Job, running: Running, services: WorkerServices): Promise<FeedRunEnd> {
  const { run, feed } = running;
  try {
    if (run.planId === null) return await fetchAndPlan(job, running, services);
    const plan = await endedJob(run.planId, services);
    if (run.applyId === null) return await judge(job, plan, running, services);
    const { counts } = await endedJob(run.applyId, services);
    const facts = run.facts && { ...run.facts, conflicts: counts?.conflicts ?? 0 };
    // After conflicts the table is not what the file says, so the same file is planned again.
    const seen = facts?.conflicts ? NOTHING_SEEN : seenIn(run, feed);
    return { state: 'applied', facts, seen };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { state: 'failed', error: failure };
  }
}

/** How long a source is left alone after each failure that may be over soon, in milliseconds. */
const PAUSES_MS = [2_000, 10_000, 30_000];

async function fetchAndPlan(job: Job, running: Running, services: WorkerServices): Promise<FeedRunEnd> {
  const { feed, settings } = running;
  for (let attempt = 0; ; attempt++) {
    try {
      const stored = await fetchFile(feed, settings, services);
      if (!stored) return await unchanged(feed, settings, services);
      await startPlan(job, stored, settings, services);
      return await goOn(job, running, services);
    } catch (error) {
      const pauseMs = PAUSES_MS[attempt];
      if (!(error instanceof SourceError && error.isTemporary) || pauseMs === undefined) throw error;
      services.log.warn(
        { feed: feed.id, code: error.code },
        'the source of a feed failed; it is tried again',
      );
      await pauseWithin(services.closing, pauseMs);
      if (services.closing.aborted) throw new WorkerClosing('closing');
    }
  }
}

/** Ends a run whose file is the last one. Only its age can be wrong. */
async function unchanged(
  feed: Feed,
  { guards }: FeedSettings,
  { database }: WorkerServices,
): Promise<FeedRunEnd> {
  const stale = staleness(guards, ageIn(feed.seen?.modifiedAt ?? null, await readNow(database)));
  return { state: 'unchanged', tripped: stale ? [stale] : [] };
}

/** Judges a plan by the guards, and has it applied. */
async function judge(job: Job, plan: Job, running: Running, services: WorkerServices): Promise<FeedRunEnd> {
  const { feed, run, settings } = running;
  const { database } = services;
  const facts = await factsOf(plan, run, services);
  const tripped = trippedGuards(settings.guards, facts, services.settings.approvalRemovals);
  const seen = seenIn(run, feed);
  if (run.isDryRun) return { state: 'planned', facts, tripped };
  const present = await findFeed(database, feed.id);
  // Each step reads the feed again: what counts are the settings with which the file was read.
  if (present?.revision !== (run.file?.revision ?? feed.revision))
    throw new JobFailure('feed_changed', 'The feed was changed while it ran. Start it again.');
  if (tripped.length > 0) return { state: 'held', facts, tripped, seen };
  if (facts.created + facts.updated + facts.removed === 0) return { state: 'applied', facts, seen };
  if (plan.changesBytes === null) throw new JobFailure('changes_not_recorded', NOT_RECORDED);
  await startApply(
    job,
    plan,
    { feedId: feed.id, facts, reason: `Feed ${feed.name}`.slice(0, 500) },
    services,
  );
  return goOn(job, running, services);
}

/** Does the next step with what the last one has recorded. */
async function goOn(job: Job, { feed, settings }: Running, services: WorkerServices): Promise<FeedRunEnd> {
  const run = await findRun(services.database, job.id);
  if (!run) throw new JobFailure('feed_deleted', 'The feed was deleted.');
  return advance(job, { feed, run, settings }, services);
}

const NOT_RECORDED =
  'The changes of the dry run were not recorded completely, so they cannot be applied. Workers must record changes (IMPORT_CHANGES=1).';

async function factsOf(plan: Job, run: FeedRun, { database }: WorkerServices): Promise<RunFacts> {
  const before = await lastApplied(database, run.feedId);
  const { total = 0, rejected = 0 } = plan.counts ?? {};
  const ageHours = ageIn(run.file?.modifiedAt ?? null, await readNow(database));
  return {
    rows: total,
    rowsBefore: before?.facts?.rows ?? null,
    ...(await accountsOf(plan, database)),
    ...{ rejected, ageHours },
    columns: run.file?.columns ?? [],
    columnsBefore: before?.file?.columns ?? null,
    endsLine: run.file?.endsLine ?? null,
    endsLineBefore: before?.file?.endsLine ?? null,
  };
}

/** Counts accounts. The counts of the plan are those of its rows, and more if rows repeat accounts. */
async function accountsOf(plan: Job, database: WorkerServices['database']) {
  const { total = 0, created = 0, updated = 0, removed = 0, unchanged = 0, rejected = 0 } = plan.counts ?? {};
  const repeated = plan.warnings.find(({ code }) => code === 'repeated_keys')?.count ?? 0;
  if (repeated === 0 || plan.changesBytes === null) return { created, updated, removed, unchanged };
  const counts = await (await RecordedChanges.open(database, plan)).tally();
  return { ...counts, unchanged: Math.max(0, total - rejected - repeated - counts.created - counts.updated) };
}

const ageIn = (modifiedAt: string | null, now: Date): number | null =>
  modifiedAt === null ? null : (+now - +new Date(modifiedAt)) / 3_600_000;

const seenIn = ({ file }: FeedRun, { revision }: Feed) =>
  file && { version: file.version, digest: file.digest, modifiedAt: file.modifiedAt, revision };

/** How often it is looked whether a job has ended before the run goes back to its queue, and how long each waits, in milliseconds. */
const [LOOKS, LOOK_MS] = [15, 20];

/** @throws NotYet if the job does not end soon, JobFailure if it did not complete */
async function endedJob(id: string, { database, closing }: WorkerServices): Promise<Job> {
  let found = await findJob(database, id);
  for (let look = 0; look < LOOKS && found && !found.finishedAt; look++) {
    await pauseWithin(closing, LOOK_MS);
    found = await findJob(database, id);
  }
  if (!found) throw new JobFailure('job_missing', 'A job that the run has started was deleted.');
  if (!found.finishedAt) throw new NotYet();
  if (found.state.startsWith('completed')) return found;
  if (found.error) throw new JobFailure(found.error.code, found.error.message);
  throw new JobFailure('job_canceled', `The job ${id} of the run was canceled.`);
}

/** Returns what ends a run; null for what interrupts it. */
function failureOf(error: unknown): { code: string; message: string } | null {
  if (error instanceof JobFailure) return { code: error.error.code, message: error.error.message };
  if (error instanceof SourceError) return { code: error.code, message: sentence(error.message) };
  if (error instanceof FileError)
    return { code: error.code, message: `Invalid file format: ${sentence(error.message)}` };
  return null;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** @throws JobFailure for a run that failed */
function resultOf({ state, facts, tripped = [], error }: FeedRunEnd): JobResult {
  if (state === 'failed' && error) throw new JobFailure(error.code, error.message);
  const {
    rows: total = 0,
    created = 0,
    updated = 0,
    removed = 0,
    unchanged = 0,
    rejected = 0,
    conflicts = 0,
  } = facts ?? {};
  return {
    state: 'completed',
    // A run that is held has changed nothing. Its dry run has the counts.
    counts:
      facts && state !== 'held' ? { total, created, updated, removed, unchanged, rejected, conflicts } : {},
    warnings: [
      ...(state === 'unchanged'
        ? [{ code: 'unchanged', message: 'the file is the one of the last run' }]
        : []),
      ...tripped.map(({ guard, message }) => ({ code: `guard_${guard}`, message })),
      ...(rejected > 0
        ? [{ code: 'rejected_rows', message: 'invalid rows were left out', count: rejected }]
        : []),
    ],
    keptS: JOB_KEPT_S,
  };
}
