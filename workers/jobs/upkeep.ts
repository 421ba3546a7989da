import type { WorkerServices } from '../run/services.js';
import { checkDestinations } from '../upkeep/check-destinations.js';
import { checkDrift } from '../upkeep/check-drift.js';
import { checkHeartbeats } from '../upkeep/check-heartbeats.js';
import { checkSilence } from '../upkeep/check-silence.js';
import { countAccountSystems, deleteOldAccountSystemDays } from '../upkeep/count-account-systems.js';
import {
  deleteOldIdempotencyRecords,
  deleteOldJobRows,
  deleteOldMisses,
  deleteOldSenders,
  deleteSpentTombstones,
  expireHistory,
} from '../upkeep/delete-old-rows.js';
import {
  expireAlerts,
  expireDeliveries,
  expireEvents,
  expireSnsConfirmations,
} from '../upkeep/expire-by-day.js';
import { expireFeedParts, settleUnnumberedParts } from '../upkeep/expire-change-feed.js';
import { expireSeries, refoldLeftSeries } from '../upkeep/expire-series.js';
import { expireSilentAlerts } from '../upkeep/expire-silent-alerts.js';
import { expireAuditLog, writeAuditHeads } from '../upkeep/keep-audit-log.js';
import { removeOldRevisions } from '../upkeep/remove-old-revisions.js';
import { removeOrphanedFiles } from '../upkeep/remove-orphaned-files.js';
import { requeueLostJobs } from '../upkeep/requeue-lost-jobs.js';
import { runTurn } from '../upkeep/run-turn.js';
import { settleIntakeGauge } from '../upkeep/settle-intake-gauge.js';
import { expireResults, removeSpentUploads } from '../upkeep/spent-files.js';
import { deleteOldFeedRuns, startFeeds } from '../upkeep/start-feeds.js';
import type { UpkeepTask } from '../upkeep/task.js';
import { deleteOldMessages, settleMessages } from '../upkeep/tell-destinations.js';

/** All upkeep tasks. A new one is a file in `workers/upkeep` and a line here. */
const tasks: readonly UpkeepTask[] = [
  requeueLostJobs,
  settleUnnumberedParts,
  startFeeds,
  removeSpentUploads,
  expireResults,
  expireFeedParts,
  refoldLeftSeries,
  expireSilentAlerts,
  checkHeartbeats,
  checkSilence,
  checkDrift,
  checkDestinations,
  settleMessages,
  expireEvents,
  expireAlerts,
  expireSeries,
  expireDeliveries,
  expireSnsConfirmations,
  expireHistory,
  settleIntakeGauge,
  deleteOldMessages,
  deleteSpentTombstones,
  deleteOldIdempotencyRecords,
  deleteOldMisses,
  deleteOldSenders,
  deleteOldAccountSystemDays,
  deleteOldFeedRuns,
  deleteOldJobRows,
  expireAuditLog,
  writeAuditHeads,
  removeOldRevisions,
  countAccountSystems,
  removeOrphanedFiles,
];

/** Runs a turn of all tasks. */
export async function doUpkeep(services: WorkerServices): Promise<void> {
  await runTurn(tasks, services);
}
