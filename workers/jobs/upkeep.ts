import { describeError } from '../process/describe-error.js';
import type { Services } from '../run/services.js';
import {
  deleteOldIdempotencyRecords,
  deleteOldJobRows,
  deleteSpentTombstones,
} from '../upkeep/delete-old-rows.js';
import { expireAlerts, expireEvents, expireSnsConfirmations } from '../upkeep/expire-events.js';
import { expireHistory } from '../upkeep/expire-history.js';
import { expireResults } from '../upkeep/expire-results.js';
import { expireSeries } from '../upkeep/expire-series.js';
import { refoldLeftSeries } from '../upkeep/refold-left-series.js';
import { removeOrphanedFiles } from '../upkeep/remove-orphaned-files.js';
import { removeSpentUploads } from '../upkeep/remove-spent-uploads.js';
import { requeueLostJobs } from '../upkeep/requeue-lost-jobs.js';
import { settleIntakeGauge } from '../upkeep/settle-intake-gauge.js';
import type { UpkeepTask } from '../upkeep/task.js';

/** All upkeep tasks. A new one is a file in `workers/upkeep` and a line here. */
const tasks: readonly UpkeepTask[] = [
  requeueLostJobs,
  removeSpentUploads,
  expireResults,
  refoldLeftSeries,
  expireEvents,
  expireAlerts,
  expireSeries,
  expireSnsConfirmations,
  expireHistory,
  settleIntakeGauge,
  deleteSpentTombstones,
  deleteOldIdempotencyRecords,
  deleteOldJobRows,
  removeOrphanedFiles,
];

/** Runs all tasks that are due. If one fails, the others still run. */
export async function doUpkeep(services: Services, minute = Math.floor(Date.now() / 60_000)): Promise<void> {
  for (const { name, everyMinutes = 1, run } of tasks) {
    if (services.closing.aborted) return;
    if (minute % everyMinutes !== 0) continue;
    try {
      const count = await run(services);
      if (count > 0) services.log.info({ task: name, count }, 'upkeep');
    } catch (error) {
      services.log.warn(
        { task: name, error: describeError(error) },
        'upkeep task failed; the next turn retries it',
      );
    }
  }
}
