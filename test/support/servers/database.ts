import { randomUUID } from 'node:crypto';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';

export interface TestDatabase {
  url: string;
  name: string;
  database: Database;
  drop(): Promise<void>;
}

/**
 * Creates a separate, migrated database, by default on the servers of the run. There, its tables are copied from the
 * template of the run.
 */
export async function createTestDatabase(server = serverUrl()): Promise<TestDatabase> {
  const name = `t_${process.env.JEST_WORKER_ID}_${randomUUID().slice(0, 8)}`;
  const root = connectDatabase(server);
  const url = await createDatabase(root, server, name);
  const database = connectDatabase(url);
  const { TEST_DATABASE_URL, TEST_TEMPLATE } = process.env;
  if (server === TEST_DATABASE_URL && TEST_TEMPLATE) {
    for (const statement of JSON.parse(TEST_TEMPLATE)) await database.raw(statement);
  } else {
    await migrate(database);
  }
  return {
    url,
    name,
    database,
    drop: async () => {
      await database.destroy();
      await root.raw(`DROP DATABASE ${name}`);
      await root.destroy();
    },
  };
}

/** The database of the run's server that others are copied from. */
export const TEMPLATE = 'template';

/** Creates a migrated database, and returns the statements that copy its tables and their rows into another one. */
export async function createTemplate(server: string): Promise<string[]> {
  const root = connectDatabase(server);
  const database = connectDatabase(await createDatabase(root, server, TEMPLATE));
  try {
    await migrate(database);
    const [rows] = await database.raw('SHOW TABLES');
    const tables: string[] = rows.map((row: object) => Object.values(row)[0]);
    const isFilled = await Promise.all(tables.map((table) => database(table).first()));
    const filled = tables.filter((_, at) => isFilled[at]);
    return [
      ...tables.map((table) => `CREATE TABLE ${table} LIKE ${TEMPLATE}.${table}`),
      ...filled.map((table) => `INSERT INTO ${table} SELECT * FROM ${TEMPLATE}.${table}`),
    ];
  } finally {
    await database.destroy();
    await root.destroy();
  }
}

/** Creates a database and returns its URL. */
async function createDatabase(root: Database, server: string, name: string): Promise<string> {
  await root.raw(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set: the servers of the test run are not up');
  return url;
}
