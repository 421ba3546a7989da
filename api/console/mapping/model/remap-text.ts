import { counted, wholeNumber } from '../../text/quantities.ts';

/** The counts of a remap, as its job has them. */
type RemapCounts = Readonly<Record<string, number>>;

/** What a remap does, or would do, in a sentence. */
export function remapInWords(counts: RemapCounts, isDone: boolean): string {
  const {
    events = 0,
    completed = 0,
    changed = 0,
    added = 0,
    removed = 0,
    unchanged = 0,
    failed = 0,
  } = counts;
  if (events === 0) return isDone ? 'No event had to be mapped again.' : 'No event is to be mapped again.';
  const [become, are] = isDone ? ['became', 'were'] : ['would become', 'would be'];
  const parts = [
    part(completed, `${become} complete`),
    part(changed - completed, `${are} changed and stay incomplete`),
    part(added, `${are} added`),
    part(removed, `${are} removed`),
    part(unchanged, `${isDone ? 'stayed' : 'would stay'} as they are`),
  ].filter((text) => text !== null);
  const of = `Of ${counted(events, 'event')}: `;
  const wrong = failed > 0 ? ` ${wholeNumber(failed)} could not be mapped and keep their alerts.` : '';
  const told = parts.length > 0 ? `${parts.join(', ')}.` : 'nothing changes.';
  return of + told + wrong;
}

const part = (count: number, what: string): string | null =>
  count > 0 ? `${counted(count, 'alert')} ${what}` : null;
