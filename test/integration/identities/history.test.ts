import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { up as addUploads } from '../../../db/migrations/021-identity-uploads.js';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(async () => {
  for (const table of ['identities', 'identity_history', 'identity_uploads'])
    await stack.database(table).delete();
});

jest.setTimeout(60_000);

const DAY_MS = 24 * 60 * 60 * 1_000;
const path = '/v2/developers/identities';
const record = (email: string, identity: string) => ({ email, integrationId: 7, identity });
const put = (...records: object[]) => client.json('PATCH', path, records);
/** The owner before and after each entry, newest first. */
const ownersOf = ({ data }: { data: { before: string | null; after: string | null }[] }) =>
  data.map(({ before, after }) => [before, after]);
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
  const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  await stack
    .database('identity_history')
    .update({ changed_at: stack.database.raw('?', [`${day} 00:00:00.123456`]) });
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await history('paged', `&pageSize=3${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map(({ after }: { after: string }) => after));
    expect(body.data[0].changedAt).toBe(`${day}T00:00:00.123456Z`);
    cursor = body.page.nextCursor ?? '';
  } while (cursor);
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `owner${at}@example.com`));
});

test('the entry of a new account stays the same when it is copied into the history, also between two pages', async () => {
  await put(record('ann@example.com', 'a'));
  await client.json('DELETE', path, [{ integrationId: 7, identity: 'a' }]);
  // As upkeep deletes removed accounts.
  await stack.database('identities').delete();
  await put(record('bob@example.com', 'a'));
  const count = () => stack.database('identity_history').count({ rows: '*' });
  expect(await count()).toEqual([{ rows: 2 }]);
  const first = (await history('a', '&pageSize=1')).body;
  expect(ownersOf(first)).toEqual([[null, 'bob@example.com']]);
  await put(record('cem@example.com', 'a'));
  expect(await count()).toEqual([{ rows: 4 }]);
  const next = (await history('a', `&pageSize=1&cursor=${first.page.nextCursor}`)).body;
  expect(ownersOf(next)).toEqual([['ann@example.com', null]]);
  const all = (await history('a')).body;
  expect(ownersOf(all)).toEqual([
    ['bob@example.com', 'cem@example.com'],
    [null, 'bob@example.com'],
    ['ann@example.com', null],
    [null, 'ann@example.com'],
  ]);
  expect(all.data.slice(1, 3)).toEqual([...first.data, ...next.data]);
});

test('an account that a worker of an earlier release has changed does not count as created with its present owner', async () => {
  await put(record('ann@example.com', 'a'));
  const later = stack.database.raw('created_at + INTERVAL 1 SECOND');
  await stack.database('identities').update({ email: 'bob@example.com', updated_at: later });
  expect((await history('a')).body.data).toEqual([]);
  await put(record('cem@example.com', 'a'));
  expect(ownersOf((await history('a')).body)).toEqual([['bob@example.com', 'cem@example.com']]);
});

test('the migration keeps the accounts and the history that there are, and can run again', async () => {
  await put(record('ann@example.com', 'a'));
  await put(record('bob@example.com', 'a'));
  const before = (await history('a')).body.data;
  await stack.database.raw('ALTER TABLE identities DROP COLUMN created_by');
  await stack.database.raw('DROP TABLE identity_uploads');
  for (let time = 0; time < 2; time++) await addUploads(stack.database);
  expect((await history('a')).body.data).toEqual(before);
  await put(record('cem@example.com', 'a'), record('dan@example.com', 'b'));
  expect((await history('a')).body.data.slice(1)).toEqual(before);
  expect(ownersOf((await history('b')).body)).toEqual([[null, 'dan@example.com']]);
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
  await put(...['unchanged', 'moved', 'young'].map((identity) => record('ann@example.com', identity)));
  const expired = new Date(Date.now() - 401 * DAY_MS);
  const old = stack.database('identities').whereNot({ identity: 'young' });
  await old.update({ created_at: expired, updated_at: expired });
  await put(record('bob@example.com', 'moved'));
  // The numbers of uploads that were accepted then, and so long before that none of their accounts is newer.
  const [job] = await stack.database('identity_uploads');
  for (const days of [401, 431])
    await stack
      .database('identity_uploads')
      .insert({ ...job, acceptance: (Date.now() - days * DAY_MS) * 1_000 });
  const lengths = async () =>
    Promise.all(['unchanged', 'moved', 'young'].map(async (of) => (await history(of)).body.data.length));
  expect(await lengths()).toEqual([0, 1, 1]);
  await doUpkeep(stack.worker as WorkerServices);
  expect(await lengths()).toEqual([0, 1, 1]);
  expect(await stack.database('identity_history').pluck('email_after')).toEqual(['bob@example.com']);
  expect(await stack.database('identity_uploads')).toHaveLength(2);

  const silent = await startStack({ env: { IDENTITY_HISTORY_DAYS: '0' } });
  try {
    const quiet = await Client.of(silent);
    await quiet.json('PATCH', path, [record('ann@example.com', 'a')]);
    await quiet.json('PATCH', path, [record('bob@example.com', 'a')]);
    for (const table of ['identity_history', 'identity_uploads'])
      expect(await silent.database(table)).toEqual([]);
    const { body } = await quiet.get(`${path}/history?integrationId=7&identity=a`);
    expect(body).toMatchObject({ data: [], retentionDays: 0 });
  } finally {
    await silent.stop();
  }
});
