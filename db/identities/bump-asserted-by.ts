import type { Knex } from 'knex';
import { executePrepared } from '../client/statement.js';
import type { Assertion } from './import-outcome.js';
import { keyRange, type StoredIdentities } from './lock-identities.js';
import { liftIdentities } from './upsert-identities.js';

/** Somebody inserted a row among those that were to be lifted: the chunk has to start over. */
export class LiftMismatch extends Error {
  override name = 'LiftMismatch';
}

/** Fewer rows than this a range, on average, and writing the rows one by one is quicker. */
const MIN_ROWS_A_RANGE = 64;

/**
 * Notes that this upload asserted rows whose owner stays. Where no others lie between them a range is lifted at once,
 * which takes the server a quarter of the time that single rows take (measured: 0.96 s and 3.9 s for a million).
 * `unchanged` are places in `assertions`.
 */
export async function bumpAssertedBy(
  transaction: Knex.Transaction,
  assertions: readonly Assertion[],
  unchanged: readonly number[],
  { rows, gapBefore }: StoredIdentities,
  acceptance: number,
): Promise<void> {
  const older = unchanged.filter((at) => rows[at]?.assertedBy === -1);
  const runs = runsOf(older, gapBefore);
  if (runs.length * MIN_ROWS_A_RANGE > older.length) {
    return liftIdentities(
      transaction,
      older.map((at) => assertions[at] as Assertion),
      acceptance,
    );
  }
  for (const { from, to, count } of runs) {
    const { sql, values } = keyRange(assertions[from] as Assertion, assertions[to] as Assertion);
    const assertedBy = String(acceptance);
    const lifted = await executePrepared(
      transaction,
      `UPDATE identities SET asserted_by = ? WHERE ${sql} AND asserted_by < ?`,
      [assertedBy, ...values, assertedBy],
    );
    if (lifted.affectedRows !== count)
      throw new LiftMismatch(`lifted ${lifted.affectedRows} of ${count} rows`);
  }
}

interface Run {
  from: number;
  to: number;
  count: number;
}

/** Runs of places between which nothing else is stored. What this transaction wrote there has its number already. */
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
