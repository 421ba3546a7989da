import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type Processes, startProcesses } from '../../support/servers/processes.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

let replica: TestDatabase;
let muster: Processes;
beforeAll(async () => {
  replica = await createTestDatabase();
  muster = await startProcesses({ env: { DATABASE_READ_URL: replica.url, DATABASE_READ_MAX_LAG_S: '5' } });
}, 60_000);
afterAll(async () => {
  await muster.stop();
  await replica.drop();
});

const identities = '/v2/developers/identities';

test('workers write heartbeats to the primary; once replicated, the replica serves reads', async () => {
  const beat = () => muster.database('replica_heartbeat').first('beat_at');
  await until('a worker writes a heartbeat', async () => (await beat()) !== undefined);
  const record = { email: 'ann@example.com', integrationId: 7, identity: 'octo' };
  expect((await muster.client.json('PATCH', identities, [record])).status).toBe(200);
  expect((await muster.client.get(identities)).body.data).toMatchObject([record]);

  const replicate = async () =>
    replica.database.raw('REPLACE INTO replica_heartbeat VALUES (1, ?)', [(await theRow(beat())).beat_at]);
  await until('the replica, which has no identities, serves reads', async () => {
    await replicate();
    return (await muster.client.get(identities)).body.data.length === 0;
  });

  const prefer = 'read=primary, wait=30';
  const page = await muster.client.get(identities, { prefer });
  expect(page.body.data).toMatchObject([record]);
  expect(page.headers.get('preference-applied')).toBe('read=primary');
  const file = await muster.client.get(identities, { prefer, accept: 'text/csv' });
  expect([file.status, file.text.trimEnd().split('\n').length]).toEqual([200, 2]);
  expect(file.headers.get('preference-applied')).toBe('read=primary, wait=30');
  const job = await muster.client.json('POST', `${identities}/exports`, {}, { prefer });
  expect(job.body.data.counts).toMatchObject({ rows: 1 });
  // A write always goes to the primary, so there is nothing to prefer.
  const write = await muster.client.json('PATCH', identities, [record], { prefer });
  expect(write.headers.get('preference-applied')).toBe('wait=30');
});
