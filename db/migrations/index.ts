import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import * as createTables from './001-create-tables.js';
import * as reading from './003-reading.js';
import * as alerts from './004-alerts.js';
import * as uploadColumns from './005-upload-columns.js';
import * as jobLimits from './006-job-limits.js';
import * as secretCanary from './006-secret-canary.js';

interface Migration {
  up(database: Knex): Promise<void>;
  down(database: Knex): Promise<void>;
}

/** In order. The name is what the database records: it holds no `.ts` or `.js`, so source and build agree. */
const migrations: Record<string, Migration> = {
  '001-create-tables': createTables,
  '003-reading': reading,
  '004-alerts': alerts,
  '005-upload-columns': uploadColumns,
  '006-secret-canary': secretCanary,
  '006-job-limits': jobLimits,
};

/** How long to wait for another host that is migrating, in seconds. */
const WAIT_S = 60;

/**
 * Brings the schema up to the newest migration; safe to run at the same time on several hosts. Answers what it ran.
 * knex' own lock is a row that a killed process leaves behind; the server's named lock goes with its connection. Whoever
 * holds that one may clear the other. A migration that was broken off is run again, so each can be repeated.
 */
export async function migrate(database: Database): Promise<string[]> {
  const connection = await database.client.acquireConnection();
  try {
    await takeLock(database, connection);
    await database.migrate.forceFreeMigrationsLock({ migrationSource });
    const [, names] = (await database.migrate.latest({ migrationSource })) as [number, string[]];
    return names;
  } finally {
    // The connection is the lock: it must not go back to the pool.
    connection.destroy();
    await database.client.releaseConnection(connection);
  }
}

async function takeLock(database: Database, connection: unknown): Promise<void> {
  const [rows] = await database
    .raw('SELECT GET_LOCK(?, ?) AS taken', ['muster.migrate', WAIT_S])
    .connection(connection);
  if (rows[0].taken !== 1)
    throw new Error(`another process has been migrating this database for over ${WAIT_S} s`);
}

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name] as Migration,
};
