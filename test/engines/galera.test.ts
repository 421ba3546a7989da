import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectDatabase, type Database, hostsOf } from '../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { inTransaction } from '../../db/client/transaction.js';
import { compareMigrations, migrate } from '../../db/migrations/index.js';
import { freePort } from '../../scripts/processes/free-port.js';
import { Client } from '../support/api/client.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type Galera, startGalera, whyNoGalera } from '../support/servers/galera.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const PATH = '/v2/developers/identities';
/** Short, so that the tests do not wait for half a minute. */
const KEEP_JOBS_S = 3;

describeEngine('Galera, 3 nodes', whyNoGalera(), () => {
  let galera: Galera;
  let nodes: Database[];
  /** An API and a worker on the first node, an API on the second. */
  let muster: Processes;
  let other: Client;
  let onNode: (index: number) => Record<string, string>;
  beforeAll(async () => {
    galera = await startGalera();
    nodes = galera.urls.map((url) => connectDatabase(url));
    muster = await startProcesses({
      servers: { databaseUrl: galera.urls[0] as string, redisUrl: process.env.TEST_REDIS_URL as string },
      env: { DATABASE_KEEP_JOBS_S: String(KEEP_JOBS_S) },
    });
    const [[{ name }]] = await muster.database.raw('SELECT DATABASE() AS name');
    onNode = (index) => ({
      DATABASE_URL: Object.assign(new URL(galera.urls[index] as string), { pathname: name }).href,
    });
    const port = await freePort();
    muster.start('api', { ...onNode(1), PORT: String(port) });
    other = new Client(`http://127.0.0.1:${port}`, muster.key);
    await until(
      'the API on the second node is ready',
      async () => (await other.get('/readyz').catch(() => null))?.status === 200,
    );
  });
  afterAll(async () => {
    await Promise.all((nodes ?? []).map((node) => node.destroy()));
    await muster?.stop();
    await galera?.stop();
  });

  test('three hosts that migrate through three nodes at once do not disturb each other', async () => {
    const ran = await Promise.all(nodes.map((node) => migrate(node)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    for (const node of nodes) expect((await compareMigrations(node)).missing).toEqual([]);
  });

  test('a host that is killed while it migrates delays the others by 10 s', async () => {
    const [first, , third] = nodes as [Database, Database, Database];
    await first('knex_migrations').where('name', '017-identity-mirrors').delete();
    await first('migration_lock').update({ holder: randomUUID() });
    const startedAt = Date.now();
    expect(await migrate(third)).toEqual(['017-identity-mirrors']);
    expect(Date.now() - startedAt).toBeGreaterThan(8_000);
  });

  test('one Idempotency-Key through two nodes takes effect once; meanwhile the others get 409', async () => {
    const create = (client: Client, key: string) =>
      client.json('POST', '/v2/webhooks', { name: key }, { 'idempotency-key': key });
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) {
      const responses = await Promise.all(
        [muster.client, other, muster.client, other, muster.client, other].map((client) =>
          create(client, `key-${i}`),
        ),
      );
      statuses.push(...responses.map(({ status }) => status));
    }
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    const rows = await muster.database('webhooks').count({ n: '*' });
    expect(rows[0]?.n).toBe(40);
  });

  test('overlapping uploads through two nodes end as the later accepted one of each account', async () => {
    const second = muster.start('workers', onNode(1));
    const owner = new Map<string, string>();
    const jobs: string[] = [];
    for (let upload = 0; upload < 8; upload++) {
      const records = Array.from({ length: 3_000 }, (_, i) => ({
        email: `upload-${upload}@example.com`,
        integrationId: 1,
        identity: `account-${upload * 500 + i}`,
      }));
      for (const { identity, email } of records) owner.set(identity, email);
      const client = upload % 2 === 0 ? muster.client : other;
      const { status, body } = await client.json('PATCH', PATH, records, { prefer: 'respond-async' });
      expect(status).toBe(202);
      jobs.push(body.jobId);
    }
    for (const id of jobs) expect((await other.jobEnd(id)).body.data.state).toBe('completed');
    for (const index of [0, 1, 2]) expect(await ownersOn(index)).toEqual(owner);
    await end(second);
  });

  test('the jobs of a worker whose node is killed are done by a worker on another node', async () => {
    const [worker] = muster.workers as [ChildProcess];
    await end(worker);
    const cutOff = muster.start('workers', onNode(1));
    const lines = Array.from({ length: 60_000 }, (_, i) => `late-${i}@example.com,2,late-${i}\n`);
    const csv = `email,integrationId,identity\n${lines.join('')}`;
    const { status, body } = await muster.client.upload(csv, '', { prefer: 'respond-async' });
    expect(status).toBe(202);
    await until('the worker is at it', async () => (await read(body.jobId)).state === 'running');
    await galera.kill(1);
    muster.start('workers');
    const { data } = (await muster.client.jobEnd(body.jobId)).body;
    expect(data).toMatchObject({ state: 'completed', counts: { created: 60_000 } });
    await end(cutOff, 'SIGKILL');
    await galera.restart(1);
    const late = await Promise.all([0, 1, 2].map((index) => ownersOn(index, 2)));
    expect(late.map(({ size }) => size)).toEqual([60_000, 60_000, 60_000]);
    expect(late[1]).toEqual(late[0]);
    expect(late[2]).toEqual(late[0]);
  });

  test('what a transaction wrote before its node left the group is not committed after the node has rejoined', async () => {
    const [first, , third] = nodes as [Database, Database, Database];
    await first.raw('CREATE TABLE notes (id INT PRIMARY KEY)');
    // One connection, as the next transaction of a busy worker gets the one that has just become free.
    const database = connectDatabase(galera.urls[2] as string, { poolMax: 1 });
    const error = await inTransaction(database, async (transaction) => {
      await transaction('notes').insert({ id: 1 });
      await isolate(2, 1);
      await until('the node has left', async () => !(await isReady(third)), 30_000);
      await transaction('notes').insert({ id: 2 });
    }).catch((reason) => reason);
    expect(isDatabaseUnavailable(error)).toBe(true);
    await isolate(2, 0);
    await until('the node has rejoined', () => isReady(third), 30_000);
    await inTransaction(database, (transaction) => transaction('notes').insert({ id: 3 }));
    await database.destroy();
    expect(await first('notes').pluck('id')).toEqual([3]);
  });

  describe('a process that knows all three nodes', () => {
    const moves: string[] = [];
    let url: string;
    let pools: Database[];
    beforeAll(() => {
      const hosts = galera.urls.map((one) => new URL(one).host);
      url = (galera.urls[0] as string).replace(hosts[0] as string, hosts.join());
      hostsOf(url)?.onMove(({ from, to }) => moves.push(`${from} to ${to}`));
    });
    beforeEach(() => {
      moves.length = 0;
      pools = [connectDatabase(url), connectDatabase(url, { statementTimeoutMs: 1_500 })];
    });
    afterEach(() => Promise.all(pools.map((pool) => pool.destroy())));

    /** Returns the index of the node that a pool uses. */
    const indexOf = async (pool: Database): Promise<number> => {
      const [[{ name }]] = await pool.raw('SELECT @@wsrep_node_name AS name');
      return Number(name.slice('node-'.length));
    };

    const faults: [string, (index: number) => Promise<unknown>, (index: number) => Promise<unknown>][] = [
      ['is killed', (index) => galera.kill(index), (index) => galera.restart(index)],
      ['is cut off from the others', (index) => isolate(index, 1), (index) => isolate(index, 0)],
      [
        'is made read-only',
        (index) => (nodes[index] as Database).raw('SET GLOBAL read_only = 1'),
        (index) => (nodes[index] as Database).raw('SET GLOBAL read_only = 0'),
      ],
    ];
    test.each(faults)('goes on with another node when its own %s', async (_, disturb, mend) => {
      const [one, two] = pools as [Database, Database];
      const index = await indexOf(one);
      expect(await indexOf(two)).toBe(index);
      const waiting = one.raw('SELECT SLEEP(60)').catch((reason) => reason);
      await until('the statement waits', async () => one.client.pool.numUsed() === 1);
      await disturb(index);
      const since = performance.now();
      await until('the process has moved', () => moves.length > 0);
      const moved = performance.now() - since;
      expect(isDatabaseUnavailable(await waiting)).toBe(true);
      const now = await indexOf(one);
      expect([now === index, await indexOf(two)]).toEqual([false, now]);
      await inTransaction(one, (transaction) => transaction('notes').insert({ id: nextNote++ }));
      console.log(`moved after ${(moved / 1_000).toFixed(1)} s: ${moves}`);
      await mend(index);
      await until(
        'all nodes are ready',
        async () => (await Promise.all(nodes.map(isReady))).every(Boolean),
        60_000,
      );
      // It stays where it is: moving breaks off what is in progress.
      expect([moves.length, await indexOf(two)]).toEqual([1, now]);
    });
  });

  let nextNote = 10;
  const isReady = (node: Database) =>
    node('notes').then(
      () => true,
      () => false,
    );
  /** Cuts a node off from the other nodes, or ends that. */
  const isolate = (index: number, isolated: 0 | 1) =>
    (nodes[index] as Database).raw(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${isolated}'`);

  const read = async (id: string) => (await muster.client.get(`/v2/jobs/${id}`)).body.data;

  /** Returns the owner of each account, as one node has it. */
  async function ownersOn(index: number, integrationId = 1): Promise<Map<string, string | null>> {
    const node = connectDatabase(onNode(index).DATABASE_URL as string);
    try {
      const rows = await node('identities')
        .where({ integration_id: integrationId })
        .select('identity', 'email');
      return new Map(rows.map(({ identity, email }) => [identity, email]));
    } finally {
      await node.destroy();
    }
  }
});
