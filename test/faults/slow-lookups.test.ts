import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiKey, SCOPES } from '../../db/access/api-keys.js';
import { Client } from '../support/api/client.js';
import { Fault } from '../support/faults/fault.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses();
}, 60_000);
afterAll(() => muster.stop());

const IDENTITIES = '/v2/developers/identities';

async function newClient(): Promise<Client> {
  return new Client(muster.url, (await createApiKey(muster.database, { name: 'test', scopes: SCOPES })).text);
}

/** Locks the table, which makes every lookup in it run into its time limit, and runs `during`. */
async function whileIdentitiesAreSlow(fault: Fault, during: () => Promise<void>): Promise<void> {
  fault.provoked();
  const connection = await muster.database.client.acquireConnection();
  const run = (sql: string) => muster.database.raw(sql).connection(connection);
  await run('LOCK TABLES identities WRITE');
  try {
    await during();
  } finally {
    await run('UNLOCK TABLES');
    await muster.database.client.releaseConnection(connection);
  }
  fault.report();
}

/** Returns how many lookups wait for the locked table. Upkeep, which deletes rows of it in its first turn, may wait too. */
async function waitingLookups(): Promise<number> {
  const [rows] = await muster.database.raw(
    "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%select%identities%' AND state LIKE '%lock%'",
  );
  return rows.length;
}

const codes = (responses: { status: number; body: { code?: string } }[]) =>
  responses.map(({ status, body }) => `${status} ${body.code}`).sort();

test("one key's slow lookups leave connections for the lists of other keys, and are not reported as an unavailable database", async () => {
  const [greedy, other] = [await newClient(), await newClient()];
  const fault = new Fault("slow lookups of one API key, and another key's lists");
  await whileIdentitiesAreSlow(fault, async () => {
    const slow = Promise.all(Array.from({ length: 12 }, () => greedy.get(`${IDENTITIES}?includeTotal=true`)));
    await until('the lookups run', async () => (await waitingLookups()) >= 3);
    for (let i = 0; i < 5; i++) expect((await fault.response(other.get('/v2/events'))).status).toBe(200);
    expect(await waitingLookups()).toBe(3);
    expect((await other.get('/readyz')).body.database).toBe(true);
    const responses = await slow;
    expect(codes(responses)).toEqual([
      ...Array(9).fill('503 overloaded'),
      ...Array(3).fill('503 search_too_slow'),
    ]);
    for (const { headers } of responses) expect(headers.get('retry-after')).toMatch(/^\d+$/);
  });
}, 60_000);

test('when several keys use up the connections for lookups, further lookups get an overload error', async () => {
  const greedy = [await newClient(), await newClient()];
  const other = await newClient();
  await other.get('/v2/events');
  const fault = new Fault('slow lookups on all connections for lookups');
  await whileIdentitiesAreSlow(fault, async () => {
    const slow = Promise.all(
      greedy.flatMap((client) => [client.get(IDENTITIES), client.get(IDENTITIES), client.get(IDENTITIES)]),
    );
    await until('all connections for lookups are in use', async () => (await waitingLookups()) === 6);
    const response = await fault.response(other.get('/v2/events'));
    expect([response.status, response.body.code]).toEqual([503, 'overloaded']);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await other.get('/readyz')).body.database).toBe(true);
    expect((await other.get('/v2/keys')).status).toBe(200);
    expect(codes(await slow)).toEqual(Array(6).fill('503 search_too_slow'));
  });
}, 60_000);
