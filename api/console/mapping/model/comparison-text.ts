import type { Preview } from '../../http/types.ts';
import { counted } from '../../text/quantities.ts';

type Comparison = NonNullable<Preview['comparison']>;

/** What another mapping makes of stored events, in a sentence. */
export function compareInWords(comparison: Comparison): string {
  const alerts = comparison.flatMap((event) => event.alerts);
  const count = (is: (alert: (typeof alerts)[number]) => boolean) => alerts.filter(is).length;
  const parts = [
    [count(({ before, after }) => before === null && after !== null), 'new'],
    [count(({ before, after }) => before !== null && after === null), 'no more made'],
    [count(({ before, after }) => before === 'incomplete' && after === 'complete'), 'become complete'],
    [count(({ before, after }) => before === 'complete' && after === 'incomplete'), 'become incomplete'],
  ] as const;
  const changed = count(
    ({ before, after, changes }) => before !== null && after !== null && changes.length > 0,
  );
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const rest = told.length > 0 ? `; ${told.join(', ')}` : '';
  return `Of the last ${counted(comparison.length, 'event')}: ${changed} of ${counted(alerts.length, 'alert')} would say something else${rest}.`;
}

/** A change that some alerts would see, and how many. */
interface SharedChange {
  /** As results and statistics say it: `severity`, `custom.zone`. */
  field: string;
  before: string | null;
  after: string | null;
  count: number;
}

/** What changes in the alerts of a comparison, the same told once, the most frequent first. */
export function sharedChanges(comparison: Comparison): SharedChange[] {
  const shared = new Map<string, SharedChange>();
  for (const change of comparison.flatMap(({ alerts }) => alerts.flatMap(({ changes }) => changes))) {
    const key = JSON.stringify([change.field, change.before, change.after]);
    shared.set(key, { ...change, count: (shared.get(key)?.count ?? 0) + 1 });
  }
  return [...shared.values()].sort((a, b) => b.count - a.count);
}
