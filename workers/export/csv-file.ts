import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FileStore } from '../../db/files/index.js';
import { escapeFormula } from './formulas.js';

type Cell = string | number | null;

/** What a CSV file holds: the header's names, then rows a page at a time. */
export interface CsvContent {
  header: readonly string[];
  pages: AsyncIterable<readonly (readonly Cell[])[]>;
  /** Columns to be escaped against spreadsheets, which their names then say. */
  escaped?: ReadonlySet<string>;
}

/** Writes a CSV file page by page; it is in the store whole or not at all. Answers the number of its rows. */
export async function writeCsvFile(files: FileStore, key: string, content: CsvContent): Promise<number> {
  const counts = { rows: 0 };
  await files.write(key, Readable.from(encode(content, counts)));
  return counts.rows;
}

async function* encode(
  { header, pages, escaped = NONE }: CsvContent,
  counts: { rows: number },
): AsyncGenerator<Buffer> {
  const escapes = header.map((name) => escaped.has(name));
  const show = (cell: Cell, column: number) =>
    escapes[column] && typeof cell === 'string' ? escapeFormula(cell) : cell;
  yield Buffer.from(stringify([header.map((name, column) => (escapes[column] ? `${name}Escaped` : name))]));
  for await (const page of pages) {
    if (page.length > 0) yield Buffer.from(stringify(page.map((row) => row.map(show))));
    counts.rows += page.length;
  }
}

const NONE: ReadonlySet<string> = new Set();
