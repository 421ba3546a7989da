import { createHash } from 'node:crypto';
import type { Step } from '../../db/jobs/job-steps.js';
import type { StoredRow } from '../../db/lookups/lookup-rows.js';
import { insertRows, type RevisionId } from '../../db/lookups/revisions.js';
import type { ProgressKeeper } from '../run/progress.js';
import type { Phase } from '../run/run-steps.js';
import type { TableReading } from './read-table.js';
import { type Base, contentOf } from './table-content.js';

interface RowStep extends Step {
  content: readonly StoredRow[];
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
    let number = 0;
    for await (const { rows } of contentOf(reading, base)) {
      if (rows.length === 0) continue;
      yield { number: number++, rows: rows.length, checksum: checksumOf(rows), content: rows };
    }
  },
  write: async (transaction, { content }) => {
    await insertRows(transaction, revision, content);
    return { counts: {} };
  },
  done: ({ rows }) => {
    current.rowsRead += rows;
  },
});

function checksumOf(rows: readonly StoredRow[]): Buffer {
  const hash = createHash('sha256');
  for (const { cells } of rows) hash.update(`\n${cells}`);
  return hash.digest().subarray(0, 8);
}
