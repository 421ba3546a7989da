import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { ageFeed } from '../../support/api/follower.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { IMPORT_CHUNK_ROWS: '2' } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() => stack.database('identities').delete());

jest.setTimeout(60_000);

const path = '/v2/developers/identities';
const record = (email: string, identity: string) => ({ email, integrationId: 7, identity });
const put = (...records: object[]) => client.json('PATCH', path, records);
const remove = (...identities: string[]) =>
  client.json(
    'DELETE',
    path,
    identities.map((identity) => ({ integrationId: 7, identity })),
  );
const revert = (jobId: string, query = '', headers: Record<string, string> = {}) =>
  client.send('POST', `/v2/jobs/${jobId}/revert${query}`, { headers: { prefer: 'wait=30', ...headers } });
const owners = async () =>
  Object.fromEntries(
    (await client.get(path)).body.data.map((row: Record<string, string>) => [row.identity, row.email]),
  );

test('a revert restores the owners of before, and skips what a later upload has asserted', async () => {
  await put(record('ann@example.com', 'a'), record('ann@example.com', 'b'), record('ann@example.com', 'c'));
  const before = await owners();
  const { jobId } = (
    await put(
      record('bob@example.com', 'a'),
      record('bob@example.com', 'b'),
      record('bob@example.com', 'new'),
    )
  ).body;
  // The same owner again: a later upload asserts it all the same.
  await put(record('bob@example.com', 'b'));

  const dry = await revert(jobId, '?dryRun=true');
  expect(dry.body.data).toMatchObject({ dryRun: true, counts: { total: 3, restored: 2, skipped: 1 } });
  expect(await owners()).toEqual({
    ...before,
    a: 'bob@example.com',
    b: 'bob@example.com',
    new: 'bob@example.com',
  });

  const response = await revert(jobId);
  expect(response.status).toBe(200);
  expect(response.body.data).toMatchObject({
    type: 'identity-revert',
    state: 'completed',
    dryRun: false,
    revertOf: jobId,
    counts: { total: 3, restored: 2, skipped: 1 },
  });
  expect(await owners()).toEqual({ ...before, b: 'bob@example.com' });
  const header = 'integrationId,identity,before,after,outcome,index\n';
  const { changes, skipped } = response.body.data.links;
  expect((await client.get(changes)).text).toBe(
    `${header}7,a,bob@example.com,ann@example.com,restored,0\n7,new,bob@example.com,,restored,2\n`,
  );
  expect((await client.get(skipped)).text).toBe(`${header}7,b,bob@example.com,bob@example.com,skipped,1\n`);
});

test('a revert can be repeated, which restores nothing, and can be reverted itself', async () => {
  await put(record('ann@example.com', 'a'), record('ann@example.com', 'b'));
  const { jobId } = (await remove('a', 'b', 'unknown')).body;
  const first = await revert(jobId);
  expect(first.body.data.counts).toEqual({ total: 2, restored: 2, skipped: 0 });
  expect(first.body.data.links.skipped).toBe(undefined);
  expect(await owners()).toEqual({ a: 'ann@example.com', b: 'ann@example.com' });
  expect((await revert(jobId)).body.data.counts).toEqual({ total: 2, restored: 0, skipped: 2 });
  const last = await revert(first.body.jobId);
  expect(last.body.data.counts).toMatchObject({ restored: 2 });
  expect(await owners()).toEqual({});
  const { body } = await client.get(`/v2/jobs?revertOf=${first.body.jobId}`);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([last.body.jobId]);
  expect((await client.get(`/v2/jobs?revertOf=${jobId}`)).body.data).toHaveLength(2);
  expect((await client.get(`/v2/jobs?revertOf=${last.body.jobId}`)).body.data).toEqual([]);
  expect((await client.get('/v2/jobs?revertOf=00000000-0000-7000-8000-000000000000')).status).toBe(404);
});

test('an upload that is accepted after the revert wins over what it restored', async () => {
  await put(record('ann@example.com', 'a'));
  const { jobId } = (await put(record('bob@example.com', 'a'))).body;
  await revert(jobId);
  expect((await put(record('eve@example.com', 'a'))).body.counts).toMatchObject({ updated: 1 });
  expect(await owners()).toEqual({ a: 'eve@example.com' });
});

