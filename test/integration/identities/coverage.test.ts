import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isTooSlow } from '../../../db/client/errors.js';
import { listIntegrationIds, readCoverage } from '../../../db/identities/coverage.js';
import { Client } from '../../support/api/client.js';
import { fillIdentities, insertIdentities } from '../../support/api/identities.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const LIST = '/v2/integrations/coverage';
const coverageOf = (integrationId: number | string) => `/v2/integrations/${integrationId}/coverage`;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const csv = (...rows: string[]) => `email,integrationId,identity\n${rows.join('\n')}\n`;

test('coverage counts accounts, owners and removed accounts, and names the last upload and its key', async () => {
  const uploaded = await client.upload(
    csv('ada@example.com,7,ada', 'ada@example.com,7,ada-l', 'bob@example.com,7,bob', 'bob@example.com,8,bob'),
  );
  expect(uploaded.status).toBe(200);
  const before = await client.get(coverageOf(7));
  expect(before.body.data).toEqual({
    integrationId: 7,
    accounts: 3,
    owners: 2,
    removed: 0,
    lastUpload: {
      acceptedAt: expect.stringMatching(/Z$/),
      jobId: uploaded.body.jobId,
      apiKey: { id: expect.any(String), name: 'test' },
      uploadLink: null,
    },
  });
  const age = Date.now() - Date.parse(before.body.data.lastUpload.acceptedAt);
  expect(Math.abs(age)).toBeLessThan(60_000);

  const removed = await client.json('DELETE', '/v2/developers/identities', [
    { integrationId: 7, identity: 'bob' },
  ]);
  const after = await client.get(coverageOf(7));
  expect(after.body.data).toMatchObject({
    accounts: 2,
    owners: 1,
    removed: 1,
    lastUpload: { jobId: removed.body.jobId },
  });
  const other = await client.get(coverageOf(8));
  expect(other.body.data).toMatchObject({ accounts: 1, lastUpload: { jobId: uploaded.body.jobId } });
});

test('an upload whose job has been deleted still has its time', async () => {
  const at = Date.UTC(2026, 0, 31, 12);
  await insertIdentities(stack.database, [{ email: 'zoe@example.com', integrationId: 9, identity: 'zoe' }]);
  await stack
    .database('identities')
    .where({ integration_id: 9 })
    .update({ asserted_by: at * 1_000 });
  const { body } = await client.get(coverageOf(9));
  expect(body.data.lastUpload).toEqual({
    acceptedAt: '2026-01-31T12:00:00.000Z',
    jobId: null,
    apiKey: null,
    uploadLink: null,
  });
});

test('the list has every account system once, page by page', async () => {
  const ids: number[] = [];
  for (let path: string | null = `${LIST}?pageSize=2`; path; ) {
    const { body } = await client.get(path);
    expect(body.data.length).toBeLessThanOrEqual(2);
    ids.push(...body.data.map((row: { integrationId: number }) => row.integrationId));
    path = body.page.nextCursor && `${LIST}?pageSize=2&cursor=${body.page.nextCursor}`;
  }
  expect(ids).toEqual([7, 8, 9]);
  const { body } = await client.get(LIST);
  expect(body.data[0]).toEqual((await client.get(coverageOf(7))).body.data);
});

test('an account system without accounts has zeros, and an invalid id is not found', async () => {
  expect((await client.get(coverageOf(12_345))).body.data).toEqual({
    integrationId: 12_345,
    accounts: 0,
    owners: 0,
    removed: 0,
    lastUpload: null,
  });
  for (const id of ['0', '-1', '7.0', 'seven', '9007199254740992'])
    expect((await client.get(coverageOf(id))).status).toBe(404);
});

test('coverage requires developer_records:read and rejects a foreign cursor', async () => {
  const other = await Client.of(stack, 'alerts:read');
  expect((await other.get(LIST)).status).toBe(403);
  expect((await other.get(coverageOf(7))).status).toBe(403);
  const { body } = await client.get('/v2/developers/identities?pageSize=1');
  const rejected = await client.get(`${LIST}?cursor=${body.page.nextCursor}`);
  expect([rejected.status, rejected.body.code]).toEqual([400, 'invalid_cursor']);
});

test('the queries read only the range of an account system and stop at their time limit', async () => {
  await stack.database('identities').truncate();
  await fillIdentities(stack.database, 100_000);
  expect(await listIntegrationIds(stack.database, { limit: 10, withinMs: 1_000 })).toEqual([1, 2, 3]);
  const explained = async (sql: string) =>
    (await stack.database.raw(`EXPLAIN FORMAT=TRADITIONAL ${sql}`))[0][0];
  const ids =
    'SELECT DISTINCT integration_id FROM identities WHERE integration_id > 0 ORDER BY integration_id LIMIT 51';
  expect(await explained(ids)).toMatchObject({
    key: 'PRIMARY',
    Extra: expect.stringMatching(/for group-by/),
  });
  const counts = 'SELECT COUNT(*), COUNT(email), COUNT(DISTINCT email), MAX(asserted_by) FROM identities';
  expect(await explained(`${counts} WHERE integration_id = 2`)).toMatchObject({
    key: 'PRIMARY',
    type: 'ref',
  });
  const error = await stack.database.transaction(async (transaction) => {
    await transaction.raw('LOCK TABLES identities WRITE');
    const failed = await readCoverage(stack.database, 2, 100).catch((reason: unknown) => reason);
    await transaction.raw('UNLOCK TABLES');
    return failed;
  });
  expect(isTooSlow(error)).toBe(true);
  await stack.database.raw("UPDATE identities SET email = CONCAT(identity, '@example.com')");
  const partly = await withSlowOwners();
  expect(partly).toMatchObject({ accounts: expect.any(Number), owners: null });
});

/**
 * Returns the first coverage without owners as the time limit grows: counting them takes longer than the rest. If they are counted too, because the
 * machine was busy at the limits before, the limit grows from the start again.
 */
async function withSlowOwners() {
  for (let [tries, withinMs] = [0, 4]; tries < 1_000; tries++) {
    const coverage = await readCoverage(stack.database, 2, withinMs).catch((error) => {
      if (!isTooSlow(error)) throw error;
      return null;
    });
    if (coverage?.owners === null) return coverage;
    withinMs = coverage ? 4 : withinMs + 2;
  }
  throw new Error('never counted without owners');
}
