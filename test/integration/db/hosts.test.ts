import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database, hostsOf } from '../../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { DatabaseHosts } from '../../../db/client/hosts/database-hosts.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startDatabaseDoor } from '../../support/servers/database-door.js';
import { until } from '../../support/until.js';

type Door = Awaited<ReturnType<typeof startDatabaseDoor>>;

let own: TestDatabase;
let doors: [Door, Door];
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database.raw('CREATE TABLE notes (id INT PRIMARY KEY)');
  doors = [await startDatabaseDoor(own.url), await startDatabaseDoor(own.url)];
});
afterAll(async () => {
  await doors[1].stop();
  await own.drop();
});

/** Returns hosts of which the first one is in use, and the pools that they open for checks. */
function hostsFrom(urls: readonly string[]) {
  for (;;) {
    const opened: Database[] = [];
    const open = (url: string): Database => {
      opened.push(connectDatabase(url, { poolMax: 1, acquireTimeoutMs: 500, statementTimeoutMs: 500 }));
      return opened.at(-1) as Database;
    };
    const hosts = new DatabaseHosts(urls, open);
    if (hosts.current === urls[0]) return { hosts, opened };
  }
}

/** Counts how often a pool is asked for a connection. */
function countAcquired(database: Database): () => number {
  let count = 0;
  const acquire = database.client.acquireConnection.bind(database.client);
  database.client.acquireConnection = () => {
    count += 1;
    return acquire();
  };
  return () => count;
}

test('a check of a host that does not respond ends with its first statement, and the process moves', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = new URL(doors[1].url);
  url.port = String((silent.address() as AddressInfo).port);
  const { hosts, opened } = hostsFrom([url.href, doors[1].url]);
  const release = hosts.use();
  const checking = hosts.check();
  const acquired = countAcquired(opened[0] as Database);
  await checking;
  expect(hosts.current).toBe(doors[1].url);
  // Two checks in a row. The first one asked before the count began.
  expect(acquired()).toBeLessThan(3);
  release();
  silent.close();
});

test('a check that is under way when the last pool is closed leaves no connection', async () => {
  const { hosts, opened } = hostsFrom([doors[1].url, doors[0].url]);
  const release = hosts.use();
  const checking = hosts.check();
  release();
  await checking;
  await until('all pools are closed', () => opened.every(({ client }) => client.pool === undefined));
});

test('processes whose host is lost spread over the other hosts', async () => {
  const lost = new URL(doors[0].url);
  lost.port = '1';
  const moved = new Set<string>();
  for (let process = 0; process < 50 && moved.size < 2; process++) {
    const { hosts } = hostsFrom([lost.href, doors[0].url, doors[1].url]);
    const release = hosts.use();
    await hosts.check();
    release();
    moved.add(hosts.current);
  }
  expect(moved).toEqual(new Set(doors.map(({ url }) => url)));
});

test('a transaction fails when its host does, and the next one is done on another host', async () => {
  const hosts = doors.map(({ url }) => new URL(url).host).join();
  const url = doors[0].url.replace(new URL(doors[0].url).host, hosts);
  const database = connectDatabase(url);
  const insert = (id: number) =>
    inTransaction(database, (transaction) => transaction('notes').insert({ id }));
  if (hostsOf(url)?.current === doors[1].url) doors.reverse();
  const error = await inTransaction(database, async (transaction) => {
    await transaction('notes').insert({ id: 1 });
    await doors[0].stop();
    await transaction('notes').insert({ id: 2 });
  }).catch((reason) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  await insert(3);
  expect(hostsOf(url)?.current).toBe(doors[1].url);
  expect(await own.database('notes').pluck('id')).toEqual([3]);
  await database.destroy();
});
