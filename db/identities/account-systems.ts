import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';

/** Who saved it. */
interface Author {
  id: string;
  name: string;
}

/** What somebody says of an account system. Its accounts do not depend on it. */
export interface AccountSystemSettings {
  /** No other account system has it. */
  name: string;
  /** See `workers/text/account-system-kinds.ts`. */
  kind: string;
  /** The pattern of the URLs of accounts, see `workers/text/account-url.ts`. */
  accountUrl: string | null;
  /** Where the file is kept from which it comes, such as the address of a repository; null: nobody keeps one. */
  managedBy: string | null;
}

/** An account system with a name. */
export interface AccountSystem extends AccountSystemSettings {
  integrationId: number;
  /** Counts the changes. */
  revision: number;
  savedBy: Author | null;
  updatedAt: Date;
}

const TABLE = 'account_systems';

/** Returns the account systems that have names, by number. */
export async function listAccountSystems(
  database: Database,
  { limit, after = 0 }: { limit: number; after?: number | undefined },
): Promise<AccountSystem[]> {
  const rows = await database(TABLE)
    .where('integration_id', '>', after)
    .orderBy('integration_id')
    .limit(limit);
  return rows.map(toAccountSystem);
}

/** Returns the account system of a number, or null if it has no name. */
export async function findAccountSystem(
  database: Database,
  integrationId: number,
): Promise<AccountSystem | null> {
  const row = await database(TABLE).where({ integration_id: integrationId }).first();
  return row ? toAccountSystem(row) : null;
}

/** Returns the account system of a name, or null if there is none. */
export async function findAccountSystemByName(
  database: Database,
  name: string,
): Promise<AccountSystem | null> {
  const row = await database(TABLE).where({ name }).first();
  return row ? toAccountSystem(row) : null;
}

export async function countAccountSystems(database: Database): Promise<number> {
  const [row] = await database(TABLE).count({ count: '*' });
  return Number(row?.count ?? 0);
}

/**
 * Saves an account system.
 * @param before what is replaced; null: it has no name yet. Its number may be another one
 * @throws an error for which `isDuplicateKey` is true if another one has the name or the number
 */
export async function saveAccountSystem(
  database: Database,
  { integrationId, ...settings }: AccountSystemSettings & { integrationId: number },
  { before, author }: { before: AccountSystem | null; author: Author },
): Promise<void> {
  const row = {
    integration_id: integrationId,
    name: settings.name,
    kind: settings.kind,
    account_url: settings.accountUrl,
    managed_by: settings.managedBy,
    revision: (before?.revision ?? 0) + 1,
    saved_by_id: author.id,
    saved_by_name: author.name,
    updated_at: new Date(),
  };
  if (before) await database(TABLE).where({ integration_id: before.integrationId }).update(row);
  else await database(TABLE).insert(row);
}

/** Takes the name of an account system away. Its accounts stay. */
export async function deleteAccountSystem(database: Database, integrationId: number): Promise<void> {
  await database(TABLE).where({ integration_id: integrationId }).delete();
}

const toAccountSystem = (row: Tables['account_systems']): AccountSystem => ({
  integrationId: Number(row.integration_id),
  name: row.name,
  kind: row.kind,
  accountUrl: row.account_url,
  managedBy: row.managed_by,
  revision: row.revision,
  savedBy: row.saved_by_id === null ? null : { id: row.saved_by_id, name: row.saved_by_name ?? '' },
  updatedAt: row.updated_at,
});
