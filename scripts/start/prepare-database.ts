import { ensureFirstKey } from '../../api/access/first-key.js';
import { findApiKeyByHash, hashKeyText } from '../../db/access/api-keys.js';
import { grantRights } from '../../db/access/grants.js';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { migrate } from '../../db/migrations/index.js';
import { accounts } from '../private-servers/passwords.js';

export interface PrepareOptions {
  /** With the account that owns the tables. */
  ownerUrl: string;
  /** Whether it is the private database, whose accounts get their rights here. */
  isPrivate: boolean;
  /** The first API key, with all scopes. */
  apiKey: string;
  /** Receives a line about each migration that takes long. */
  say?: (text: string) => void;
}

/**
 * Prepares the database for the API and the workers: tables, rights and first key. Can be repeated.
 * @returns whether that key is valid: somebody may have revoked it
 * @throws Error in one line
 */
export async function prepareDatabase({
  ownerUrl,
  isPrivate,
  apiKey,
  say,
}: PrepareOptions): Promise<boolean> {
  const database = connectDatabase(ownerUrl);
  try {
    await migrate(database, say);
    if (isPrivate) await grantAll(database);
    await ensureFirstKey(database, apiKey);
    const found = await findApiKeyByHash(database, hashKeyText(apiKey));
    return found?.revokedAt === null && (found.expiresAt === null || found.expiresAt > new Date());
  } catch (error) {
    const where = isPrivate ? 'The private database' : 'The database of DATABASE_URL';
    throw new Error(`${where} cannot be used: ${reasonOf(error)}`);
  } finally {
    await database.destroy();
  }
}

/** Returns the server's message, without the statement that knex puts before it. */
function reasonOf(error: unknown): string {
  const { sqlMessage, message } = error as Error & { sqlMessage?: string };
  return sqlMessage ?? message;
}

async function grantAll(owner: Database): Promise<void> {
  for (const role of ['api', 'worker'] as const) {
    await grantRights(owner, 'muster', `'${accounts[role]}'@'localhost'`, role);
  }
}
