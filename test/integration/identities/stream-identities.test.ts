import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { streamIdentities } from '../../../db/identities/stream-identities.js';
import { fillIdentities } from '../../support/api/identities.js';
import { startFreezableDatabase } from '../../support/faults/freezable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { until } from '../../support/until.js';

/**
 * More than fits in the buffers between the server and this process, so that the stream is still running when it is
 * cut.
 */
const ROWS = 150_000;
/** After this time without data, the database is probed. */
const SILENT_MS = 400;
const SORT = { key: 'email', order: 'asc' } as const;
let own: TestDatabase;
let pool: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  await fillIdentities(own.database, ROWS);
  pool = connectDatabase(own.url, { poolMax: 1 });
}, 60_000);
afterAll(async () => {
  await pool.destroy();
  await own.drop();
});

const countAll = async (): Promise<number> => {
  let rows = 0;
  for await (const batch of streamIdentities(pool, {}, SORT)) rows += batch.length;
  return rows;
};

/** Returns the server's id of the connection that streams. */
async function streamingId(): Promise<number> {
  const [rows] = await own.database.raw(
    "SELECT id FROM information_schema.processlist WHERE db = ? AND command = 'Query' AND info LIKE 'select `email`%'",
    [own.name],
  );
  return rows[0].id;
}

test('every row is returned once', async () => {
  const seen = new Set<string>();
  for await (const batch of streamIdentities(pool, { integrationIds: [1, 2] }, SORT))
    for (const [, integrationId, identity] of batch) seen.add(`${integrationId}/${identity}`);
  const stored = await pool('identities').whereIn('integration_id', [1, 2]).count({ total: '*' }).first();
  expect(seen.size).toBe(Number(stored?.total));
});

test.each(['KILL CONNECTION', 'KILL QUERY'])(
  '%s in mid-stream fails it, and the next one is whole',
  async (kill) => {
    const reading = (async () => {
      let rows = 0;
      for await (const batch of streamIdentities(pool, {}, SORT)) {
        if (rows === 0) await own.database.raw(`${kill} ${await streamingId()}`);
        rows += batch.length;
      }
      return rows;
    })();
    const error = await reading.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Object);
    if (kill === 'KILL CONNECTION') expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await countAll()).toBe(ROWS);
  },
);

test('a stream that is abandoned early closes its connection, and a pool of one opens another', async () => {
  for await (const batch of streamIdentities(pool, {}, SORT)) {
    expect(batch.length).toBeGreaterThan(0);
    break;
  }
  expect(await countAll()).toBe(ROWS);
  await until('the connection that was left is gone', async () => {
    const [rows] = await own.database.raw('SELECT id FROM information_schema.processlist WHERE db = ?', [
      own.name,
    ]);
    return rows.length <= 2;
  });
});

test('if the database freezes during a stream, the stream fails as unavailable', async () => {
  const proxy = await startFreezableDatabase(own.url);
  const through = connectDatabase(proxy.url);
  const reading = (async () => {
    for await (const _ of streamIdentities(through, {}, SORT, SILENT_MS)) proxy.freeze();
  })();
  const error = await reading.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(isDatabaseUnavailable(error)).toBe(true);
  proxy.stop();
  await through.destroy();
});

test('a SELECT that sends nothing for a while continues, because the database responds to the probe', async () => {
  const through = connectDatabase(own.url);
  const locking = connectDatabase(own.url, { poolMax: 1 });
  await locking.raw('LOCK TABLES identities WRITE');
  const released = sleep(4 * SILENT_MS).then(() => locking.raw('UNLOCK TABLES'));
  let rows = 0;
  for await (const batch of streamIdentities(through, {}, SORT, SILENT_MS)) rows += batch.length;
  expect(rows).toBe(ROWS);
  await released;
  await Promise.all([locking.destroy(), through.destroy()]);
});
