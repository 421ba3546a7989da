import type { Knex } from 'knex';
import type { NewItem } from '../../../db/events/new-event.js';
import { OutboxRows } from '../../../db/outbox/outbox.js';
import { type AlertTexts, textsOfLatestAlerts } from '../../../db/series/latest-alert-texts.js';
import { lockSeries } from '../../../db/series/lock-series.js';
import type { SeriesKey, StoredSeries } from '../../../db/series/series.js';
import { refoldFrom } from '../../../db/series/series-alerts.js';
import { setStatus } from '../../../db/series/series-items.js';
import { type SeriesAlert, SeriesWriter } from '../../../db/series/series-writer.js';
import {
  comparePositions,
  foldItems,
  isFiring,
  isWithin,
  type Occurrence,
  type Position,
  RowItem,
  type SeriesItem,
  type SeriesState,
  withItem,
} from '../../mapping/index.js';
import { addState, toAlertRow } from './alert-row.js';
import { Expiries, type ExpiryRules } from './expiry.js';
import { foldLateItems } from './fold-late-items.js';
import { overwritesAll, readState } from './stored-state.js';
import { refoldedTo, transitionsOf } from './transitions.js';
import { wrongStatuses } from './wrong-statuses.js';

/** Bytes of alerts that are read at a time. */
const MAX_READ_BYTES = 1_000_000;

/** New items of one series, sorted by position. */
interface Group {
  key: SeriesKey;
  /** Sorted by position. */
  items: [first: SeriesItem, ...others: SeriesItem[]];
}

/** A group and its series, whose row is locked. */
interface Locked extends Group {
  series: StoredSeries;
  /** Whether a text of the latest alert may have to be written again. */
  needsTexts: boolean;
}

/**
 * Folds new items, which the same transaction has inserted, into their series. The locks on the series are held until the transaction ends,
 * so call this last.
 * @param tells whether to write how alerts changed into the outbox
 */
export async function updateSeries(
  transaction: Knex.Transaction,
  items: readonly NewItem[],
  { tells, rules = NO_RULES }: { tells: boolean; rules?: ExpiryRules },
): Promise<void> {
  const groups = groupBySeries(items);
  const stored = await lockSeries(
    transaction,
    groups.map(({ key }) => key),
  );
  const expiries = new Expiries(transaction, rules);
  await expiries.load(items);
  const locked = groups.map((group) => withSeries(group, stored.get(group.key.id), expiries));
  const writer = new SeriesWriter(transaction);
  const statuses: ReturnType<typeof wrongStatuses> = [];
  const outbox = tells ? new OutboxRows() : null;
  for (const batch of inBatches(locked)) {
    const ids = batch.filter((one) => one.needsTexts).map(({ key }) => key.id);
    const texts = await textsOfLatestAlerts(transaction, ids);
    for (const one of batch) {
      await fold({ transaction, writer, statuses, expiries, outbox }, one, texts.get(one.key.id) ?? null);
      if (writer.isFull) await writer.flush();
    }
  }
  await writer.flush();
  await setStatus(transaction, statuses);
  await expiries.store();
  await outbox?.insert(transaction);
}

const NO_RULES: ExpiryRules = new Map();

/** Returns the items by series, in the order of the series' ids. */
function groupBySeries(items: readonly NewItem[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const { seriesId: id, webhookId, dedupKey } = item;
    const group = groups.get(id);
    if (group) group.items.push(new RowItem(item));
    else groups.set(id, { key: { id, webhookId, dedupKey }, items: [new RowItem(item)] });
  }
  const sorted = [...groups.values()].sort((one, other) => (one.key.id < other.key.id ? -1 : 1));
  for (const group of sorted) if (group.items.length > 1) group.items.sort(comparePositions);
  return sorted;
}

function withSeries(group: Group, series: StoredSeries | undefined, expiries: Expiries): Locked {
  if (!series) throw new Error(`series ${group.key.id} was not locked`);
  return { key: group.key, items: group.items, series, needsTexts: needsTexts(group, series, expiries) };
}

/** Splits series where the texts of their alerts would take too much memory together. */
function* inBatches(all: readonly Locked[]): Generator<readonly Locked[]> {
  let [start, bytes] = [0, 0];
  for (const [index, one] of all.entries()) {
    if (one.needsTexts) bytes += one.series.alert?.bytes ?? 0;
    if (bytes < MAX_READ_BYTES) continue;
    yield all.slice(start, index + 1);
    [start, bytes] = [index + 1, 0];
  }
  if (start < all.length) yield all.slice(start);
}

/** Returns whether a text of the latest alert may have to be written again. */
function needsTexts({ key, items }: Group, series: StoredSeries, expiries: Expiries): boolean {
  const { newest, alert, refoldFrom } = series;
  const first = items[0];
  if (!alert || !newest || refoldFrom !== null) return false;
  if (comparePositions(first, newest) < 0) return true;
  if (alert.firing && expiries.mayExpire(key.webhookId, alert.newest.receivedAt, first.receivedAt))
    return true;
  if (alert.firing && first.occurrence === null && first.status !== 'update')
    return !overwritesAll(first, alert.providers);
  // The outcomes do not depend on the texts.
  const { outcomes } = foldItems(readState(key, series, null), items);
  const change = items.find((_, index) => outcomes[index]?.alertId === alert.id);
  if (change) return !overwritesAll(change, alert.providers);
  return !outcomes.some(({ outcome }) => outcome === 'opened');
}

