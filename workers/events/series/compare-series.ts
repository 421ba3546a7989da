import type { Knex } from 'knex';
import {
  nextStoredAlerts,
  PAGE_STORED_ALERTS,
  type StoredAlert,
} from '../../../db/series/compared-series.js';
import { lockStored } from '../../../db/series/lock-series.js';
import { FIRST, type SeriesKey, type SeriesPosition, type SeriesStart } from '../../../db/series/series.js';
import { nextItems, PAGE_ITEMS } from '../../../db/series/series-items.js';
import {
  ALERT_FIELDS,
  comparePositions,
  foldItems,
  noItemsOf,
  type Occurrence,
  RowItem,
  rankOfItem,
  type SeriesItem,
  type SeriesState,
  severityItemOf,
} from '../../mapping/index.js';
import { toAlertRow } from './alert-row.js';
import { END } from './refold-items.js';

/** A field of an alert that the fold gives another value than the stored one. */
export interface FieldDifference {
  field: string;
  before: string | null;
  after: string | null;
}

/** An alert that is not stored as the fold gives it. */
export interface AlertDifference extends SeriesPosition {
  change: 'changed' | 'added' | 'removed';
  /** Of a changed alert. */
  fields: readonly FieldDifference[];
  /** Whether some of its items have expired, so that the fold does not know how severe they were. */
  isPartial: boolean;
}

interface ComparedPage {
  /** How many stored alerts were compared. */
  stored: number;
  differences: readonly AlertDifference[];
}

/** Where a comparison has come to. */
interface Place {
  start: SeriesStart;
  state: SeriesState;
  /** The alert that the next items may change. */
  open: Occurrence | null;
  /** The last alert that was compared. */
  after: SeriesPosition | null;
  /** The ids of items that stand for expired ones. */
  partial: ReadonlySet<string>;
}

/**
 * Compares the stored alerts of a series with those that the fold of its items gives today, a page of items at a time. Writes nothing.
 * @param run runs a part in a transaction. It locks the series, so that no event comes in between
 */
export async function* compareSeries(
  key: SeriesKey,
  run: <Result>(work: (transaction: Knex.Transaction) => Promise<Result>) => Promise<Result>,
): AsyncGenerator<ComparedPage> {
  for (let place: Place | null = null; ; ) {
    const { next, ...page }: ComparedPage & { next: Place | null } = await run((transaction) =>
      comparePage(transaction, key, place),
    );
    yield page;
    if (!next) return;
    place = next;
  }
}

async function comparePage(
  transaction: Knex.Transaction,
  key: SeriesKey,
  place: Place | null,
): Promise<ComparedPage & { next: Place | null }> {
  const series = (await lockStored(transaction, [key])).get(key.id);
  if (!series) return { stored: 0, differences: [], next: null };
  const { start, state, after, ...before } = place ?? {
    start: { from: FIRST },
    state: { ...noItemsOf(key.dedupKey), ended: series.expiredEnd },
    open: null,
    after: null,
    partial: new Set<string>(),
  };
  const items: SeriesItem[] = (await nextItems(transaction, key.id, start)).map((row) => new RowItem(row));
  const folded = foldItems(state, items);
  const done: Occurrence[] = [];
  let { open } = before;
  for (const occurrence of folded.occurrences) {
    if (open && open.id !== occurrence.id) done.push(open);
    open = occurrence;
  }
  const last = items.at(-1);
  const isLast = !last || items.length < PAGE_ITEMS;
  if (isLast && open) done.push(open);
  const merged = items.filter(({ eventCount }) => eventCount > 1).map(({ id }) => id);
  const partial = new Set([...before.partial, ...merged]);
  const to = isLast ? END : done.at(-1);
  const stored = to ? await storedUpTo(transaction, key.id, after, to) : [];
  const differences = compareAlerts(stored, done.map(toStored), partial);
  const next = isLast
    ? null
    : {
        start: { after: last },
        state: folded.state,
        open,
        after: done.at(-1) ?? after,
        partial: new Set(open && partial.has(open.id) ? [open.id] : []),
      };
  return { stored: stored.length, differences, next };
}

/** Returns the stored alerts after a place, up to and including another one. */
async function storedUpTo(
  transaction: Knex.Transaction,
  seriesId: string,
  after: SeriesPosition | null,
  to: SeriesPosition,
): Promise<StoredAlert[]> {
  const found: StoredAlert[] = [];
  for (let from = after; !from || comparePositions(from, to) < 0; ) {
    const page = await nextStoredAlerts(transaction, seriesId, from);
    found.push(...page.filter((alert) => comparePositions(alert, to) <= 0));
    from = page.at(-1) ?? null;
    if (page.length < PAGE_STORED_ALERTS) break;
  }
  return found;
}

function toStored(occurrence: Occurrence): StoredAlert {
  const row = toAlertRow(occurrence);
  const durationMs = row.resolvedAt === null ? null : row.resolvedAt - row.receivedAt;
  return { ...row, severityRank: rankOfItem(severityItemOf(occurrence)), durationMs };
}

function compareAlerts(
  stored: readonly StoredAlert[],
  folded: readonly StoredAlert[],
  partial: ReadonlySet<string>,
): AlertDifference[] {
  const left = new Map(stored.map((alert) => [alert.id, alert]));
  const differences: AlertDifference[] = [];
  for (const alert of folded) {
    const { receivedAt, id } = alert;
    const isPartial = partial.has(id);
    const old = left.get(id);
    left.delete(id);
    const fields = old ? fieldDifferences(old, alert) : [];
    if (old && fields.length === 0) continue;
    differences.push({ receivedAt, id, isPartial, change: old ? 'changed' : 'added', fields });
  }
  for (const { receivedAt, id } of left.values())
    differences.push({ receivedAt, id, isPartial: false, change: 'removed', fields: [] });
  return differences.sort(comparePositions);
}

const COMPARED = [
  ...ALERT_FIELDS,
  'custom',
  'state',
  'faults',
  'revision',
  'lastEventAt',
  'resolvedAt',
  'resolvedBy',
  'resolution',
  'peakSeverity',
  'peakAt',
  'eventCount',
  'previousAlertId',
  'severityRank',
  'peakRank',
  'durationMs',
] as const satisfies readonly (keyof StoredAlert)[];
const TIMES: ReadonlySet<string> = new Set(['lastEventAt', 'resolvedAt', 'peakAt']);

const fieldDifferences = (stored: StoredAlert, folded: StoredAlert): FieldDifference[] =>
  COMPARED.flatMap((field) => {
    const [before, after] = [textOf(field, stored[field]), textOf(field, folded[field])];
    return before === after ? [] : [{ field, before, after }];
  });

function textOf(field: string, value: string | number | null): string | null {
  if (value === null) return null;
  if (field === 'custom') return sortedJson(JSON.parse(String(value)));
  return TIMES.has(field) ? new Date(value).toISOString() : String(value);
}

const sortedJson = (texts: Record<string, string>): string =>
  JSON.stringify(texts, Object.keys(texts).sort());
