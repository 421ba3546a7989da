import type { Preview } from '../../http/types.ts';
import { counted } from '../../text/quantities.ts';

type Comparison = NonNullable<Preview['comparison']>;

/** Describes in one sentence how another mapping would change the alerts of stored events. */
export function describeComparison(comparison: Comparison): string {
  const alerts = comparison.flatMap((event) => event.alerts);
  const count = (is: (alert: (typeof alerts)[number]) => boolean) => alerts.filter(is).length;
  const parts = [
    [count(({ before, after }) => before === null && after !== null), 'would be new'],
    [count(({ before, after }) => before !== null && after === null), 'would no longer be created'],
    [count(({ before, after }) => before === 'incomplete' && after === 'complete'), 'would become complete'],
    [
      count(({ before, after }) => before === 'complete' && after === 'incomplete'),
      'would become incomplete',
    ],
  ] as const;
  const changed = count(
    ({ before, after, changes }) => before !== null && after !== null && changes.length > 0,
  );
  const clauses = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const rest = clauses.length > 0 ? `; ${clauses.join(', ')}` : '';
  return `Last ${counted(comparison.length, 'event')}: ${changed} of ${counted(alerts.length, 'alert')} would have different values${rest}.`;
}

/** A change and the number of alerts that have it. */
interface SharedChange {
  /** The name as in results and statistics: `severity`, `custom.zone`. */
  field: string;
  before: string | null;
  after: string | null;
  count: number;
}

/** Returns the changes of a comparison, each distinct change once, the most frequent first. */
export function sharedChanges(comparison: Comparison): SharedChange[] {
  const shared = new Map<string, SharedChange>();
  for (const change of comparison.flatMap(({ alerts }) => alerts.flatMap(({ changes }) => changes))) {
    const key = JSON.stringify([change.field, change.before, change.after]);
    shared.set(key, { ...change, count: (shared.get(key)?.count ?? 0) + 1 });
  }
  return [...shared.values()].sort((a, b) => b.count - a.count);
}
