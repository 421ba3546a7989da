import {
  type AccountSystem,
  deleteAccountSystem,
  findAccountSystem,
  findAccountSystemByName,
} from '../../../db/identities/account-systems.js';
import { hashJson } from '../../http/entity-tag.js';
import { changesBetween } from '../by-name/document-changes.js';
import { byNameRoutes, dryRunQuery, type Stored } from '../by-name/routes.js';
import {
  type AccountSystemDocument,
  accountSystemDocument,
  accountSystemName,
  knownKind,
  withKind,
} from './document.js';
import { numberInUse, save } from './save.js';

interface StoredSystem extends Stored<AccountSystemDocument> {
  system: AccountSystem;
}

export const {
  get: getAccountSystemByName,
  put: putAccountSystemByName,
  remove: deleteAccountSystemByName,
} = byNameRoutes({
  one: 'account system',
  object: 'account_system',
  many: 'account-systems',
  title: 'AccountSystem',
  scopes: { read: ['developer_records:read'], write: ['developer_records:write'] },
  name: accountSystemName,
  document: accountSystemDocument,
  documented: accountSystemDocument.meta({ id: 'AccountSystemDocument' }),
  maxBytes: 64 * 1024,
  query: dryRunQuery,
  presented: {},
  saved: {},
  notes: {
    put: 'A `name` that differs from that of the URL renames the account system, and another `integrationId` gives the name to another one. An account system has one name: with a number that has another one, the response is 409 `number_in_use`.',
    delete: 'Only its name is deleted: its accounts stay',
  },
  find: async (_services, database, name): Promise<StoredSystem | null> => {
    const system = await findAccountSystemByName(database, name);
    if (!system) return null;
    const { integrationId, kind, accountUrl, managedBy, revision, savedBy, updatedAt } = system;
    const document = {
      name,
      integrationId,
      kind: knownKind(kind),
      accountUrl,
      managedBy,
    };
    return { system, document, tag: hashJson(document), revision, savedBy, updatedAt };
  },
  idOf: ({ system }) => String(system.integrationId),
  check: async ({ principal }, given) => {
    const wanted = withKind(given);
    return {
      plan: async (transaction, before) => {
        const holder = await findAccountSystem(transaction, wanted.integrationId);
        if (holder && holder.integrationId !== before?.system.integrationId) throw numberInUse(holder);
        return {
          changes: changesBetween(before?.document ?? null, wanted),
          save: () => save(transaction, wanted, { before: before?.system ?? null, author: principal }),
        };
      },
    };
  },
  present: async () => ({}),
  remove: (transaction, { system }) => deleteAccountSystem(transaction, system.integrationId),
});
