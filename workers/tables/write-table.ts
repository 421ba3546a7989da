import { createHash } from 'node:crypto';
import type { Step } from '../../db/jobs/job-steps.js';
import { insertRows, type RevisionId } from '../../db/lookups/revisions.js';
import type { ProgressKeeper } from '../run/progress.js';
import type { Phase } from '../run/run-steps.js';
import type { TableReading } from './read-table.js';
import { type Base, contentOf } from './table-content.js';
import type { TableRow } from './table-rows.js';

interface RowStep extends Step {
  /** The position of the first row. */
  from: number;
  content: readonly TableRow[];
}

/** Returns how the rows of a revision are written. While the database writes a step, the next one is read. */
export const writeSteps = (
  reading: TableReading,
  base: Base | null,
  revision: RevisionId,
  { current }: ProgressKeeper,
): Phase<RowStep> => ({
  number: 0,
  lanes: 2,
  async *steps() {
    let from = 0;
    let number = 0;
    for await (const { rows } of contentOf(reading, base)) {
      if (rows.length === 0) continue;
      yield { number: number++, rows: rows.length, checksum: checksumOf(rows), from, content: rows };
      from += rows.length;
    }
  },
  write: async (transaction, { from, content }) => {
    const rows = content.map((row, at) => ({ ...row, position: from + at }));
    await insertRows(transaction, revision, rows);
    return { counts: {} };
  },
  done: ({ rows }) => {
    current.rowsRead += rows;
  },
});

function checksumOf(rows: readonly TableRow[]): Buffer {
  const hash = createHash('sha256');
  for (const { cells } of rows) hash.update(`\n${cells}`);
  return hash.digest().subarray(0, 8);
}
