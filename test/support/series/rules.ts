/** A value that grows from one occurrence of a problem to the next. A number and a time do not compare. */
export type Run = number | Date;

/** What decides which alert an item belongs to. */
export interface RuledItem {
  id: string;
  status: 'firing' | 'reopened' | 'update' | 'resolved';
  /** Null if the item does not say which occurrence it is about. */
  run: Run | null;
  /** Its key is one problem for ever. */
  final: boolean;
  /** Left out: an event. */
  origin?: 'event' | 'person' | 'expiry';
  /** Of an expiry: it does not count if an item of the alert is later than this. */
  silentSince?: number | null;
  receivedAt?: number;
}

/** An alert and its items, in order. */
export interface RuledAlert<Item> {
  items: Item[];
  isFiring: boolean;
  /** The occurrences that it is about. */
  runs: Run[];
}

/**
 * Returns the alerts that the items of one key become, and what each item did. The items are in the order of their acceptance. Written from
 * docs/alerts.md and docs/mapping.md with plain lists, without the code that it checks.
 */
export function alertsOf<Item extends RuledItem>(
  items: readonly Item[],
): { alerts: RuledAlert<Item>[]; outcomes: Map<string, string> } {
  const alerts: RuledAlert<Item>[] = [];
  const outcomes = new Map<string, string>();
  /** All that was resolved so far, in order; null for what has no value. */
  const ends: (Run | null)[] = [];
  for (const item of items) {
    const latest = alerts.at(-1);
    const alert = latest?.isFiring ? latest : null;
    const outcome = isByOthers(item) ? endedBy(item, alert) : outcomeOf(item, alert, ends);
    outcomes.set(item.id, outcome);
    if (outcome === 'opened') alerts.push({ items: [item], isFiring: true, runs: runsAtStart(item, ends) });
    else if (alert && outcome === 'updated') {
      alert.items.push(item);
      if (item.run !== null) alert.runs.push(item.run);
    } else if (alert && outcome === 'resolved') {
      alert.items.push(item);
      alert.isFiring = false;
      if (!isByOthers(item)) ends.push(newest(alert.runs));
    }
    if (item.status === 'resolved' && !isByOthers(item)) ends.push(item.run);
  }
  return { alerts, outcomes };
}

const isByOthers = ({ origin = 'event' }: RuledItem): boolean => origin !== 'event';

/** A person or an expiry ends an alert, and says nothing about occurrences. */
function endedBy({ silentSince = null }: RuledItem, alert: RuledAlert<RuledItem> | null): string {
  if (!alert) return 'nothing_to_resolve';
  const last = alert.items.at(-1)?.receivedAt ?? 0;
  return silentSince !== null && last > silentSince ? 'outdated' : 'resolved';
}

/** A word that reopens a problem without saying which one is about the newest that was resolved. */
function runsAtStart({ status, run }: RuledItem, ends: readonly (Run | null)[]): Run[] {
  const about = run ?? (status === 'reopened' ? newest(comparableEnds(ends)) : null);
  return about === null ? [] : [about];
}

function outcomeOf(
  { status, run, final }: RuledItem,
  alert: Pick<RuledAlert<unknown>, 'runs'> | null,
  ends: readonly (Run | null)[],
): string {
  const isAbout = alert && newest(alert.runs);
  if (status === 'resolved') {
    if (!alert) return 'nothing_to_resolve';
    return isBefore(run, isAbout) ? 'outdated' : 'resolved';
  }
  const over = comparableEnds(ends);
  // An occurrence that was resolved and reopened is not over while its alert fires.
  const isOver = over.some((end) => isUpTo(run, end)) && !isUpTo(isAbout, run);
  if (status === 'update') return alert && !isOver ? 'updated' : 'nothing_to_update';
  if (alert) return isOver ? 'outdated' : 'updated';
  if (status === 'reopened') return over.some((end) => isBefore(run, end)) ? 'outdated' : 'opened';
  return isOver || (final && ends.length > 0) ? 'outdated' : 'opened';
}

/** Returns the values that were resolved since the mapping last changed from numbers to times, or back. */
function comparableEnds(ends: readonly (Run | null)[]): Run[] {
  const values = ends.filter((end) => end !== null);
  const kind = typeof values.at(-1);
  return values.slice(values.findLastIndex((value) => typeof value !== kind) + 1);
}

/** Returns the newest of some values; null if there are none, or if they do not compare. */
function newest(runs: readonly Run[]): Run | null {
  if (new Set(runs.map((run) => typeof run)).size !== 1) return null;
  return runs.reduce((one, other) => (isBefore(one, other) ? other : one));
}

const isBefore = (one: Run | null, other: Run | null): boolean =>
  one !== null && other !== null && typeof one === typeof other && Number(one) < Number(other);

const isUpTo = (one: Run | null, other: Run | null): boolean =>
  one !== null && other !== null && typeof one === typeof other && Number(one) <= Number(other);
