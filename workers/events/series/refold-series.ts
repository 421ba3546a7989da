import type { Knex } from 'knex';
import type { Database } from '../../../db/client/connect.js';
import { isContentRejected } from '../../../db/client/errors.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { hasDestinations, OutboxRows } from '../../../db/outbox/outbox.js';
import { textsOfLatestAlerts } from '../../../db/series/latest-alert-texts.js';
import { lockStored } from '../../../db/series/lock-series.js';
import {
  deleteSeries,
  forgetState,
  type MarkedSeries,
  nextMarkedSeries,
  setMark,
} from '../../../db/series/refold-marks.js';
import { FIRST, type SeriesKey, type SeriesPosition, type StoredSeries } from '../../../db/series/series.js';
import { lastAlertsUpTo } from '../../../db/series/series-alerts.js';
import { newestItem } from '../../../db/series/series-items.js';
import { SeriesWriter } from '../../../db/series/series-writer.js';
import { noItemsOf, type Occurrence, repeatWindowMs, type SeriesState } from '../../mapping/index.js';
import { addState } from './alert-row.js';
import { HIGHEST_ID, refoldItems } from './refold-items.js';
import { readState } from './stored-state.js';
import { refoldedTo } from './transitions.js';

/** Series that are folded at the same time. Each takes a connection. */
const LANES = 4;
const PAGE = 200;

interface Refolding {
  /** Returns whether to fold the marked series of an integration. */
  isDue(webhookId: string): boolean;
  /** Runs a query, and retries it where that makes sense. Throws to stop; series that are not folded to their end stay marked. */
  run<Result>(query: () => Promise<Result>): Promise<Result>;
  /** Returns whether to leave the other series, and what is left of a long one, to a later call. */
  isOver?(): boolean;
  /** About how many items of a series are folded in one transaction. */
  limit?: number;
}

/** The result of folding marked series. */
export interface Refolded {
  folded: number;
  /** Ids of series whose alerts the database rejected. They stay marked. */
  rejected: ReadonlySet<string>;
}

/** Folds marked series again, each in transactions of its own, until none is left that is due. */
export async function refoldMarked(
  database: Database,
  { isDue, run, isOver = () => false, limit }: Refolding,
): Promise<Refolded> {
  const rejected = new Set<string>();
  let folded = 0;
  let foldedBefore = 0;
  const foldOne = async (series: MarkedSeries): Promise<void> => {
    const step = () => inTransaction(database, (transaction) => refoldSeries(transaction, series, limit));
    try {
      while (!isOver()) {
        if (!(await run(step))) continue;
        folded += 1;
        break;
      }
    } catch (error) {
      if (!isContentRejected(error)) throw error;
      rejected.add(series.id);
    }
  };
  // A late event moves the mark of its series back, where the first round has passed, so only a round that finds none is the last.
  do {
    foldedBefore = folded;
    let after: MarkedSeries | null = null;
    for (;;) {
      const page: MarkedSeries[] = await run(() => nextMarkedSeries(database, after, PAGE));
      const due = page.filter(({ id, webhookId }) => isDue(webhookId) && !rejected.has(id));
      await inLanes(due, foldOne);
      after = page.at(-1) ?? null;
      if (!after || isOver()) break;
    }
  } while (folded > foldedBefore && !isOver());
  return { folded, rejected };
}

/** Does work for each item, for some at the same time. After an error, starts no more. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items].reverse();
  const lane = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
  };
  const stopping = () =>
    lane().catch((error) => {
      queue.length = 0;
      throw error;
    });
  const ends = await Promise.allSettled(Array.from({ length: LANES }, stopping));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Below every other id. */
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
/** Items, and alerts to delete, in one transaction. */
const STEP = 10_000;

/**
 * Folds a marked series again, from the alert that contains the time of its mark on. Replaces, adds and deletes its alerts, and deletes the
 * alerts that its items had while they stood alone. Removes the mark at the end of the series; a series without items is deleted.
 *
 * A long series takes several transactions, so call this again until it returns true. Each moves the mark forward, and stores the state
 * before it, where the next one goes on. The items are read in pages. The row is locked until the transaction ends.
 *
 * @param limit about how many items and deleted alerts a transaction has
 */
export async function refoldSeries(
  transaction: Knex.Transaction,
  key: SeriesKey,
  limit = STEP,
): Promise<boolean> {
  const series = (await lockStored(transaction, [key])).get(key.id);
  if (!series || series.refoldFrom === null) return true;
  const writer = new SeriesWriter(transaction);
  const start = await startOf(transaction, key, series, series.refoldFrom);
  const range = { ...start, refoldFrom: series.refoldFrom, limit };
  const { state, row, stop } = await refoldItems({ transaction, writer, key }, range);
  const newest = state.newest ?? (stop === null ? await newestItem(transaction, key.id) : null);
  const { ended } = state;
  if (newest)
    addState(writer, key, { newest, ended }, state.latest && row && { occurrence: state.latest, row });
  else if (stop !== null) await forgetState(transaction, key.id);
  else {
    await deleteSeries(transaction, key.id);
    await tell(transaction, key, null);
    return true;
  }
  await writer.flush();
  await setMark(transaction, key.id, stop);
  if (stop === null) await tell(transaction, key, state.latest);
  return stop === null;
}

/** Has destinations told that know something else of a series. What it was before is not known: its state may be that of an earlier step. */
async function tell(transaction: Knex.Transaction, key: SeriesKey, alert: Occurrence | null): Promise<void> {
  if (repeatWindowMs(key.dedupKey) !== null || !(await hasDestinations(transaction))) return;
  const outbox = new OutboxRows();
  outbox.add(refoldedTo(key, alert));
  await outbox.insert(transaction);
}

/**
 * Returns where the fold starts, and the state before it. The stored state is used if it is older than the mark: then it has all items before
 * the mark. Otherwise the fold starts with the alert that contains the mark, or with the first item.
 */
async function startOf(
  transaction: Knex.Transaction,
  key: SeriesKey,
  series: StoredSeries,
  refoldFrom: number,
): Promise<{ from: SeriesPosition; state: SeriesState }> {
  const { id } = key;
  const mark = { receivedAt: refoldFrom, id: LOWEST_ID };
  if (series.newest && series.newest.receivedAt < refoldFrom) {
    const texts = series.alert && (await textsOfLatestAlerts(transaction, [id])).get(id);
    if (texts || !series.alert) return { from: mark, state: readState(key, series, texts ?? null) };
  }
  const noItems = noItemsOf(key.dedupKey);
  const end = { receivedAt: refoldFrom - 1, id: HIGHEST_ID };
  const [containing, before] = await lastAlertsUpTo(transaction, id, end);
  if (!containing) return { from: FIRST, state: { ...noItems, ended: series.expiredEnd } };
  const state = { ...noItems, lastAlertId: before?.id ?? null, ended: containing.endedBefore };
  return { from: containing, state };
}
