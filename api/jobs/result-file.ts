import type { Job } from '../../db/jobs/jobs.js';
import { alertExport } from '../../workers/queues/contracts/alert-export.js';
import { exportFile, exportParams } from '../../workers/queues/contracts/identity-export.js';
import type { FileToSend } from './send-file.js';

/** Returns the file of a completed export job. */
export function resultFile({ type, params, resultKey }: Job): FileToSend {
  const key = resultKey as string;
  if (type === alertExport.name) return { key, name: 'alerts.csv', type: 'text/csv; charset=utf-8' };
  return { key, ...exportFile(exportParams.parse(params)) };
}