interface Folding {
  transaction: Knex.Transaction;
  writer: SeriesWriter;
  /** Collects the items that changed no alert. */
  statuses: ReturnType<typeof wrongStatuses>;
  expiries: Expiries;
  /** Null: nobody is told. */
  outbox: OutboxRows | null;
}

async function fold(
  { transaction, writer, statuses, expiries, outbox }: Folding,
  locked: Locked,
  texts: AlertTexts | null,
): Promise<void> {
  const { key, items, series } = locked;
  const { receivedAt } = items[0];
  if (series.refoldFrom !== null) {
    await refoldFrom(transaction, key.id, receivedAt);
    return;
  }
  if (!texts && locked.needsTexts) {
    // The row of the latest alert is missing. Its items have the texts.
    await refoldFrom(transaction, key.id, Math.min(receivedAt, series.alert?.receivedAt ?? receivedAt));
    return;
  }
  const before = readState(key, series, texts);
  const { late, newer } = splitByPosition(items, before.newest);
  const { expiredEnd } = series;
  const placed =
    late.length > 0
      ? await foldLate({ transaction, writer }, key, late, { state: before, expiredEnd })
      : null;
  const state = placed?.state ?? before;
  const unfolded = placed?.isComplete ? [] : await expiries.between(key, state, newer);
  const folded = foldItems(state, unfolded);
  statuses.push(...wrongStatuses(unfolded, folded));
  for (const { item, outcome } of folded.outcomes) if (outcome === 'outdated') expiries.outdated.add(item);
  const { newest, latest, ended } = folded.state;
  if (!newest || (newer.length === 0 && latest === before.latest && ended === before.ended)) return;
  const changed = new Map(folded.occurrences.map((occurrence) => [occurrence.id, occurrence]));
  if (placed?.isWithin && state.latest && !changed.has(state.latest.id))
    changed.set(state.latest.id, state.latest);
  const rows = new Map<Occurrence, SeriesAlert>();
  for (const occurrence of changed.values()) {
    const row = toAlertRow(occurrence);
    rows.set(occurrence, row);
    writer.addAlert(key, row, occurrence.id !== before.latest?.id);
  }
  const row = latest && (rows.get(latest) ?? toAlertRow(latest));
  addState(writer, key, { newest, ended }, latest && row && { occurrence: latest, row });
  if (!outbox) return;
  // Late items may have changed the latest alert too.
  if (latest) changed.set(latest.id, latest);
  else if (series.alert?.firing) outbox.add(refoldedTo(key, null));
  for (const transition of transitionsOf(key, series.alert, changed.values(), rows)) outbox.add(transition);
}

function splitByPosition(
  items: readonly SeriesItem[],
  newest: Position | null,
): { late: readonly SeriesItem[]; newer: readonly SeriesItem[] } {
  const end = newest ? items.findIndex((item) => comparePositions(item, newest) > 0) : 0;
  if (end === 0) return { late: [], newer: items };
  return end < 0 ? { late: items, newer: [] } : { late: items.slice(0, end), newer: items.slice(end) };
}

/** The state of a series after its late items. */
interface Placed {
  state: SeriesState;
  /** Newer items are folded too. */
  isComplete: boolean;
  /** The latest alert has more items, but the same first and newest one. */
  isWithin: boolean;
}

/** Folds late items: within the latest alert they are added to it, elsewhere their alerts are folded again. */
async function foldLate(
  writing: Parameters<typeof foldLateItems>[0],
  key: SeriesKey,
  late: readonly SeriesItem[],
  from: { state: SeriesState; expiredEnd: string | null },
): Promise<Placed> {
  const before = from.state;
  const { latest, ended } = before;
  const [within, breaking]: [SeriesItem[], SeriesItem[]] = [[], []];
  for (const item of late) {
    if (latest && isWithin(item, latest)) within.push(item);
    else if (!changesNothing(item, { latest, ended })) breaking.push(item);
  }
  const again =
    breaking.length > 0
      ? await foldLateItems(writing, key, breaking, from)
      : { state: before, isComplete: false };
  if (again.isComplete || within.length === 0 || !again.state.latest) return { ...again, isWithin: false };
  const updated = within.reduce(withItem, again.state.latest);
  return { state: { ...again.state, latest: updated }, isComplete: false, isWithin: true };
}

/** A resolved item without an occurrence that is not the first end, after the end of the latest alert, has nothing to resolve. */
const changesNothing = (
  item: SeriesItem,
  { latest, ended }: Pick<SeriesState, 'latest' | 'ended'>,
): boolean =>
  item.status === 'resolved' &&
  item.occurrence === null &&
  (latest === null ? ended !== null : !isFiring(latest) && comparePositions(item, latest.newest) > 0);
