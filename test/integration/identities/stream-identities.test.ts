import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { IdentityCellRows, streamIdentities } from '../../../db/identities/stream-identities.js';
import { CsvTable } from '../../../workers/export/csv.js';
import { CsvRows } from '../../../workers/export/csv-rows.js';
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
  for await (const batch of streamIdentities(pool, {}, SORT, new IdentityCellRows())) rows += batch.length;
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
  for await (const batch of streamIdentities(pool, { integrationIds: [1, 2] }, SORT, new IdentityCellRows()))
    for (const [, integrationId, identity] of batch) seen.add(`${integrationId}/${identity}`);
  const stored = await pool('identities').whereIn('integration_id', [1, 2]).count({ total: '*' }).first();
  expect(seen.size).toBe(Number(stored?.total));
});

test('the CSV made of the bytes of rows is the one made of the cells that the driver reads', async () => {
  const integrationId = Number.MAX_SAFE_INTEGER;
  const texts = ['"', '"",\r', "'=1", '＝a\nb', ' x ', '\u0000', '用'.repeat(84), '😀'.repeat(190), 'é'];
  const rows = texts.map((text, at) => ({
    email: `${text}@example.com`,
    integration_id: integrationId,
    identity: `${text}${at}`,
  }));
  await pool('identities').insert(rows.map((row) => ({ ...row, asserted_by: 1 })));
  const filters = { integrationIds: [integrationId] };
  const cells = await pool('identities')
    .where({ integration_id: integrationId })
    .orderBy('email')
    .select('email', 'integration_id', 'identity');
  expect(cells.length).toBe(rows.length);
  for (const escaped of [[], ['email', 'identity']]) {
    const table = new CsvTable(['email', 'integrationId', 'identity'], escaped);
    let text = '';
    for await (const { bytes } of streamIdentities(pool, filters, SORT, new CsvRows(table))) text += bytes;
    expect(text).toBe(table.lines(cells.map((cell) => [cell.email, cell.integration_id, cell.identity])));
  }
  await pool('identities').where({ integration_id: integrationId }).delete();
});

test.each(['KILL CONNECTION', 'KILL QUERY'])(
  '%s in mid-stream fails it, and the next one is whole',
  async (kill) => {
    const reading = (async () => {
      let rows = 0;
      for await (const batch of streamIdentities(pool, {}, SORT, new IdentityCellRows())) {
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
  for await (const batch of streamIdentities(pool, {}, SORT, new IdentityCellRows())) {
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
    for await (const _ of streamIdentities(through, {}, SORT, new IdentityCellRows(), SILENT_MS))
      proxy.freeze();
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
  for await (const batch of streamIdentities(through, {}, SORT, new IdentityCellRows(), SILENT_MS))
    rows += batch.length;
  expect(rows).toBe(ROWS);
  await released;
  await Promise.all([locking.destroy(), through.destroy()]);
});
