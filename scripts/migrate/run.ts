import { type DatabaseRole, grantRights } from '../../db/access/grants.js';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { databaseUrlError } from '../../db/client/hosts/host-urls.js';
import { migrate } from '../../db/migrations/index.js';
import { type CliContext, reportError } from '../text/command-line.js';
import { type Accounts, help, readCommandLine } from './command-line.js';

/**
 * Runs one command line.
 * @returns the exit code
 */
export async function runMigrate(args: readonly string[], { env, out, err }: CliContext): Promise<number> {
  try {
    const accounts = readCommandLine(args);
    const say = (text: string) => out.write(`${text}\n`);
    out.write(accounts ? await migrateAndGrant(env.DATABASE_URL, accounts, say) : `${help}\n`);
    return 0;
  } catch (error) {
    return reportError(error, 'npm run migrate --', err);
  }
}

/**
 * Returns what was done.
 * @throws Error in one line
 */
async function migrateAndGrant(
  url: string | undefined,
  accounts: Accounts,
  say: (text: string) => void,
): Promise<string> {
  if (!url)
    throw new Error(
      'Set DATABASE_URL to the database to migrate: mysql://owner:password@host:port/database. npm start migrates its own database.',
    );
  const invalid = databaseUrlError(url);
  if (invalid) throw new Error(`DATABASE_URL ${invalid}.`);
  const database = connectDatabase(url, { acquireTimeoutMs: 30_000 });
  try {
    const names = await migrate(database, say);
    const granted = await grantAll(database, accounts);
    return `${names.length === 0 ? 'The schema is up to date.' : `Migrated: ${names.join(', ')}`}\n${granted}`;
  } catch (error) {
    const { sqlMessage, message } = error as Error & { sqlMessage?: string };
    throw new Error(`The database cannot be migrated: ${sqlMessage ?? message}`);
  } finally {
    await database.destroy();
  }
}

/** Runs after each migration, because new tables need new rights. */
async function grantAll(database: Database, accounts: Accounts): Promise<string> {
  const roles = Object.keys(accounts) as DatabaseRole[];
  if (roles.length === 0) return '';
  const [[row]] = await database.raw('SELECT DATABASE() AS name');
  const schema = `\`${row.name.replaceAll('`', '``')}\``;
  for (const role of roles) await grantRights(database, schema, accounts[role] as string, role);
  return `Rights granted to ${roles.map((role) => accounts[role]).join(' and ')}.\n`;
}
