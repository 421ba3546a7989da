import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { type Connection, createConnection } from 'mysql2/promise';

/** Loads the file with the database's own loader, with the times and defaults of the table. */
export async function loadData(
  databaseUrl: string,
  file: string,
  replace: '' | 'REPLACE',
  assertedBy: number,
): Promise<void> {
  const connection = await connectLoader(databaseUrl, () =>
    createReadStream(file, { highWaterMark: 1024 * 1024 }),
  );
  await connection.query(loadStatement(replace, assertedBy, 1));
  await connection.end();
}

/** @param infileStreamFactory returns what the loader reads; by default each statement has its own */
export function connectLoader(
  databaseUrl: string,
  infileStreamFactory?: () => Readable,
): Promise<Connection> {
  const url = new URL(databaseUrl);
  return createConnection({
    socketPath: url.searchParams.get('socketPath') as string,
    user: url.username,
    password: url.password,
    database: url.pathname.slice(1),
    ...(infileStreamFactory && { infileStreamFactory }),
  });
}

/** @param skip lines to skip */
export const loadStatement = (replace: '' | 'REPLACE', assertedBy: number, skip: number): string =>
  `LOAD DATA LOCAL INFILE 'identities' ${replace} INTO TABLE identities CHARACTER SET utf8mb4
   FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\\n' IGNORE ${skip} LINES
   (email, integration_id, identity) SET asserted_by = ${assertedBy}`;
