import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { selectWithin } from '../../../db/client/limit-time.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startDatabaseDoor } from '../../support/servers/database-door.js';

const CONNECTIONS = 3;
const TIMEOUT_MS = 500;

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database.raw('CREATE TABLE notes (id INT PRIMARY KEY AUTO_INCREMENT, note VARCHAR(20))');
});
afterAll(async () => {
  await own.drop();
  // The driver's timers of statements whose connection was lost.
  await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS));
});
beforeEach(() => {
  database = connectDatabase(own.url, { poolMax: CONNECTIONS, statementTimeoutMs: TIMEOUT_MS });
});
afterEach(() => database.destroy());

/** Opens connections and has them killed by another process, while this one cannot notice. */
async function killIdle(): Promise<void> {
  const ids = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const [[row]] = await database.raw('SELECT CONNECTION_ID() AS id, SLEEP(0.1)');
      return row.id as number;
    }),
  );
  expect(new Set(ids).size).toBe(CONNECTIONS);
  const { hostname, port, username, password, searchParams } = new URL(own.url);
  const socketPath = searchParams.get('socketPath');
  const where = socketPath ? { socketPath } : { host: hostname, port: Number(port) };
  const options = { ...where, user: username, password: decodeURIComponent(password) };
  const script = `
    import mysql from 'mysql2/promise';
    const connection = await mysql.createConnection(${JSON.stringify(options)});
    for (const id of ${JSON.stringify(ids)}) await connection.query('KILL CONNECTION ?', [id]);
    await connection.end();`;
  const { NODE_OPTIONS, ...env } = process.env;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { env });
}

test.each([
  ['a query', () => database('notes').select('note')],
  ['the first row', () => database('notes').first('note')],
  ['raw SQL', () => database.raw('SELECT 1')],
  ['a look-up with its own limit', () => selectWithin(database, database('notes').select('note'), 5_000)],
])('%s whose connection was killed is sent again on another one', async (_, read) => {
  await killIdle();
  await expect(read().then(() => 'read')).resolves.toBe('read');
});

test('a query is sent again until no connection that was open can be dead', async () => {
  const door = await startDatabaseDoor(own.url);
  const behind = connectDatabase(door.url, { poolMax: CONNECTIONS, statementTimeoutMs: 5_000 });
  const read = () => behind('notes').select('note');
  try {
    door.killConnections(CONNECTIONS, 'select `note`');
    expect(await read()).toEqual([]);
    door.killConnections(CONNECTIONS + 1, 'select `note`');
    await expect(read()).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
    expect(await read()).toEqual([]);
  } finally {
    await behind.destroy();
    await door.stop();
  }
});

test('a write is not sent again, and fails as if the database were unavailable', async () => {
  await killIdle();
  const error = await database('notes')
    .insert({ note: 'a' })
    .then(
      () => null,
      (reason: unknown) => reason,
    );
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(await own.database('notes').select('id')).toEqual([]);
});

test('nothing is sent again in a transaction', async () => {
  const transaction = await database.transaction();
  const [[{ id }]] = await transaction.raw('SELECT CONNECTION_ID() AS id');
  await own.database.raw('KILL CONNECTION ?', [id]);
  const error = await transaction('notes')
    .select('id')
    .then(
      () => null,
      (reason: unknown) => reason,
    );
  expect(isDatabaseUnavailable(error)).toBe(true);
  await transaction.rollback().catch(() => {});
  expect(await database('notes').select('id')).toEqual([]);
});
