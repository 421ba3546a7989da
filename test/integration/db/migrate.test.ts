import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = testDatabase.database;
});
afterAll(() => testDatabase.drop());

test('a schema that is up to date is not changed', async () => {
  expect(await migrate(database)).toEqual([]);
});

test('a migration that was killed in the middle is run again: its lock and its tables do not stop it', async () => {
  const names = (await database('knex_migrations').orderBy('id')).map(({ name }) => name);
  await database('knex_migrations').delete();
  await database('knex_migrations_lock').update({ is_locked: 1 });
  expect(await migrate(database)).toEqual(names);
});

test('several hosts that migrate at once do not disturb each other', async () => {
  await database('knex_migrations').delete();
  const hosts = [1, 2, 3].map(() => connectDatabase(testDatabase.url));
  const ran = await Promise.all(hosts.map((host) => migrate(host)));
  expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
  await Promise.all(hosts.map((host) => host.destroy()));
});
