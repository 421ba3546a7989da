import { randomUUID } from 'node:crypto';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';

export interface TestDatabase {
  url: string;
  name: string;
  database: Database;
  drop(): Promise<void>;
}

/** Creates a separate, migrated database, by default on the servers of the run. */
export async function createTestDatabase(server = serverUrl()): Promise<TestDatabase> {
  const name = `t_${process.env.JEST_WORKER_ID}_${randomUUID().slice(0, 8)}`;
  const root = connectDatabase(server);
  await root.raw(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = connectDatabase(url.href);
  await migrate(database);
  return {
    url: url.href,
    name,
    database,
    drop: async () => {
      await database.destroy();
      await root.raw(`DROP DATABASE ${name}`);
      await root.destroy();
    },
  };
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set: the servers of the test run are not up');
  return url;
}
