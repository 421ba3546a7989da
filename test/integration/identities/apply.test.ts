import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

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
const put = (records: object[], query = '') => client.json('PATCH', `${path}${query}`, records);
const remove = (identities: string[], query = '') =>
  client.json(
    'DELETE',
    `${path}${query}`,
    identities.map((identity) => ({ integrationId: 7, identity })),
  );
const plan = async (...records: object[]) => (await put(records, '?dryRun=true')).body.jobId as string;
const apply = (id: string, query = '', body?: object, as = client) =>
  as.send('POST', `/v2/jobs/${id}/apply${query}`, {
    headers: { prefer: 'wait=30', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const outcome = async (...given: Parameters<typeof apply>) => {
  const { status, body } = await apply(...given);
  return [status, body.code];
};
const owners = async () =>
  Object.fromEntries(
    (await client.get(path)).body.data.map((row: Record<string, string>) => [row.identity, row.email]),
  );

test('applying a plan writes its changes, and refuses the accounts that have changed since', async () => {
  await put([record('ann@example.com', 'a'), record('ann@example.com', 'b'), record('ann@example.com', 'c')]);
  const planId = await plan(
    record('bob@example.com', 'a'),
    record('bob@example.com', 'b'),
    record('ann@example.com', 'c'),
    record('bob@example.com', 'd'),
    record('bob@example.com', 'e'),
  );
  // One has another owner, one is removed and has an owner again, one has the planned owner already.
  await put([
    record('=eve@example.com', 'b'),
    record('eve@example.com', 'd'),
    record('bob@example.com', 'e'),
  ]);
  const before = await owners();
  expect(before.a).toBe('ann@example.com');

  const response = await apply(planId);
  expect(response.status).toBe(200);
  const { links, ...job } = response.body.data;
  expect(job).toMatchObject({
    type: 'identity-apply',
    state: 'completed',
    dryRun: false,
    applyOf: planId,
    counts: { total: 4, created: 0, updated: 1, removed: 0, unchanged: 1, conflicts: 2 },
  });
  expect(await owners()).toEqual({ ...before, a: 'bob@example.com' });
  const header = 'integrationId,identity,before,after,outcome,index';
  expect((await client.get(links.changes)).text).toBe(
    `${header}\n7,a,ann@example.com,bob@example.com,updated,0\n`,
  );
  expect((await client.get(links.conflicts)).text).toBe(
    `${header},owner\n7,b,ann@example.com,bob@example.com,conflict,1,=eve@example.com\n7,d,,bob@example.com,conflict,3,eve@example.com\n`,
  );
  const escaped = await client.get(`${links.conflicts}?escapeFormulas=true`);
  expect(escaped.text).toContain("conflict,1,'=eve@example.com\n");
  expect(escaped.text).toContain('identityEscaped,beforeEscaped,afterEscaped,outcome,index,ownerEscaped');
  const listed = await client.get(`/v2/jobs?applyOf=${planId}`);
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([job.id]);
  expect((await client.get(`/v2/jobs/${planId}/conflicts`)).status).toBe(404);
});

test('with onConflict=abort one conflict is enough to write nothing, and the job names it', async () => {
  await put([record('ann@example.com', 'a'), record('ann@example.com', 'b'), record('ann@example.com', 'c')]);
  const changes = ['a', 'b', 'c', 'd'].map((identity) => record('bob@example.com', identity));
  const planId = await plan(...changes);
  await put([record('eve@example.com', 'c')]);
  const before = await owners();
  const refused = await apply(planId, '?onConflict=abort');
  expect([refused.status, refused.body.code, refused.body.errorCount]).toEqual([409, 'plan_conflicts', 1]);
  expect(refused.body.errors).toEqual([
    {
      index: 2,
      field: 'identity',
      code: 'conflict',
      message:
        'c of account system 7 was to change from ann@example.com to bob@example.com, but it has eve@example.com now',
    },
  ]);
  expect(await owners()).toEqual(before);
  const { links, state } = (await client.get(`/v2/jobs/${refused.body.jobId}`)).body.data;
  expect(state).toBe('failed');
  expect((await client.get(links.conflicts)).text).toContain(
    '7,c,ann@example.com,bob@example.com,conflict,2,eve',
  );
  // It failed, so the plan can be applied once more.
  await put([record('ann@example.com', 'c')]);
  const done = await apply(planId, '?onConflict=abort');
  expect(done.body.data.counts).toMatchObject({ created: 1, updated: 3, conflicts: 0 });
  expect(new Set(Object.values(await owners()))).toEqual(new Set(['bob@example.com']));
  expect((await client.send('POST', `/v2/jobs/${refused.body.jobId}/retry`)).body.code).toBe(
    'already_applied',
  );
});

test('the plans of removals, mirrors and reverts are applied the same way, and applying can be reverted', async () => {
  const all = ['a', 'b', 'c'].map((identity) => record('ann@example.com', identity));
  const { jobId } = (await put(all)).body;
  const removal = (await remove(['a', 'unknown'], '?dryRun=true')).body.jobId;
  const removed = await apply(removal);
  expect(removed.body.data.counts).toMatchObject({ total: 1, removed: 1 });
  expect(Object.keys(await owners())).toEqual(['b', 'c']);
  const mirror = await client.upload(
    'email,integrationId,identity\nbob@example.com,7,b\n',
    '?mode=mirror&integrationIds=7&maxRemovals=5&dryRun=true',
  );
  expect((await apply(mirror.body.jobId, '?onConflict=abort')).body.data.counts).toMatchObject({
    updated: 1,
    removed: 1,
  });
  expect(await owners()).toEqual({ b: 'bob@example.com' });
  const back = await client.send('POST', `/v2/jobs/${removed.body.jobId}/revert`, {
    headers: { prefer: 'wait=30' },
  });
  expect(back.body.data.counts).toMatchObject({ restored: 1 });
  expect(await owners()).toEqual({ a: 'ann@example.com', b: 'bob@example.com' });
  // The revert of the first upload may only touch what nobody has asserted since: nothing is left of that but nothing.
  const revert = await client.send('POST', `/v2/jobs/${jobId}/revert?dryRun=true`, {
    headers: { prefer: 'wait=30' },
  });
  expect(revert.body.data.counts).toMatchObject({ restored: 0 });
});

test('the plan of a revert keeps its rule: an upload that asserted the same owner again is a conflict', async () => {
  const { jobId } = (await put(['a', 'b'].map((identity) => record('ann@example.com', identity)))).body;
  const dry = await client.send('POST', `/v2/jobs/${jobId}/revert?dryRun=true`, {
    headers: { prefer: 'wait=30' },
  });
  expect(dry.body.data.counts).toEqual({ total: 2, restored: 2, skipped: 0, removed: 2 });
  await put([record('ann@example.com', 'b')]);
  const applied = await apply(dry.body.jobId);
  expect(applied.body.data.counts).toEqual({
    total: 2,
    created: 0,
    updated: 0,
    removed: 1,
    unchanged: 0,
    conflicts: 1,
  });
  expect(await owners()).toEqual({ b: 'ann@example.com' });
  expect((await client.get(applied.body.data.links.conflicts)).text).toContain(
    '7,b,ann@example.com,,conflict,1,ann@example.com',
  );
});

test('a plan is applied once, and not if it is none, is not complete or has expired', async () => {
  const planId = await plan(record('ann@example.com', 'a'));
  const [one, other] = await Promise.all([apply(planId), apply(planId)]);
  const refused = one.status === 409 ? one : other;
  const done = one.status === 409 ? other : one;
  expect([done.status, refused.status, refused.body.code]).toEqual([200, 409, 'already_applied']);
  expect(refused.body.jobId).toBe(done.body.jobId);
  expect(await outcome(done.body.jobId)).toEqual([409, 'job_was_not_dry_run']);
  const row = stack.database('jobs').where({ id: await plan(record('bob@example.com', 'a')) });
  const { id } = await theRow(row.clone().first());
  await row.clone().update({ state: 'canceled' });
  expect(await outcome(id)).toEqual([409, 'plan_incomplete']);
  await row.clone().update({ state: 'completed', expires_at: new Date(Date.now() - 1_000) });
  expect(await outcome(id)).toEqual([410, 'result_expired']);
  await row.clone().update({ expires_at: null, changes_bytes: null });
  expect(await outcome(id)).toEqual([404, 'not_found']);
  expect(await owners()).toEqual({ a: 'ann@example.com' });
});

test('an apply that is canceled keeps what it wrote, and the plan can be applied again', async () => {
  const accounts = [...'abcdefghijklmnopqrstuvwx'];
  await put(accounts.map((identity) => record('ann@example.com', identity)));
  const planId = await plan(...accounts.map((identity) => record('bob@example.com', identity)));
  const rows = stack.database('identities').where({ integration_id: 7 });
  const written = async () => Object.values(await owners()).filter((email) => email.startsWith('bob')).length;
  const lock = await stack.database.transaction();
  let jobId = '';
  try {
    await rows.clone().where('identity', 'm').transacting(lock).forUpdate();
    const accepted = await client.send('POST', `/v2/jobs/${planId}/apply`);
    jobId = accepted.body.jobId;
    await until('a chunk is written', async () => (await written()) > 0);
    expect((await client.send('POST', `/v2/jobs/${jobId}/cancel`)).status).toBeLessThan(300);
  } finally {
    await lock.commit();
  }
  const stateOf = async () => (await client.get(`/v2/jobs/${jobId}`)).body.data.state;
  await until('the job has ended', async () => (await stateOf()) === 'canceled');
  const before = await written();
  const again = await apply(planId);
  expect(again.body.data.counts).toMatchObject({
    updated: accounts.length - before,
    unchanged: before,
    conflicts: 0,
  });
  expect(await written()).toBe(accounts.length);
});

test('a plan of which a part is missing is not applied', async () => {
  const planId = await plan(...['a', 'b', 'c', 'd'].map((identity) => record('ann@example.com', identity)));
  await stack.database('import_changes').where({ job_id: planId }).limit(1).delete();
  expect(await outcome(planId)).toEqual([400, 'changes_expired']);
  expect(await owners()).toEqual({});
});

test('upkeep keeps a plan while it is applied', async () => {
  const planId = await plan(record('ann@example.com', 'a'));
  const { jobId } = (await apply(planId)).body;
  await stack.database('jobs').where({ id: jobId }).update({ state: 'running', finished_at: null });
  await stack
    .database('jobs')
    .where({ id: planId })
    .update({ expires_at: new Date(Date.now() - 1_000) });
  const left = () => stack.database('import_changes').where({ job_id: planId });
  await doUpkeep(stack.worker as WorkerServices);
  expect(await left()).toHaveLength(1);
  await stack.database('jobs').where({ id: jobId }).update({ state: 'completed', finished_at: new Date() });
  await doUpkeep(stack.worker as WorkerServices);
  expect(await left()).toEqual([]);
});

test('the history names the plan, who made it and why it was applied', async () => {
  await put([record('ann@example.com', 'a')]);
  const planId = await plan(record('bob@example.com', 'a'), record('bob@example.com', 'new'));
  const other = await Client.of(stack, 'developer_records:write', 'developer_records:read');
  const { jobId } = (await apply(planId, '', { reason: '  Ann has left\n(TICKET-1)' }, other)).body;
  const keyOf = async (of: Client) => {
    const { id, name } = (await of.get('/v2/keys/current')).body.data;
    return { id, name };
  };
  for (const identity of ['a', 'new']) {
    const [latest] = (await client.get(`${path}/history?integrationId=7&identity=${identity}`)).body.data;
    expect(latest).toMatchObject({
      after: 'bob@example.com',
      jobId,
      apiKey: await keyOf(other),
      plan: { jobId: planId, apiKey: await keyOf(client), reason: 'Ann has left\n(TICKET-1)' },
    });
  }
  const entries = (await client.get(`${path}/history?integrationId=7&identity=a`)).body.data;
  expect(entries[1].plan).toBe(null);
  expect(await outcome(planId, '', { reason: 'x'.repeat(501) })).toEqual([400, 'invalid_body']);
});