test('a tombstone stays while the changes of its removal can be reverted', async () => {
  await put(record('ann@example.com', 'a'));
  const { jobId } = (await remove('a')).body;
  const longAgo = new Date(Date.now() - 3 * 24 * 60 * 60 * 1_000);
  // Removed three days ago. Earlier uploads are older still.
  const acceptance = longAgo.getTime() * 1_000;
  await stack.database('jobs').whereNot({ id: jobId }).update({ changes_bytes: null });
  await stack.database('jobs').where({ id: jobId }).update({ acceptance });
  await stack.database('identities').update({ updated_at: longAgo, asserted_by: acceptance });
  await doUpkeep(stack.worker as WorkerServices);
  expect((await revert(jobId)).body.data.counts).toMatchObject({ restored: 1 });
  expect(await owners()).toEqual({ a: 'ann@example.com' });
});

test('a job that has not ended, was a dry run, has no changes or has expired cannot be reverted', async () => {
  const outcome = async (id: string) => {
    const { status, body } = await revert(id);
    return [status, body.code];
  };
  const dry = await client.json('PATCH', `${path}?dryRun=true`, [record('ann@example.com', 'a')]);
  expect(await outcome(dry.body.jobId)).toEqual([409, 'job_was_dry_run']);
  const exported = await client.send('POST', `${path}/exports`);
  expect(await outcome(exported.body.jobId)).toEqual([404, 'not_found']);
  const { jobId } = (await put(record('ann@example.com', 'a'))).body;
  const row = stack.database('jobs').where({ id: jobId });
  const { finished_at } = await theRow(row.clone().first());
  await row.clone().update({ finished_at: null, state: 'running' });
  expect(await outcome(jobId)).toEqual([409, 'job_not_finished']);
  await row.clone().update({ finished_at, state: 'completed', expires_at: new Date(Date.now() - 1_000) });
  expect(await outcome(jobId)).toEqual([410, 'result_expired']);
  await row.clone().update({ expires_at: null, changes_bytes: null });
  expect(await outcome(jobId)).toEqual([404, 'not_found']);
});

test('the changes of a revert are deleted once the feed no longer needs them, and its ledger with its job', async () => {
  const { jobId } = (await put(record('ann@example.com', 'a'))).body;
  const job_id = (await revert(jobId)).body.jobId;
  const job = stack.database('jobs').where({ id: job_id });
  const left = async () => [
    (await stack.database('job_steps').where({ job_id })).length,
    (await stack.database('import_changes').where({ job_id })).length,
  ];
  expect(await left()).toEqual([1, 1]);
  await job.clone().update({ expires_at: new Date(Date.now() - 1_000) });
  await doUpkeep(stack.worker as WorkerServices);
  expect(await left()).toEqual([1, 1]);
  await ageFeed(stack.database);
  await doUpkeep(stack.worker as WorkerServices);
  expect(await left()).toEqual([1, 0]);
  const longAgo = new Date(Date.now() - 91 * 24 * 60 * 60 * 1_000);
  await job.clone().update({ created_at: longAgo, finished_at: longAgo });
  await doUpkeep(stack.worker as WorkerServices);
  expect(await left()).toEqual([0, 0]);
});

test('the changes of a job are kept while a revert of it is open', async () => {
  const { jobId } = (await put(record('ann@example.com', 'a'))).body;
  const row = stack.database('jobs').where({ id: jobId });
  const { acceptance } = await theRow(row.clone().first());
  const revertId = (await revert(jobId)).body.jobId;
  await stack.database('jobs').where({ id: revertId }).update({ state: 'running', finished_at: null });
  await row.clone().update({ expires_at: new Date(Date.now() - 1_000) });
  await ageFeed(stack.database);
  const left = () => stack.database('import_changes').where({ job_id: jobId });
  await doUpkeep(stack.worker as WorkerServices);
  expect(await left()).toHaveLength(1);
  await stack.database('jobs').where({ acceptance }).update({ state: 'completed', finished_at: new Date() });
  await doUpkeep(stack.worker as WorkerServices);
  expect(await row.clone().first()).toMatchObject({ results_removed_at: expect.any(Date) });
  expect(await left()).toEqual([]);
});

test('a repeated request with the same key reverts once, and a key may not revert without the scope', async () => {
  const { jobId } = (await put(record('ann@example.com', 'a'))).body;
  const once = { 'idempotency-key': 'revert-1' };
  const first = await revert(jobId, '', once);
  const again = await revert(jobId, '', once);
  expect(again.body.jobId).toBe(first.body.jobId);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const reader = await Client.of(stack, 'developer_records:read');
  expect((await reader.send('POST', `/v2/jobs/${jobId}/revert`)).status).toBe(403);
});
