import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Tables } from 'knex/types/tables.js';
import type { Connection } from 'mysql2/promise';
import type { Database } from '../../../db/client/connect.js';
import { connectLoader, loadStatement } from './load-data.js';

/** What an import recorded besides the identities, by table, in the order of its chunks. */
export interface Recorded {
  job_steps: Tables['job_steps'][];
  import_changes: Tables['import_changes'][];
}

/** Reads what the import recorded that has just filled the empty tables. */
export async function readRecorded(database: Database): Promise<Recorded> {
  const job_id = (await database('import_changes').first('job_id'))?.job_id ?? '';
  return {
    job_steps: await database('job_steps').where({ job_id }).orderBy('step'),
    import_changes: await database('import_changes').where({ job_id }).orderBy(['chunk', 'part']),
  };
}

/**
 * Loads a presorted file with the database's own loader, and stores what an import of it records: in the same chunks, each in a transaction
 * with its entry in the ledger and its changes. Nothing is read, checked or compared. Returns the seconds; preparing does not count.
 */
export async function loadRecorded(databaseUrl: string, file: string, recorded: Recorded): Promise<number> {
  const pieces = cutFile(readFileSync(file), recorded.job_steps);
  const jobId = randomUUID();
  const connection = await connectLoader(databaseUrl);
  try {
    const startedAt = performance.now();
    for (const [i, entry] of recorded.job_steps.entries()) {
      await connection.beginTransaction();
      await connection.query({
        sql: loadStatement('', 1, 0),
        infileStreamFactory: () => Readable.from([pieces[i]]),
      });
      await store(connection, 'job_steps', { ...entry, job_id: jobId });
      for (const part of recorded.import_changes.filter(({ chunk }) => chunk === entry.step))
        await store(connection, 'import_changes', { ...part, job_id: jobId });
      await connection.commit();
    }
    return (performance.now() - startedAt) / 1_000;
  } finally {
    await connection.end();
  }
}

const store = (connection: Connection, table: keyof Recorded, row: object): Promise<unknown> =>
  connection.execute(
    `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`,
    Object.values(row),
  );

/** Cuts a CSV file, without its header, into as many lines as each chunk has rows. */
function cutFile(bytes: Buffer, chunks: Recorded['job_steps']): Buffer[] {
  const afterLine = (from: number): number => bytes.indexOf('\n', from) + 1;
  let start = afterLine(0);
  return chunks.map(({ row_count }) => {
    let end = start;
    for (let line = 0; line < row_count; line++) end = afterLine(end);
    const piece = bytes.subarray(start, end);
    start = end;
    return piece;
  });
}
