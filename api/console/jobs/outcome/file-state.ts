import type { Job } from '../../http/types.ts';

const WITH_FILE: ReadonlySet<string> = new Set([
  'identity-worklist',
  'alert-resolve',
  'alert-refold',
  'message-replay',
  'table-upload',
]);

/**
 * Returns whether the file of an export, a worklist or a job that resolved or refolded alerts can be downloaded; `none` for any other job, or before the job has completed.
 *
 * @param now in ms since 1970
 */
export function fileState(
  { type, state, links, expiresAt }: Pick<Job, 'type' | 'state' | 'links' | 'expiresAt'>,
  now: number,
): 'none' | 'ready' | 'expired' {
  // Only alerts and messages that were chosen by a filter are listed in a file, and not the rows of a new table.
  if ((type === 'alert-resolve' || type === 'message-replay' || type === 'table-upload') && !links.file)
    return 'none';
  const hasFile = type.endsWith('-export') || WITH_FILE.has(type);
  if (!hasFile || state !== 'completed') return 'none';
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  return isExpired || !links.file ? 'expired' : 'ready';
}
