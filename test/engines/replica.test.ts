import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { startReplicated, whyNoReplica } from '../support/servers/replicated.js';
import { until } from '../support/until.js';

const PATH = '/v2/developers/identities';
const PRIMARY = { prefer: 'read=primary' };

describeEngine('MariaDB with an asynchronous replica', whyNoReplica(), () => {
  let servers: Awaited<ReturnType<typeof startReplicated>>;
  let muster: Processes;
  let replica: Database;
  beforeAll(async () => {
    servers = await startReplicated();
    muster = await startProcesses({
      servers: { databaseUrl: servers.primaryUrl, redisUrl: process.env.TEST_REDIS_URL as string },
      readUrl: servers.replicaUrl,
    });
    const [[{ name }]] = await muster.database.raw('SELECT DATABASE() AS name');
    replica = connectDatabase(servers.replicaUrl(name));
  });
  afterAll(async () => {
    await replica?.destroy();
    await muster?.stop();
    await servers?.stop();
  });

  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      email: `p${from + i}@example.com`,
      integrationId: 1,
      identity: `account-${from + i}`,
    }));
  /** Returns the number of rows of an export that is requested now. */
  const exported = async (headers = {}): Promise<number> => {
    const response = await muster.client.get(PATH, { accept: 'text/csv', ...headers });
    expect(response.status).toBe(200);
    return response.text.trimEnd().split('\n').length - 1;
  };
  const listed = async (headers = {}): Promise<number> =>
    (await muster.client.get(`${PATH}?pageSize=1&includeTotal=true`, headers)).body.page.total;

  test('an export or list right after the 200 of an import has all of its rows', async () => {
    for (let i = 0; i < 5; i++) {
      expect((await muster.client.json('PATCH', PATH, rows(i * 1_000, 1_000))).status).toBe(200);
      expect(await listed()).toBe((i + 1) * 1_000);
      expect(await exported()).toBe((i + 1) * 1_000);
    }
  });

  test('the same while the replica has stopped applying changes: the primary is read', async () => {
    await servers.pause();
    expect((await muster.client.json('PATCH', PATH, rows(5_000, 1_000))).status).toBe(200);
    expect(await exported()).toBe(6_000);
    expect(await listed()).toBe(6_000);
  });

  test('once the replica has caught up, it serves lists and exports again', async () => {
    await servers.resume();
    await until(
      'it has caught up',
      async () => (await replica('identities').count({ n: '*' }))[0]?.n === 6_000,
    );
    // A row that only the replica has shows which one is read.
    const [one] = await replica('identities').limit(1);
    await replica('identities').insert({ ...one, identity: 'only-on-the-replica' });
    await until('lists come from the replica', async () => (await listed()) === 6_001);
    await until('exports come from the replica', async () => (await exported()) === 6_001);
  });

  test('a request with Prefer: read=primary is served by the primary', async () => {
    expect([await listed(PRIMARY), await exported(PRIMARY)]).toEqual([6_000, 6_000]);
    expect([await listed(), await exported()]).toEqual([6_001, 6_001]);
  });
});
