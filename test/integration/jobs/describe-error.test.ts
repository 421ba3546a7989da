import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { insertIdentities } from '../../../db/identities/upsert-identities.js';
import { describeError } from '../../../workers/process/describe-error.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

test('an error of the database is logged without its values', async () => {
  const assertion = {
    integrationId: 7,
    identity: 'secret-name',
    first: null,
    email: null,
    repeats: 0,
    changes: 0,
    place: 1,
  };
  const inserted = own.database.transaction((transaction) =>
    insertIdentities(transaction, [assertion, assertion], 1, false),
  );
  const error = await inserted.catch((reason: Error) => reason);
  expect((error as Error).message).toContain('secret-name');
  expect(describeError(error)).toEqual({ name: 'Error', code: 'ER_DUP_ENTRY' });
});
