import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { readNow } from '../../db/client/now.js';
import { inTransaction } from '../../db/client/transaction.js';
import { endRun, type FeedRun, listRuns, type RunEnd } from '../../db/feeds/feed-runs.js';
import { type Feed, lockFeed, NOTHING_SEEN, noteRun, type SeenFile } from '../../db/feeds/feeds.js';
import { appliesOf } from '../../db/identities/history/applied-plans.js';
import { findJob } from '../../db/jobs/jobs.js';
import { type Report, storeReports } from '../events/store/report.js';
import { failedReport, feedOver, heldReport } from './report-feed.js';

/** How a run ends. */
export interface FeedRunEnd extends RunEnd {
  /** What it has seen of the file; null: less than all. */
  seen?: SeenFile | null;
}

/** Ends a run, and raises or resolves the alert of its feed. May be repeated, and does nothing for a run that has ended. */
export async function endFeedRun(
  services: { database: Database; log: Logger },
  feed: Feed,
  run: Pick<FeedRun, 'jobId' | 'planId' | 'isDryRun'>,
  end: FeedRunEnd,
): Promise<void> {
  const { database } = services;
  const at = await readNow(database);
  const problem = problemOf(feed, run, end);
  const report = reportOf(feed, { at, run, end, problem });
  // In this order: if the worker is stopped in between, the same is reported again, which is a repetition.
  if (report) await storeReports(services, [report]);
  await inTransaction(database, async (transaction) => {
    if (!(await endRun(transaction, run.jobId, end))) return;
    await noteRun(transaction, feed.id, { seen: end.seen ?? null, problem });
  });
}

/** Returns what is wrong with a feed after a run. A plan only shows what would happen, and an unchanged file leaves a held one held. */
function problemOf(feed: Feed, { isDryRun }: Pick<FeedRun, 'isDryRun'>, { state, tripped = [] }: FeedRunEnd) {
  if (state === 'planned' || state === 'canceled' || (isDryRun && state !== 'failed')) return feed.problem;
  if (state === 'unchanged') return tripped.length > 0 || feed.problem === 'held' ? 'held' : null;
  return state === 'failed' || state === 'held' ? state : null;
}

function reportOf(
  feed: Feed,
  {
    at,
    run: { jobId, planId, isDryRun },
    end: { state, tripped = [], error },
    problem,
  }: {
    at: Date;
    run: Pick<FeedRun, 'jobId' | 'planId' | 'isDryRun'>;
    end: FeedRunEnd;
    problem: Feed['problem'];
  },
): Report | null {
  if (isDryRun || state === 'planned' || state === 'canceled') return null;
  if (state === 'failed' && error) return failedReport(feed, { at, jobId, error });
  if (tripped.length > 0) return heldReport(feed, { at, jobId, planId, tripped });
  if (problem !== null || feed.problem === null) return null;
  return feedOver(
    feed.id,
    at,
    state === 'unchanged' ? 'The file could be read again.' : 'A run was applied.',
  );
}

/** Notes that somebody has applied the plan of the run that a feed is held by, and resolves its alert. Returns whether it is so. */
export async function endHold(services: { database: Database; log: Logger }, feed: Feed): Promise<boolean> {
  const { database } = services;
  const [last] = await listRuns(database, feed.id, { limit: 1, states: ['held', 'applied', 'unchanged'] });
  // A file that is too old holds the feed too, and has no plan.
  if (last?.state === 'unchanged' && last.tripped.length > 0) return false;
  const planned = await lastPlanned(database, feed);
  if (planned?.state !== 'held' || planned.planId === null) return false;
  const applyId = (await appliesOf(database, [planned.planId])).get(planned.planId);
  const apply = applyId === undefined ? null : await findJob(database, applyId);
  if (!apply?.finishedAt) return false;
  await storeReports(services, [feedOver(feed.id, apply.finishedAt, 'The plan of the run was applied.')]);
  const seen = apply.counts?.conflicts ? NOTHING_SEEN : null;
  await inTransaction(database, async (transaction) => {
    // A run that has been held meanwhile must stay so.
    await lockFeed(transaction, feed.id);
    if ((await lastPlanned(transaction, feed))?.jobId === planned.jobId)
      await noteRun(transaction, feed.id, { seen, problem: null });
  });
  return true;
}

const lastPlanned = async (database: Database, { id }: Feed): Promise<FeedRun | undefined> =>
  (await listRuns(database, id, { limit: 1, states: ['held', 'applied'] }))[0];
