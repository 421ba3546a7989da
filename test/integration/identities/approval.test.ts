import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let planner: Client;
beforeAll(async () => {
  stack = await startStack({ env: { APPROVAL_REMOVALS: '2', IMPORT_CHUNK_ROWS: '2' } });
  planner = await Client.of(stack);
});
afterAll(() => stack.stop());

jest.setTimeout(60_000);

const path = '/v2/developers/identities';
const ALL = ['a', 'b', 'c', 'd'];
let uploaded: string;
beforeEach(async () => {
  await stack.database('identities').delete();
  const rows = ALL.map((identity) => ({ email: 'ann@example.com', integrationId: 7, identity }));
  uploaded = (await planner.json('PATCH', path, rows)).body.jobId;
});

const left = async () =>
  (await planner.get(path)).body.data.map(({ identity }: { identity: string }) => identity);
const waiting = { prefer: 'wait=30' };
const remove = (identities: string[], query = '') =>
  planner.json(
    'DELETE',
    `${path}${query}`,
    identities.map((identity) => ({ integrationId: 7, identity })),
  );
const mirror = (query = '') =>
  planner.upload(
    'email,integrationId,identity\nann@example.com,7,a\n',
    `?mode=mirror&integrationIds=7&maxRemovals=5${query}`,
  );
const revert = (query = '') =>
  planner.send('POST', `/v2/jobs/${uploaded}/revert${query}`, { headers: waiting });
const apply = async (as: Client, id: string, reason?: string) => {
  const body = reason === undefined ? null : JSON.stringify({ reason });
  const headers = body ? { 'content-type': 'application/json', ...waiting } : waiting;
  return as.send('POST', `/v2/jobs/${id}/apply`, { headers, body });
};
const approver = () =>
  Client.of(stack, 'developer_records:read', 'developer_records:write', 'developer_records:approve');

test.each([
  ['a removal', (query: string) => remove(['a', 'b', 'c'], query)],
  ['a mirror', mirror],
  ['a revert', revert],
])('%s of more accounts is refused before it writes, and another key applies its plan', async (_, send) => {
  const refused = await send('');
  expect([refused.status, refused.body.code]).toEqual([403, 'approval_required']);
  expect(refused.body.message).toContain('POST /v2/jobs/{id}/apply');
  expect(await left()).toEqual(ALL);

  const dry = await send(
    send === revert || send === mirror ? (send === mirror ? '&dryRun=true' : '?dryRun=true') : '?dryRun=true',
  );
  const planId = dry.body.jobId;
  const own = await apply(planner, planId, 'I think so');
  expect([own.status, own.body.code]).toEqual([403, 'approval_required']);
  const writer = await Client.of(stack, 'developer_records:read', 'developer_records:write');
  expect((await apply(writer, planId, 'Leavers')).body.message).toContain('developer_records:approve');
  const other = await approver();
  expect((await apply(other, planId)).body.message).toContain('reason');
  const reader = await Client.of(stack, 'developer_records:read', 'developer_records:approve');
  expect((await apply(reader, planId, 'Leavers')).body.code).toBe('missing_scope');
  expect(await left()).toEqual(ALL);

  const applied = await apply(other, planId, 'Leavers');
  expect(applied.status).toBe(200);
  expect((await left()).length).toBeLessThan(2);
  const history = await planner.get(`${path}/history?integrationId=7&identity=b`);
  expect(history.body.data[0]).toMatchObject({
    after: null,
    jobId: applied.body.jobId,
    plan: { reason: 'Leavers' },
  });
});

test('fewer removals need no approval', async () => {
  expect((await remove(['a', 'b'])).status).toBe(200);
  const dry = await remove(['c', 'd'], '?dryRun=true');
  expect((await apply(planner, dry.body.jobId)).status).toBe(200);
  expect(await left()).toEqual([]);
});
