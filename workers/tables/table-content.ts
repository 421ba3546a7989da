import type { Database } from '../../db/client/connect.js';
import { nextRows, parseCells, rowsByHash, type StoredRow } from '../../db/lookups/lookup-rows.js';
import type { LookupTable } from '../../db/lookups/lookup-tables.js';
import type { KeyLines } from './key-lines.js';
import type { TableReading } from './read-table.js';
import { cellsText, type TableRow } from './table-rows.js';

const PAGE_ROWS = 2_000;
/** Rows of the first page. Then a page has as many as would have 4 million characters if they were as large as those before. */
const FIRST_ROWS = 200;
const PAGE_CHARS = 4 * 1024 * 1024;

/** What an upload is compared with, and the rows that stay in it. */
export interface Base {
  database: Database;
  table: LookupTable;
  /** The keys of the upload, if the rows of other keys stay. */
  merged: KeyLines | null;
}

/** Rows of a new revision, each with its place in it. */
export interface ContentBatch {
  rows: StoredRow[];
  /** The same rows in the base, by the hash of their key in hexadecimal; null if nothing of them differs. */
  before: ReadonlyMap<string, StoredRow> | null;
  bytesRead: number;
}

/**
 * Yields the rows of a new revision: those of the base that stay, then those of the upload. Rows that are added come after those of the base, which
 * keep their places. The same upload and base give the same batches.
 * @throws FileError as the reading
 */
export async function* contentOf(reading: TableReading, base: Base | null): AsyncGenerator<ContentBatch> {
  if (base?.merged) {
    for await (const page of storedRows(base)) {
      const rows = page.filter(({ keyHash }) => !base.merged?.has(keyHash));
      if (rows.length > 0) yield { rows, before: null, bytesRead: 0 };
    }
  }
  let next = base?.merged ? base.table.rowCount : 0;
  for await (const { records, bytesRead } of reading) {
    const hashes = records.map(({ keyHash }) => keyHash.toString('hex'));
    const before = base ? await rowsByHash(base.database, base.table, hashes) : new Map<string, StoredRow>();
    const rows = records.map((row, at): StoredRow => {
      const old = base?.merged && before.get(hashes[at] ?? '');
      const cells = base?.merged ? merge(row, reading.columns, base.table, old?.cells) : row.cells;
      return { position: old?.position ?? next++, keyHash: row.keyHash, cells };
    });
    yield { rows, before, bytesRead };
  }
}

/** Yields the rows of the base, a page at a time. How many a page has depends on the rows alone. */
export async function* storedRows({ database, table }: Omit<Base, 'merged'>) {
  let limit = FIRST_ROWS;
  for (let after: number | undefined; ; ) {
    const page = await nextRows(database, table, { after, limit });
    yield page;
    after = page.at(-1)?.position;
    if (page.length < limit) return;
    const chars = page.reduce((sum, { cells }) => sum + cells.length, 0);
    limit = Math.min(PAGE_ROWS, Math.ceil((limit * PAGE_CHARS) / Math.max(chars, 1)));
  }
}

/** Returns the cells of a row of the base, with those that the upload has of it. */
function merge(
  row: TableRow,
  names: readonly string[],
  { columns }: LookupTable,
  before: string | undefined,
): string {
  const cells = parseCells(before ?? '[]');
  const sent = parseCells(row.cells);
  names.forEach((name, at) => {
    const place = columns.indexOf(name);
    if (place >= 0) cells[place] = sent[at] ?? '';
  });
  return cellsText(Array.from(cells, (cell) => cell ?? ''));
}
