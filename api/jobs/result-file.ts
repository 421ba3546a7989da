import type { Job } from '../../db/jobs/jobs.js';
import { alertExport } from '../../workers/queues/contracts/alert-export.js';
import { alertRefold } from '../../workers/queues/contracts/alert-refold.js';
import { alertRemap } from '../../workers/queues/contracts/alert-remap.js';
import { alertResolve } from '../../workers/queues/contracts/alert-resolve.js';
import { paramsOf } from '../../workers/queues/contracts/contract.js';
import { eventExport } from '../../workers/queues/contracts/event-export.js';
import { exportFile, identityExport } from '../../workers/queues/contracts/identity-export.js';
import { identityWorklist } from '../../workers/queues/contracts/identity-worklist.js';
import { messageReplay } from '../../workers/queues/contracts/message-replay.js';
import { tableExport } from '../../workers/queues/contracts/table-export.js';
import { tableUpload } from '../../workers/queues/contracts/table-upload.js';
import type { FileToSend } from './send-file.js';

/** The file names of the jobs whose file is always CSV, by type of job. */
const CSV_FILES: Partial<Record<string, string>> = {
  [alertExport.name]: 'alerts.csv',
  [alertRefold.name]: 'alert-changes.csv',
  [alertRemap.name]: 'alert-changes.csv',
  [alertResolve.name]: 'alerts.csv',
  [eventExport.name]: 'events.csv',
  [identityWorklist.name]: 'worklist.csv',
  [messageReplay.name]: 'messages.csv',
  [tableUpload.name]: 'table-changes.csv',
  [tableExport.name]: 'table.csv',
};

/** The types of jobs that have a file as their result. */
export const WITH_FILE: readonly string[] = [identityExport.name, ...Object.keys(CSV_FILES)];

/** Returns the file of a completed export job. */
export function resultFile({ id, type, params, resultKey: key }: Job): FileToSend {
  if (key === null) throw new Error(`job ${id} has no result file`);
  const name = CSV_FILES[type];
  if (name) return { key, name, type: 'text/csv; charset=utf-8' };
  return { key, ...exportFile(paramsOf({ params }, identityExport)) };
}
