import { type ChangesJob, changesState } from '../changes/outcomes.ts';

/** The counts of changes that can be taken back. */
const REVERTIBLE = ['created', 'updated', 'removed', 'restored'];

export type RevertState = 'none' | 'possible' | 'running' | 'expired' | 'unrecorded';

/** Returns whether the changes of a job can be taken back, and if not, why; `none` if there is nothing to take back. */
export function revertState(
  job: ChangesJob & { dryRun: boolean; finishedAt: string | null },
  now: number,
): RevertState {
  const { type, dryRun, finishedAt, counts } = job;
  if (dryRun || !['identity-import', 'identity-revert', 'identity-apply'].includes(type)) return 'none';
  if (!finishedAt) return 'running';
  const changes = changesState(job, now);
  if (changes === 'none' || changes === 'empty') return 'none';
  if (counts && !REVERTIBLE.some((name) => counts[name])) return 'none';
  return changes === 'ready' ? 'possible' : changes;
}
