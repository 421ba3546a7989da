import { createReadStream } from 'node:fs';
import { createConnection } from 'mysql2/promise';

/** Loads the file with the database's own loader, with the times and defaults of the table. */
export async function loadData(
  databaseUrl: string,
  file: string,
  replace: '' | 'REPLACE',
  assertedBy: number,
): Promise<void> {
  const url = new URL(databaseUrl);
  const connection = await createConnection({
    socketPath: url.searchParams.get('socketPath') as string,
    user: url.username,
    password: url.password,
    database: url.pathname.slice(1),
    infileStreamFactory: () => createReadStream(file, { highWaterMark: 1024 * 1024 }),
  });
  await connection.query(
    `LOAD DATA LOCAL INFILE 'identities' ${replace} INTO TABLE identities CHARACTER SET utf8mb4
     FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\\n' IGNORE 1 LINES
     (email, integration_id, identity) SET asserted_by = ${assertedBy}`,
  );
  await connection.end();
}
