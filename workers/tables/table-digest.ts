import { createHash, hash } from 'node:crypto';
import type { LookupTable } from '../../db/lookups/lookup-tables.js';

/** The form of a table: what its revision says besides its rows. */
export type TableShape = Pick<LookupTable, 'matching' | 'keyColumns' | 'columns'>;

/** Bytes of the digest of a row. They are held until the end, because the changed rows of an upload come after those that stay: 16 MB for a million. */
const ROW_DIGEST = 16;

/** The digest of a revision: over the rules, the columns and the digests of all rows, in order. */
export class TableDigest {
  readonly #rows: Buffer;

  /** @param most the rows that there may be */
  constructor(most: number) {
    this.#rows = Buffer.alloc(ROW_DIGEST * most);
  }

  add({ position, cells }: { position: number; cells: string }): void {
    hash('sha256', cells, 'buffer').copy(this.#rows, ROW_DIGEST * position, 0, ROW_DIGEST);
  }

  of({ matching, keyColumns, columns }: TableShape, rowCount: number): Buffer {
    return createHash('sha256')
      .update(JSON.stringify([matching, keyColumns, columns]))
      .update(this.#rows.subarray(0, ROW_DIGEST * rowCount))
      .digest();
  }
}
