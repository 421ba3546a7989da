import { counted } from '../../text/quantities.ts';

/** The counts of a remap job. */
type RemapCounts = Readonly<Record<string, number>>;

/** Describes in one sentence what a remap did, or what it would do. Of those that were complete before, nothing says that they stayed so. */
export function describeRemap(counts: RemapCounts, isDone: boolean, onlyIncomplete = true): string {
  const {
    events = 0,
    completed = 0,
    changed = 0,
    added = 0,
    removed = 0,
    unchanged = 0,
    filtered = 0,
    failed = 0,
  } = counts;
  if (events === 0) return 'No events to remap.';
  const be = (count: number) => (isDone ? (count === 1 ? 'was' : 'were') : 'would be');
  const clauses = [
    clause(completed, isDone ? 'became complete' : 'would become complete'),
    clause(changed - completed, (onlyIncomplete ? STAYED : CHANGED)(isDone)),
    clause(added, `${be(added)} added`),
    clause(removed, `${be(removed)} removed`),
    clause(unchanged, isDone ? 'did not change' : 'would not change'),
  ].filter((text) => text !== null);
  const changes = clauses.length > 0 ? clauses.join(', ') : 'no changes';
  return `${counted(events, 'event')}: ${changes}.${describeFiltered(filtered, isDone)}${describeFailed(failed)}`;
}

/** Describes the same after a lookup table has changed: first how many alerts differ because of tables and owners, then all changes. */
export function describeTableRemap(counts: RemapCounts, isDone: boolean): string {
  const all = describeRemap(counts, isDone, false);
  if (!counts.events) return all;
  const { changedByLookups = 0 } = counts;
  const alerts = changedByLookups === 0 ? 'No alert' : counted(changedByLookups, 'alert');
  return `${alerts} ${CHANGED(isDone)} because a table or an owner has changed. In all, ${all}`;
}

const STAYED = (isDone: boolean) =>
  isDone ? 'changed but stayed incomplete' : 'would change but stay incomplete';
const CHANGED = (isDone: boolean) => (isDone ? 'changed' : 'would change');

const clause = (count: number, what: string): string | null =>
  count > 0 ? `${counted(count, 'alert')} ${what}` : null;

const describeFiltered = (filtered: number, isDone: boolean): string =>
  filtered > 0 ? ` The filter ${isDone ? 'dropped' : 'would drop'} ${counted(filtered, 'event')}.` : '';

const describeFailed = (failed: number): string =>
  failed > 0
    ? ` ${counted(failed, 'event')} could not be mapped and ${failed === 1 ? 'keeps its' : 'keep their'} alerts.`
    : '';
