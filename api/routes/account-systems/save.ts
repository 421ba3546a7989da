import type { Knex } from 'knex';
import {
  type AccountSystem,
  type AccountSystemSettings,
  countAccountSystems,
  findAccountSystemByName,
  saveAccountSystem,
} from '../../../db/identities/account-systems.js';
import type { Author } from '../../../db/webhooks/author.js';
import { conflict } from '../../http/errors.js';

/** The console reads all names at once. */
const MAX_NAMED = 1_000;

/**
 * Saves the name of an account system, in a transaction that no other change by name is in.
 * @throws RequestError 409 `name_in_use`, `too_many_account_systems`
 */
export async function save(
  transaction: Knex.Transaction,
  wanted: AccountSystemSettings & { integrationId: number },
  { before, author }: { before: AccountSystem | null; author: Author },
): Promise<void> {
  const holder = await findAccountSystemByName(transaction, wanted.name);
  if (holder && holder.integrationId !== before?.integrationId) throw nameInUse(holder);
  if (!before && (await countAccountSystems(transaction)) >= MAX_NAMED)
    throw conflict(
      'too_many_account_systems',
      `${MAX_NAMED.toLocaleString('en-US')} account systems have names, the most there can be. Nothing was changed. Delete a name that is not used.`,
    );
  await saveAccountSystem(transaction, wanted, { before, author });
}

const nameInUse = ({ name, integrationId }: AccountSystem) =>
  conflict(
    'name_in_use',
    `The account system ${integrationId} has the name ${JSON.stringify(name)}. Nothing was changed.`,
  );

export const numberInUse = ({ name, integrationId }: AccountSystem) =>
  conflict(
    'number_in_use',
    `The account system ${integrationId} has the name ${JSON.stringify(name)} already. Nothing was changed. To rename it, change the document of that name.`,
  );
