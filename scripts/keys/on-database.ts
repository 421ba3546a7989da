import { connectDatabase, type Database } from '../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import type { Store } from './database-url.js';

/** Runs `work` on a database. Errors name the reason and never an SQL statement. */
export async function onDatabase(store: Store, work: (database: Database) => Promise<void>): Promise<void> {
  const database = connect(store);
  try {
    await work(database);
  } catch (error) {
    throw explained(error, store);
  } finally {
    await database.destroy();
  }
}

function connect({ url }: Store): Database {
  try {
    return connectDatabase(url, { poolMax: 1, acquireTimeoutMs: 10_000 });
  } catch {
    throw new Error('DATABASE_URL is invalid: use mysql://user:password@host:port/database');
  }
}

/** Returns an error with the driver's reason. Never shows an SQL statement. */
function explained(error: unknown, { isPrivate, dataDir }: Store): unknown {
  const { code, errno, sqlMessage } = error as { code?: string; errno?: number; sqlMessage?: string };
  if (isDatabaseUnavailable(error)) {
    return isPrivate
      ? new Error(`Muster is not running in ${dataDir}: run npm start.`)
      : new Error(`The database of DATABASE_URL cannot be reached (${code ?? 'no response in time'}).`);
  }
  const noSuchTable = errno === 1146;
  if (noSuchTable) return new Error('The database has no Muster tables yet: run npm run migrate.');
  return sqlMessage === undefined ? error : new Error(`The database returned an error: ${sqlMessage}`);
}
