import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { Services } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() => stack.database('identities').delete());

jest.setTimeout(60_000);

const path = '/v2/developers/identities';
const record = (email: string, identity: string) => ({ email, integrationId: 7, identity });
const put = (...records: object[]) => client.json('PATCH', path, records);
const history = (identity: string, query = '') =>
  client.get(`${path}/history?integrationId=7&identity=${encodeURIComponent(identity)}${query}`);

test('each change of the owner is listed, newest first, with its job, key, time and owners', async () => {
  const created = await put(record('ann@example.com', 'Ada/L'));
  await put(record('ann@example.com', 'Ada/L'));
  const updated = await put(record('bob@example.com', 'Ada/L'), record('bob@example.com', 'other'));
  await client.json('PATCH', `${path}?dryRun=true`, [record('dry@example.com', 'Ada/L')]);
  const removed = await client.json('DELETE', path, [{ integrationId: 7, identity: 'Ada/L' }]);
  const revert = await client.send('POST', `/v2/jobs/${removed.body.jobId}/revert`, {
    headers: { prefer: 'wait=30' },
  });
  const { body } = await history('Ada/L');
  const key = (await client.get('/v2/keys/current')).body.data;
  const apiKey = { id: key.id, name: key.name };
  expect(body.data).toMatchObject([
    { jobId: revert.body.jobId, outcome: 'created', before: null, after: 'bob@example.com', apiKey },
    { jobId: removed.body.jobId, outcome: 'removed', before: 'bob@example.com', after: null, apiKey },
    {
      jobId: updated.body.jobId,
      outcome: 'updated',
      before: 'ann@example.com',
      after: 'bob@example.com',
      apiKey,
    },
    { jobId: created.body.jobId, outcome: 'created', before: null, after: 'ann@example.com', apiKey },
  ]);
  const times = body.data.map((entry: { changedAt: string }) => entry.changedAt);
  expect([...times].sort().reverse()).toEqual(times);
  expect(Math.abs(Date.parse(times[0]) - Date.now())).toBeLessThan(30_000);
  expect((await history('ada/l')).body).toMatchObject({ data: [], retentionDays: 400 });
});

test('pages continue exactly where the previous one ended', async () => {
  for (let at = 0; at < 7; at++) await put(record(`owner${at}@example.com`, 'paged'));
  // All at the same moment: the job decides.
  await stack.database('identity_history').update({ changed_at: '2026-01-01 00:00:00.123456' });
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await history('paged', `&pageSize=3${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map(({ after }: { after: string }) => after));
    expect(body.data[0].changedAt).toBe('2026-01-01T00:00:00.123456Z');
    cursor = body.page.nextCursor ?? '';
  } while (cursor);
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `owner${at}@example.com`));
});

test('invalid parameters are all reported', async () => {
  const { status, body } = await client.get(`${path}/history?integrationId=x`);
  expect([status, body.code]).toEqual([400, 'invalid_query']);
  expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'identity',
    'integrationId',
  ]);
});

test('history is deleted after its retention, and with a retention of 0 days none is recorded', async () => {
  await put(record('ann@example.com', 'old'), record('ann@example.com', 'young'));
  const old = stack.database('identity_history').where({ identity: 'old' });
  await old.clone().update({ changed_at: new Date(Date.now() - 401 * 24 * 60 * 60 * 1_000) });
  await doUpkeep(stack.worker as Services);
  expect([(await history('old')).body.data.length, (await history('young')).body.data.length]).toEqual([
    0, 1,
  ]);

  const silent = await startStack({ env: { IDENTITY_HISTORY_DAYS: '0' } });
  try {
    const quiet = await Client.of(silent);
    await quiet.json('PATCH', path, [record('ann@example.com', 'a')]);
    expect(await silent.database('identity_history')).toEqual([]);
    const { body } = await quiet.get(`${path}/history?integrationId=7&identity=a`);
    expect(body).toMatchObject({ data: [], retentionDays: 0 });
  } finally {
    await silent.stop();
  }
});
