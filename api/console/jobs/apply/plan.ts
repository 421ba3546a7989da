import type { ChangesJob } from '../changes/outcomes.ts';

/** The counts of what a plan changes. That of a revert counts removals among what it restores. */
const CHANGES = { 'identity-import': ['created', 'updated', 'removed'], 'identity-revert': ['restored'] };

/**
 * Returns how many changes a dry run has planned, `unknown` if its counts are of rows that repeat accounts, and otherwise why there is nothing
 * to apply; `none` for jobs without a plan.
 */
export function planOf(
  { type, dryRun, state, counts, warnings, links, expiresAt }: ChangesJob & { dryRun: boolean },
  now: number,
): number | 'unknown' | 'none' | 'empty' | 'expired' {
  const changes = Object.entries(CHANGES).find(([name]) => name === type)?.[1];
  if (!dryRun || !state.startsWith('completed') || !changes) return 'none';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  const total = changes.reduce((sum, name) => sum + (counts?.[name] ?? 0), 0);
  if (total === 0) return 'empty';
  // A worker has not recorded them.
  if (!links.changes) return 'none';
  return warnings.some(({ code }) => code === 'repeated_keys') ? 'unknown' : total;
}
