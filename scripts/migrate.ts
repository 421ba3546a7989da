import { connectDatabase } from '../db/connect.js';
import { migrate } from '../db/migrations/index.js';

/** `npm run migrate`: brings the schema of DATABASE_URL up to date. Its account must be allowed to create tables. */
async function main(url: string | undefined): Promise<void> {
  if (!url?.startsWith('mysql://') || !URL.canParse(url)) {
    throw new Error(
      'Set DATABASE_URL to the database to migrate: mysql://owner:password@host:port/database. npm start migrates its own.',
    );
  }
  const database = connectDatabase(url, { acquireTimeoutMs: 30_000 });
  try {
    const names = await migrate(database);
    console.log(names.length === 0 ? 'The schema is up to date.' : `Migrated: ${names.join(', ')}`);
  } catch (error) {
    const { sqlMessage, message } = error as Error & { sqlMessage?: string };
    throw new Error(`The database cannot be migrated: ${sqlMessage ?? message}`);
  } finally {
    await database.destroy();
  }
}

main(process.env.DATABASE_URL).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
