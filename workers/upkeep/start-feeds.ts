import { inTransaction } from '../../db/client/transaction.js';
import { abandonedRuns, deleteRunsBefore, endRun } from '../../db/feeds/feed-runs.js';
import { deletedFeeds, dueFeeds, findFeed, forgetFeed, heldFeeds } from '../../db/feeds/feeds.js';
import { DAY_MS } from '../../db/upkeep/horizons.js';
import { storeReports } from '../events/store/report.js';
import { endFeedRun, endHold, type FeedRunEnd } from '../feeds/end-feed-run.js';
import { feedOver } from '../feeds/report-feed.js';
import { storedSettings } from '../feeds/rules/feed-settings.js';
import { nextRunAt } from '../feeds/rules/next-run.js';
import { startScheduledRun } from '../feeds/start-jobs.js';
import { inBatches } from './delete-old-rows.js';
import type { UpkeepTask } from './task.js';

const BATCH = 100;

/** Starts the feeds that are due, by the clock of the database, and ends what canceled runs, applied plans and deleted feeds leave behind. */
export const startFeeds: UpkeepTask = {
  name: 'start-feeds',
  async *run(services, turn) {
    const { database } = services;
    for (const { run, jobState } of await abandonedRuns(database, BATCH)) {
      const feed = await findFeed(database, run.feedId);
      if (feed && jobState !== 'canceled') await endFeedRun(services, feed, run, ABANDONED);
      else await inTransaction(database, (writing) => endRun(writing, run.jobId, { state: 'canceled' }));
      yield 1;
    }
    for (const feed of await heldFeeds(database, BATCH)) if (await endHold(services, feed)) yield 1;
    for (const { id, hasProblem, deletedAt } of await deletedFeeds(database, BATCH)) {
      if (hasProblem) await storeReports(services, [feedOver(id, deletedAt, 'The feed was deleted.')]);
      await forgetFeed(database, id);
      yield 1;
    }
    for (const feed of await dueFeeds(database, turn.now, BATCH)) {
      const next = nextRunAt(storedSettings(feed.settings), turn.now);
      await startScheduledRun(feed, next, services);
      yield 1;
    }
  },
};

const ABANDONED: FeedRunEnd = {
  state: 'failed',
  error: {
    code: 'internal_error',
    message: 'The run ended early. Its job and the log of the workers say why.',
  },
};

/** How long runs are kept, as long as the days of account systems are. */
const RUNS_KEPT_MS = 400 * DAY_MS;

export const deleteOldFeedRuns: UpkeepTask = {
  name: 'delete-old-feed-runs',
  removes: 'feed_runs',
  async *run({ database }, turn) {
    const before = turn.ago(RUNS_KEPT_MS);
    yield* inBatches((limit) => deleteRunsBefore(database, before, limit));
  },
};
