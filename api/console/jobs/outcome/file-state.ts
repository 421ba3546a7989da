import type { Job } from '../../http/types.ts';

/**
 * Returns whether the file of an export or a worklist can be downloaded; `none` for any other job, or before the job has completed.
 *
 * @param now in ms since 1970
 */
export function fileState(
  { type, state, links, expiresAt }: Pick<Job, 'type' | 'state' | 'links' | 'expiresAt'>,
  now: number,
): 'none' | 'ready' | 'expired' {
  if (!(type.endsWith('-export') || type === 'identity-worklist') || state !== 'completed') return 'none';
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  return isExpired || !links.file ? 'expired' : 'ready';
}
