import type { Job } from '../http/types.ts';

/** What each type of job does, in the order in which they can be chosen. */
export const JOB_TYPES: Readonly<Record<string, string>> = {
  'identity-import': 'Import of identities',
  'identity-export': 'Export of identities',
  'alert-export': 'Export of alerts',
  'alert-remap': 'Remap of alerts',
};

export const JOB_STATES = [
  'queued',
  'running',
  'completed',
  'completed_with_errors',
  'failed',
  'canceled',
] as const satisfies readonly Job['state'][];

/** What a job does, and whether it only tries. */
export const jobName = ({ type, dryRun }: Pick<Job, 'type' | 'dryRun'>): string =>
  `${JOB_TYPES[type] ?? type}${dryRun ? ', dry run' : ''}`;
