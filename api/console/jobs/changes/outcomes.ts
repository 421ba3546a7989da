import type { Job } from '../../http/types.ts';

/** A set of changes that can be chosen. */
export interface OutcomeChoice {
  /** Null for all outcomes. */
  outcome: string | null;
  name: string;
  /** How many accounts; null if the job counts rows and not accounts. */
  count: number | null;
  /** The most changes that the file can have. */
  most: number;
  /** The file that contains them. */
  path: string;
}

/** The outcomes in a changes file, in display order, and the names of their counts. */
const OUTCOMES: readonly (readonly [outcome: string, count: string])[] = [
  ['created', 'created'],
  ['updated', 'updated'],
  ['removed', 'removed'],
  ['restored', 'restored'],
  ['superseded', 'superseded'],
  ['not_found', 'notFound'],
];

/**
 * Returns the sets of changes of a finished job. If rows of its upload repeat accounts, or it has not completed, the numbers of
 * accounts are not known: its counts are of rows.
 */
export function listOutcomes({ type, state, counts, warnings, links }: ChangesJob): OutcomeChoice[] {
  const { changes, skipped, conflicts } = links;
  const given = counts ?? {};
  const isCompleted = state.startsWith('completed');
  const isExact = isCompleted && !warnings.some(({ code }) => code === 'repeated_keys');
  const choice = (outcome: string | null, count: number, path: string): OutcomeChoice => ({
    outcome,
    name: nameOf(outcome),
    count: isExact ? count : null,
    most: isCompleted ? count : Number.POSITIVE_INFINITY,
    path,
  });
  // The dry run of a revert counts removals among what it restores.
  const outcomes = type === 'identity-revert' ? OUTCOMES.filter(([name]) => name !== 'removed') : OUTCOMES;
  const some = outcomes
    .map(([outcome, name]) => ({ outcome, count: given[name] ?? 0 }))
    .filter(({ count }) => count > 0);
  const total = some.reduce((sum, { count }) => sum + count, 0);
  const needsAll = some.length > 1 || (some.length === 0 && !skipped && !conflicts);
  return [
    ...(changes && needsAll ? [choice(null, total, changes)] : []),
    ...(changes ? some.map(({ outcome, count }) => choice(outcome, count, changes)) : []),
    ...(skipped ? [choice('skipped', given.skipped ?? 0, skipped)] : []),
    ...(conflicts ? [choice('conflict', given.conflicts ?? 0, conflicts)] : []),
  ];
}

export type ChangesJob = Pick<Job, 'type' | 'state' | 'counts' | 'warnings' | 'links' | 'expiresAt'>;

/** Returns an outcome as a word. */
export const nameOf = (outcome: string | null): string => outcome?.replaceAll('_', ' ') ?? 'all';

/** Returns whether the changes of a job can be shown, and if not, why. */
export function changesState(
  job: ChangesJob,
  now: number,
): 'none' | 'ready' | 'empty' | 'expired' | 'unrecorded' {
  const { type, counts, links, expiresAt } = job;
  if (!['identity-import', 'identity-revert', 'identity-apply'].includes(type)) return 'none';
  if (links.changes || links.conflicts) return 'ready';
  if (counts === null) return 'none';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return OUTCOMES.some(([, name]) => counts[name]) || counts.skipped || counts.conflicts
    ? 'unrecorded'
    : 'empty';
}
