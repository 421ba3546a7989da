import { measureChanges } from '../db/identities/import-changes.js';
import { removeSpool } from './identities/spool/spool-folders.js';
import { exportAlerts } from './jobs/alert-export.js';
import { storeIntakeBatch } from './jobs/alert-intake.js';
import { refoldAlerts } from './jobs/alert-refold.js';
import { remapAlerts } from './jobs/alert-remap.js';
import { resolveAlerts } from './jobs/alert-resolve.js';
import { exportEvents } from './jobs/event-export.js';
import { runFeed } from './jobs/feed-run.js';
import { applyPlan } from './jobs/identity-apply.js';
import { exportIdentities } from './jobs/identity-export.js';
import { importIdentities } from './jobs/identity-import.js';
import { revertIdentities } from './jobs/identity-revert.js';
import { makeWorklist } from './jobs/identity-worklist.js';
import { replayMessages } from './jobs/message-replay.js';
import { exportTable } from './jobs/table-export.js';
import { uploadTable } from './jobs/table-upload.js';
import { doUpkeep } from './jobs/upkeep.js';
import type { JobName } from './queues/index.js';
import type { QueueHandler } from './run/handler.js';
import { recorded } from './run/run-job.js';

/** The handler of each type of job. A type without a handler does not compile. `recorded` jobs have a row in `jobs`. */
export const handlers = {
  'identity-import': recorded(importIdentities, { measureChanges, cleanUp: removeSpool }),
  'identity-revert': recorded(revertIdentities, { measureChanges }),
  'identity-apply': recorded(applyPlan, { measureChanges }),
  'feed-run': recorded(runFeed),
  'identity-export': recorded(exportIdentities),
  'identity-worklist': recorded(makeWorklist),
  'alert-intake': storeIntakeBatch,
  'alert-export': recorded(exportAlerts),
  'event-export': recorded(exportEvents),
  'alert-remap': recorded(remapAlerts),
  'alert-refold': recorded(refoldAlerts),
  'alert-resolve': recorded(resolveAlerts),
  'message-replay': recorded(replayMessages),
  'table-upload': recorded(uploadTable),
  'table-export': recorded(exportTable),
  upkeep: (_queued, _token, services) => doUpkeep(services).then(() => 'completed'),
} satisfies Record<JobName, QueueHandler>;
