import type { Job } from '../http/types.ts';

/** The display name of each job type, in the order of the type filter. */
export const JOB_TYPES: Readonly<Record<string, string>> = {
  'identity-import': 'Identity import',
  'identity-revert': 'Identity revert',
  'identity-apply': 'Applied plan',
  'feed-run': 'Feed run',
  'identity-export': 'Identity export',
  'identity-worklist': 'Worklist',
  'alert-export': 'Alert export',
  'event-export': 'Event export',
  'alert-remap': 'Alert remap',
  'alert-refold': 'Alert refold',
  'alert-resolve': 'Resolved alerts',
  'message-replay': 'Message replay',
  'table-upload': 'Table upload',
  'table-export': 'Table export',
};

export const JOB_STATES = [
  'queued',
  'running',
  'completed',
  'completed_with_errors',
  'failed',
  'canceled',
] as const satisfies readonly Job['state'][];

/**
 * Returns the name of a job with its uploaded file, such as `Identity import of people.csv`. An API of an earlier release has no file
 * names: during an upgrade, a new console may talk to it.
 */
export const jobTitle = ({ fileName, ...job }: Pick<Job, 'type' | 'dryRun' | 'fileName'>): string =>
  fileName ? `${jobName(job)} of ${fileName}` : jobName(job);

/** Returns the name of a job, such as `Identity import (dry run)`. */
export const jobName = ({ type, dryRun }: Pick<Job, 'type' | 'dryRun'>): string =>
  `${JOB_TYPES[type] ?? type}${dryRun ? ' (dry run)' : ''}`;
