import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/connect.js';
import { beatForReplicas, ReadDatabase } from '../../db/replica.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/** Two databases stand for a primary and its replica; what replication would do is done by hand. */
let primary: TestDatabase;
let replica: TestDatabase;
beforeAll(async () => {
  primary = await createTestDatabase();
  replica = await createTestDatabase();
  await beatForReplicas(primary.database);
});
afterAll(async () => {
  await primary.drop();
  await replica.drop();
});

/** Sets the replica back by that much. */
async function lagBy(seconds: number): Promise<void> {
  await replica.database.raw(
    'REPLACE INTO replica_heartbeat SELECT 1, UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND',
    [seconds * 1e6],
  );
}
const open = () => new ReadDatabase(primary.database, replica.database);
const nameOf = async (database: Database): Promise<string> => {
  const [[row]] = await database.raw('SELECT DATABASE() AS name');
  return row.name;
};

test('without a replica it is the primary', async () => {
  expect(await new ReadDatabase(primary.database, null).read(nameOf)).toBe(primary.name);
});

test.each([
  [0, 'replica'],
  [3, 'replica'],
  [6, 'primary'],
  [3_600, 'primary'],
])('%i s behind, the %s serves', async (seconds, which) => {
  await lagBy(seconds);
  expect(await open().read(nameOf)).toBe(which === 'replica' ? replica.name : primary.name);
});

test('a replica that nothing beats to does not serve', async () => {
  await replica.database('replica_heartbeat').delete();
  expect(await open().read(nameOf)).toBe(primary.name);
});

test('it is noticed when a replica falls behind, and when it has caught up', async () => {
  await lagBy(0);
  const reading = open();
  expect(await reading.read(nameOf)).toBe(replica.name);
  await lagBy(60);
  await until('the primary serves', async () => (await reading.read(nameOf)) === primary.name);
  await lagBy(0);
  await until('the replica serves again', async () => {
    await lagBy(0);
    return (await reading.read(nameOf)) === replica.name;
  });
});

test('a replica that is lost while it is read is made up for by the primary', async () => {
  await lagBy(0);
  const lost = connectDatabase(replica.url);
  const reading = new ReadDatabase(primary.database, lost);
  const names = await reading.read(async (database) => {
    if (database !== lost) return nameOf(database);
    const slow = lost.raw('SELECT SLEEP(20)');
    void until('the connection is killed', () => killSleeper());
    return slow;
  });
  expect(names).toBe(primary.name);
  await reading.close();
});

async function killSleeper(): Promise<boolean> {
  const [[found]] = await primary.database.raw(
    "SELECT id FROM information_schema.processlist WHERE db = ? AND info = 'SELECT SLEEP(20)'",
    [replica.name],
  );
  if (found) await primary.database.raw('KILL ?', [found.id]);
  return found !== undefined;
}

test('a replica that cannot be reached costs no answer', async () => {
  const nowhere = connectDatabase('mysql://nobody:none@127.0.0.1:1/nothing');
  const reading = new ReadDatabase(primary.database, nowhere);
  expect(await reading.read(nameOf)).toBe(primary.name);
  await reading.close();
});
