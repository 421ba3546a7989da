import type { Job } from '../http/types.ts';
import { duration } from '../text/quantities.ts';

/** Returns how long a job ran, such as `12 min 5 s`; empty if it has not started or not finished. */
export const jobDuration = ({ startedAt, finishedAt }: Pick<Job, 'startedAt' | 'finishedAt'>): string =>
  startedAt && finishedAt ? duration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000) : '';
