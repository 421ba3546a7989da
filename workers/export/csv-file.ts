import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FileStore } from '../../db/files/index.js';

type Cell = string | number | null;

/** What a CSV file holds: the header's names, then rows a page at a time. */
export interface CsvContent {
  header: readonly string[];
  pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Writes a CSV file page by page; it is in the store whole or not at all. Answers the number of its rows. */
export async function writeCsvFile(files: FileStore, key: string, content: CsvContent): Promise<number> {
  const counts = { rows: 0 };
  await files.write(key, Readable.from(encode(content, counts)));
  return counts.rows;
}

async function* encode({ header, pages }: CsvContent, counts: { rows: number }): AsyncGenerator<Buffer> {
  yield Buffer.from(stringify([[...header]]));
  for await (const page of pages) {
    if (page.length > 0) yield Buffer.from(stringify(page.map((row) => [...row])));
    counts.rows += page.length;
  }
}
