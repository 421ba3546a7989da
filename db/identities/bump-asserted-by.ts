import type { Knex } from 'knex';
import { executePrepared } from '../client/statement.js';
import type { OwnedKey } from './chunk-outcome.js';
import { keyRange, RangeMismatch, type StoredIdentities } from './lock-identities.js';
import { bumpIdentities } from './upsert-identities.js';

/** With fewer rows per range than this, on average, writing the rows one by one is faster. */
const MIN_ROWS_PER_RANGE = 64;

/**
 * Records that this upload asserted rows whose owner does not change. A range without other rows in between is
 * updated at once, which takes the server a quarter of the time of single rows (measured: 0.96 s and 3.9 s for a
 * million).
 *
 * @param unchanged indexes in `assertions`
 * @throws RangeMismatch if another transaction has inserted a row into a range
 */
export async function bumpAssertedBy(
  transaction: Knex.Transaction,
  assertions: readonly OwnedKey[],
  unchanged: readonly number[],
  { rows, gapBefore }: StoredIdentities,
  acceptance: number,
): Promise<void> {
  const older = unchanged.filter((at) => rows[at]?.assertedBy === -1);
  const runs = runsOf(older, gapBefore);
  if (runs.length * MIN_ROWS_PER_RANGE > older.length) {
    const keys = older.flatMap((at) => assertions[at] ?? []);
    return bumpIdentities(transaction, keys, acceptance);
  }
  for (const { from, to, count } of runs) {
    const [first, last] = [assertions[from], assertions[to]];
    if (!first || !last) throw new RangeError(`assertions ${from} to ${to} do not exist`);
    const { sql, values } = keyRange(first, last);
    const assertedBy = String(acceptance);
    const { affectedRows } = await executePrepared(
      transaction,
      `UPDATE identities SET asserted_by = ? WHERE ${sql} AND asserted_by < ?`,
      [assertedBy, ...values, assertedBy],
    );
    if (affectedRows !== count) throw new RangeMismatch(`updated ${affectedRows} of ${count} rows`);
  }
}

interface Run {
  from: number;
  to: number;
  count: number;
}

/**
 * Returns ranges of indexes without other stored rows in between. Rows that this transaction wrote there already have
 * the new number.
 */
function runsOf(places: readonly number[], gapBefore: readonly boolean[]): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const place of places) {
    if (run && !gapBefore.slice(run.to + 1, place + 1).includes(true)) {
      run.to = place;
      run.count += 1;
    } else {
      run = { from: place, to: place, count: 1 };
      runs.push(run);
    }
  }
  return runs;
}
