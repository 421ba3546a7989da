import { connectDatabase } from '../db/connect.js';
import { migrate } from '../db/migrations/index.js';

/** `npm run migrate`: brings the schema of DATABASE_URL up to date. Its account must be allowed to create tables. */
const url = process.env.DATABASE_URL;
if (!url) {
  console.error('Set DATABASE_URL to the database to migrate: mysql://owner:password@host:port/database');
  process.exit(1);
}
const database = connectDatabase(url, { acquireTimeoutMs: 30_000 });
try {
  const names = await migrate(database);
  console.log(names.length === 0 ? 'The schema is up to date.' : `Migrated: ${names.join(', ')}`);
} catch (error) {
  const { sqlMessage, message } = error as Error & { sqlMessage?: string };
  console.error(`The database cannot be migrated: ${sqlMessage ?? message}`);
  process.exitCode = 1;
} finally {
  await database.destroy();
}
