import type { Job } from '../../http/types.ts';

/** Whether the file that a job made can be had at that time, in ms since 1970. */
export function fileState(
  { type, state, links, expiresAt }: Pick<Job, 'type' | 'state' | 'links' | 'expiresAt'>,
  now: number,
): 'none' | 'ready' | 'expired' {
  if (!type.endsWith('-export') || state !== 'completed') return 'none';
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= now;
  return isOver || !links.file ? 'expired' : 'ready';
}
