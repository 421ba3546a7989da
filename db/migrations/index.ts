import type { Knex } from 'knex';
import type { Database } from '../connect.js';
import * as createTables from './001-create-tables.js';
import * as reading from './003-reading.js';
import * as alerts from './004-alerts.js';

interface Migration {
  up(database: Knex): Promise<void>;
  down(database: Knex): Promise<void>;
}

/** In order. The name is what the database records: it holds no `.ts` or `.js`, so source and build agree. */
const migrations: Record<string, Migration> = {
  '001-create-tables': createTables,
  '003-reading': reading,
  '004-alerts': alerts,
};

/** Brings the schema up to the newest migration; safe to run at the same time on several hosts. */
export async function migrate(database: Database): Promise<string[]> {
  const [, names] = (await database.migrate.latest({ migrationSource })) as [number, string[]];
  return names;
}

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name] as Migration,
};
