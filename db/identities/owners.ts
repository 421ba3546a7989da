import type { Database } from '../client/connect.js';

/** Accounts in one query. */
const ACCOUNTS = 2_000;

/** Returns who owns accounts of an account system, by account. One that is not stored, or was removed, is missing. */
export async function findOwners(
  database: Database,
  integrationId: number,
  identities: readonly string[],
): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  for (let from = 0; from < identities.length; from += ACCOUNTS) {
    const rows = await database('identities')
      .where('integration_id', integrationId)
      .whereIn('identity', identities.slice(from, from + ACCOUNTS))
      .select('identity', 'email');
    for (const { identity, email } of rows) if (email !== null) owners.set(identity, email);
  }
  return owners;
}
