import type { Job } from '../../../db/jobs/jobs.js';
import type { FileToSend } from '../../jobs/send-file.js';

/** The file of an alert export, under a name of ours. */
export const alertsFile = ({ resultKey }: Job): FileToSend => ({
  key: resultKey as string,
  name: 'alerts.csv',
  type: 'text/csv; charset=utf-8',
});
