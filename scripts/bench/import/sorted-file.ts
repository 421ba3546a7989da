import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../../db/client/connect.js';
import { streamIdentities } from '../../../db/identities/stream-identities.js';
import { CsvTable } from '../../../workers/export/csv.js';
import { CsvRows } from '../../../workers/export/csv-rows.js';

/** Writes the stored identities to a CSV file in the order of their primary key. */
export async function writeSortedFile(database: Database, path: string): Promise<void> {
  const table = new CsvTable(['email', 'integrationId', 'identity']);
  const sort = { key: 'integrationId', order: 'asc' } as const;
  await pipeline(async function* () {
    yield table.header;
    for await (const { bytes } of streamIdentities(database, {}, sort, new CsvRows(table))) yield bytes;
  }, createWriteStream(path));
}
