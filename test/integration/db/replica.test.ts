import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { isStatementTimeout, PoolExhausted } from '../../../db/client/errors.js';
import { openProbe } from '../../../db/client/probe.js';
import { beatForReplicas, ReadDatabase } from '../../../db/client/replica/replica.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { until } from '../../support/until.js';

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
const open = () => new ReadDatabase(primary.database, replica.database, { maxLagMs: 5_000 });
const nameOf = async (database: Database): Promise<string> => {
  const [[row]] = await database.raw('SELECT DATABASE() AS name');
  return row.name;
};

test('without a replica, reads use the primary', async () => {
  expect(await new ReadDatabase(primary.database, null).read(nameOf)).toBe(primary.name);
});

test('without a lag that is allowed, a replica whose position is unknown is not used', async () => {
  await lagBy(0);
  expect(await new ReadDatabase(primary.database, replica.database).read(nameOf)).toBe(primary.name);
});

test.each([
  [0, 'replica'],
  [3, 'replica'],
  [6, 'primary'],
  [3_600, 'primary'],
])('at a lag of %i s, reads use the %s', async (seconds, which) => {
  await lagBy(seconds);
  expect(await open().read(nameOf)).toBe(which === 'replica' ? replica.name : primary.name);
});

test('a replica without heartbeats is not used', async () => {
  await replica.database('replica_heartbeat').delete();
  expect(await open().read(nameOf)).toBe(primary.name);
});

test('a replica that falls behind is not used until it has caught up', async () => {
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

test('if the replica fails during a read, the primary is read instead', async () => {
  await lagBy(0);
  const lost = connectDatabase(replica.url);
  const reading = new ReadDatabase(primary.database, lost, { maxLagMs: 5_000 });
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

test('an unavailable replica fails no request', async () => {
  const nowhere = connectDatabase('mysql://nobody:none@127.0.0.1:1/nothing');
  const reading = new ReadDatabase(primary.database, nowhere);
  expect(await reading.read(nameOf)).toBe(primary.name);
  await reading.close();
});

describe('slow reads', () => {
  const SLOW = 'SELECT SLEEP(20)';
  let small: Database;
  let reading: ReadDatabase;
  beforeEach(async () => {
    await lagBy(0);
    small = connectDatabase(replica.url, { poolMax: 1, acquireTimeoutMs: 300, statementTimeoutMs: 700 });
    reading = new ReadDatabase(primary.database, small, { maxLagMs: 5_000, replica: openProbe(replica.url) });
    expect(await reading.read(nameOf)).toBe(replica.name);
  });
  afterEach(() => reading.close());

  /** Runs a read and returns its error, with the names of the databases that it was tried on. */
  async function failing(work: (database: Database) => Promise<unknown>) {
    const tried: string[] = [];
    const error = await reading
      .read((database) => {
        tried.push(database === small ? 'replica' : 'primary');
        return work(database);
      })
      .then(
        () => null,
        (reason: unknown) => reason,
      );
    return { tried, error };
  }

  test('one that runs out of time on the replica is not repeated on the primary', async () => {
    const { tried, error } = await failing((database) => Promise.resolve(database.raw(SLOW)));
    expect(tried).toEqual(['replica']);
    expect(isStatementTimeout(error)).toBe(true);
  });

  test('one that gets no connection to the replica is not repeated on the primary either', async () => {
    const slow = reading.read((database) => Promise.resolve(database.raw(SLOW))).catch(() => {});
    const { tried, error } = await failing(nameOf);
    expect(tried).toEqual(['replica']);
    expect(error).toBeInstanceOf(PoolExhausted);
    await slow;
  });

  test('they do not make the replica look late: its lag is read over a connection of its own', async () => {
    const slow = failing((database) => Promise.resolve(database.raw(SLOW).timeout(3_000)));
    const chosen: Database[] = [];
    let isSlow = true;
    void slow.then(() => {
      isSlow = false;
    });
    // A lag is believed for 1 s, so this covers several readings of it.
    await until('the slow read has ended', async () => {
      await lagBy(0);
      chosen.push(await reading.choose());
      return !isSlow;
    });
    expect(new Set(chosen)).toEqual(new Set([small]));
  });
});
