import type { Database } from '../../../db/client/connect.js';
import { isContentRejected } from '../../../db/client/errors.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { type MarkedSeries, nextMarkedSeries } from '../../../db/series/refold-marks.js';
import { refoldSeries } from './refold.js';

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
