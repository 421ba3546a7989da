import type { Job } from '../http/types.ts';
import { duration } from '../text/quantities.ts';

/** How long a job worked, in words; empty until it has ended, and when it never began. */
export const jobDuration = ({ startedAt, finishedAt }: Pick<Job, 'startedAt' | 'finishedAt'>): string =>
  startedAt && finishedAt ? duration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000) : '';
