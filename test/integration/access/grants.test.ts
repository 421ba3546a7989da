import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DatabaseRole, grantRights } from '../../../db/access/grants.js';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let testDatabase: TestDatabase;
const users: string[] = [];
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  for (const user of users) await testDatabase.database.raw(`DROP USER '${user}'@'localhost'`);
  await testDatabase.drop();
});

/** Opens a connection of an account that only has the privileges of a role. */
async function connectAs(role: DatabaseRole): Promise<Database> {
  const user = `${role}_${randomUUID().slice(0, 8)}`;
  users.push(user);
  await testDatabase.database.raw(`CREATE USER '${user}'@'localhost' IDENTIFIED BY 'x'`);
  await grantRights(testDatabase.database, testDatabase.name, `'${user}'@'localhost'`, role);
  const url = new URL(testDatabase.url);
  url.username = user;
  url.password = 'x';
  return connectDatabase(url.href);
}

const row = { integration_id: 1, identity: 'x', email: 'x@example.com', asserted_by: 1 };

test('the account of the API can read identities, but not write them', async () => {
  const api = await connectAs('api');
  try {
    expect(await api('identities')).toEqual([]);
    for (const write of [
      api('identities').insert(row),
      api('identities').update({ email: null }),
      api('identities').delete(),
      api.raw('TRUNCATE TABLE identities'),
      api('job_steps').delete(),
      api('jobs').delete(),
      api('audit_entries').update({ action: 'x' }),
      api('audit_entries').delete(),
      api('audit_checkpoints').update({ sequence: 1 }),
      api.raw('CREATE TABLE more (id INT)'),
    ]) {
      await expect(write).rejects.toMatchObject({ code: expect.stringMatching(/^ER_.*ACCESS_DENIED/) });
    }
  } finally {
    await api.destroy();
  }
});

test('the account of a worker can write identities, but cannot create keys or tables', async () => {
  const worker = await connectAs('worker');
  try {
    await worker('identities').insert(row);
    expect(await worker('identities').delete()).toBe(1);
    for (const write of [worker('api_keys').insert({ id: 'x' }), worker.raw('DROP TABLE identities')]) {
      await expect(write).rejects.toMatchObject({ code: expect.stringMatching(/^ER_.*ACCESS_DENIED/) });
    }
  } finally {
    await worker.destroy();
  }
});
