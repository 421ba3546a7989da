import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { runReady } from '../../../db/client/statement.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startDatabaseDoor } from '../../support/servers/database-door.js';

let own: TestDatabase;
let door: Awaited<ReturnType<typeof startDatabaseDoor>>;
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database.raw('CREATE TABLE notes (id INT PRIMARY KEY)');
  door = await startDatabaseDoor(own.url);
});
afterAll(async () => {
  await door.stop();
  await own.drop();
});
beforeEach(() => {
  // One connection: the next transaction gets the one of the transaction before it.
  database = connectDatabase(door.url, { poolMax: 1 });
});
afterEach(async () => {
  await database.destroy();
  await own.database('notes').delete();
});

/** Inserts past knex, as the workers' bulk statements do. */
const insert = (transaction: Knex.Transaction, id: number) =>
  runReady(transaction, `INSERT INTO notes VALUES (${id})`);

/** Inserts two rows in one transaction that fails between them. */
const insertHalf = () =>
  inTransaction(database, async (transaction) => {
    await insert(transaction, 1);
    throw new Error('failed in between');
  });

const insertWhole = (id: number) => inTransaction(database, (transaction) => insert(transaction, id));

const stored = () => own.database('notes').orderBy('id').pluck('id');

/* A Galera node that has left its group refuses a statement, and keeps the connection and the transaction open. */

test('a transaction whose ROLLBACK failed is not committed by the next BEGIN on its connection', async () => {
  door.refuse('ROLLBACK');
  await expect(insertHalf()).rejects.toThrow();
  await insertWhole(2);
  expect(await stored()).toEqual([2]);
});

test('the same if there is no response to ROLLBACK', async () => {
  door.swallow('ROLLBACK');
  const error = await insertHalf().catch((reason) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  await insertWhole(2);
  expect(await stored()).toEqual([2]);
});

test('a transaction whose COMMIT failed is not committed later, and leaves no locks', async () => {
  door.refuse('COMMIT;');
  const error = await insertWhole(1).catch((reason) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  // Waits for the row's lock.
  await own.database.raw('SELECT id FROM notes WHERE id = 1 FOR UPDATE');
  expect(await stored()).toEqual([]);
  await insertWhole(2);
  expect(await stored()).toEqual([2]);
});

test('if BEGIN fails, the work is not done: each of its statements would be committed at once', async () => {
  door.refuse('BEGIN;');
  const error = await insertHalf().catch((reason) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  await insertWhole(2);
  expect(await stored()).toEqual([2]);
});

test('MariaDB ends a transaction that has only locked a row if its process sends nothing', async () => {
  const [[{ version }]] = await own.database.raw('SELECT VERSION() AS version');
  // MySQL has no such limit.
  if (!version.includes('MariaDB')) return;
  await own.database('notes').insert({ id: 1 });
  const frozen = connectDatabase(own.url, { endsIdleTransactions: true });
  const held = await frozen.transaction();
  // 10 s would take too long.
  await held.raw('SET SESSION idle_transaction_timeout = @@idle_transaction_timeout DIV 10');
  await held('notes').where({ id: 1 }).forUpdate().first('id');
  // Waits for the row's lock.
  await own.database.raw('SELECT id FROM notes WHERE id = 1 FOR UPDATE');
  const error = await held('notes')
    .insert({ id: 2 })
    .catch((reason: unknown) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  await held.rollback().catch(() => {});
  await frozen.destroy();
  expect(await stored()).toEqual([1]);
});
