import {
  type AccountSystemDocument,
  accountSystemDocument,
  withKind,
} from '../../../api/routes/account-systems/document.js';
import { documentKind } from './document-kind.js';

/** The names of account systems. */
export const accountSystems = documentKind<'account-systems', AccountSystemDocument>({
  one: 'account system',
  kind: 'account-systems',
  secrets: [],
  list: (server) => server.list('/v2/integrations'),
  complete: (content) => withKind(content),
  withReferences: (stored) => stored,
  defaultsOf: ({ name, integrationId, kind }) =>
    withKind(accountSystemDocument.parse({ name, integrationId, kind })),
  required: ['name', 'integrationId'],
});
