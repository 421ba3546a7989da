import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { IMPORT_CHUNK_ROWS: '2' } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const header = 'email,integrationId,identity\n';
const csv = (keys: string, email = 'ann@example.com') =>
  header +
  keys
    .split(' ')
    .map((key) => `${email},${key.replace(':', ',')}\n`)
    .join('');
const mirror = (integrationIds: string, maxRemovals = 100, more = '') =>
  `?mode=mirror&integrationIds=${integrationIds}&maxRemovals=${maxRemovals}${more}`;
const live = async () => {
  const rows = await stack
    .database('identities')
    .whereNotNull('email')
    .orderBy(['integration_id', 'identity']);
  return rows.map((row) => `${row.integration_id}:${row.identity}`).join(' ');
};

beforeEach(async () => {
  await stack.database('identities').delete();
  await client.upload(csv('6:a 7:a 7:b 7:c 7:d 7:e 8:a 8:b 9:a'));
});

test('accounts that the file does not name are removed from the mirrored account systems only', async () => {
  const { status, body } = await client.upload(csv('7:b 7:new', 'bob@example.com'), mirror('7,8'));
  expect(status).toBe(200);
  expect(body.counts).toEqual({
    total: 2,
    created: 1,
    updated: 1,
    unchanged: 0,
    removed: 6,
    superseded: 0,
    rejected: 0,
  });
  expect(await live()).toBe('6:a 7:b 7:new 9:a');
  const again = await client.upload(csv('7:b 7:new', 'bob@example.com'), mirror('7,8', 0));
  expect(again.body.counts).toMatchObject({ unchanged: 2, removed: 0 });
});

test('a nightly mirror leaves tombstones as they are, and an earlier removal of one cannot be reverted after it', async () => {
  const tombstone = () => stack.database('identities').where({ identity: 'a', integration_id: 7 }).first();
  const keys = [{ integrationId: 7, identity: 'a' }];
  const removed = await client.json('DELETE', '/v2/developers/identities', keys);
  const before = await tombstone();
  const night = await client.upload(csv('7:b 7:c 7:d 7:e'), mirror('7', 0));
  expect(night.body.counts).toMatchObject({ unchanged: 4, removed: 0 });
  expect(before).toMatchObject({ email: null });
  expect(await tombstone()).toEqual(before);
  const reverted = await client.send('POST', `/v2/jobs/${removed.body.jobId}/revert`, {
    headers: { prefer: 'wait=30' },
  });
  expect(reverted.body.data?.counts).toEqual({ total: 1, restored: 0, skipped: 1 });
});

test('the removals are in the changes file, without a line, and the job can be reverted', async () => {
  const { body } = await client.upload(csv('7:b 7:c 7:d'), mirror('7'));
  expect((await client.get(body.links.changes)).text).toBe(
    'integrationId,identity,before,after,outcome,line\n7,a,ann@example.com,,removed,\n7,e,ann@example.com,,removed,\n',
  );
  const reverted = await client.send('POST', `/v2/jobs/${body.jobId}/revert`, {
    headers: { prefer: 'wait=30' },
  });
  expect(reverted.body.data?.counts).toEqual({ total: 2, restored: 2, skipped: 0 });
  expect(await live()).toBe('6:a 7:a 7:b 7:c 7:d 7:e 8:a 8:b 9:a');
});

test('a dry run counts and lists the removals, and removes nothing', async () => {
  const dry = await client.upload(csv('7:b 8:b 8:x'), mirror('7,8', 5, '&dryRun=true'));
  expect(dry.body.counts).toMatchObject({ total: 3, created: 1, unchanged: 2, removed: 5 });
  const { text } = await client.get(dry.body.links.changes);
  expect(text.split('\n').filter((line) => line.includes('removed'))).toHaveLength(5);
  expect(await live()).toBe('6:a 7:a 7:b 7:c 7:d 7:e 8:a 8:b 9:a');
  const real = await client.upload(csv('7:b 8:b 8:x'), mirror('7,8', 5));
  expect(real.body.counts).toEqual(dry.body.counts);
});

test.each(['', '&dryRun=true'])('more removals than maxRemovals write nothing %s', async (more) => {
  const { status, body } = await client.upload(csv('7:new', 'bob@example.com'), mirror('7', 4, more));
  expect([status, body.code]).toEqual([400, 'too_many_removals']);
  expect(body.message).toBe(
    'The file does not name 5 accounts of the mirrored account systems, and maxRemovals is 4. Nothing was written. ' +
      'If they really are to be removed, upload the file again with a greater maxRemovals.',
  );
  expect(await live()).toBe('6:a 7:a 7:b 7:c 7:d 7:e 8:a 8:b 9:a');
});

test('a row of another account system is rejected', async () => {
  const file = csv('7:a 9:z');
  const aborted = await client.upload(file, mirror('7'));
  expect([aborted.status, aborted.body.code]).toEqual([400, 'invalid_rows']);
  expect(aborted.body.errors).toEqual([
    {
      line: 3,
      field: 'integrationId',
      code: 'integration_id_not_mirrored',
      message: 'must be one of the mirrored account systems: 7',
    },
  ]);
  const { body } = await client.upload(file, mirror('7', 4, '&onError=continue'));
  expect(body.counts).toMatchObject({ total: 2, unchanged: 1, removed: 4, rejected: 1 });
  expect(await live()).toBe('6:a 7:a 8:a 8:b 9:a');
});

test('with another rejected row no account is removed, because the row may name it', async () => {
  const file = `${csv('7:a 7:new')}nobody,7,b\n`;
  const { body } = await client.upload(file, mirror('7', 100, '&onError=continue'));
  expect(body.counts).toMatchObject({ total: 3, created: 1, unchanged: 1, removed: 0, rejected: 1 });
  expect(body.warnings).toEqual([
    {
      code: 'removals_skipped',
      message:
        'no account was removed, because rejected rows may name accounts. Fix these rows and upload the complete file again',
      count: 1,
    },
  ]);
  expect(await live()).toBe('6:a 7:a 7:b 7:c 7:d 7:e 7:new 8:a 8:b 9:a');
});

test.each(['', '&dryRun=true'])('with wrong integrationIds no account is removed %s', async (more) => {
  const upload = (keys: string, ids: string) =>
    client.upload(csv(keys), mirror(ids, 100, `&onError=continue${more}`));
  const warning = (systems: string, count: number) => ({
    code: 'removals_skipped',
    message: `no account was removed, because rows of other account systems were rejected, and no valid row is of the mirrored ${systems}. Check integrationIds`,
    count,
  });
  const none = await upload('8:a 8:b', '7');
  expect(none.body.counts).toMatchObject({ total: 2, removed: 0, rejected: 2 });
  expect(none.body.warnings).toEqual([warning('account system 7', 2)]);
  const some = await upload('7:a 8:a 8:b', '7,9,6');
  expect(some.body.counts).toMatchObject({ total: 3, unchanged: 1, removed: 0, rejected: 2 });
  expect(some.body.warnings).toEqual([warning('account systems 9, 6', 2)]);
  expect(await live()).toBe('6:a 7:a 7:b 7:c 7:d 7:e 8:a 8:b 9:a');
});

test('a file of valid rows that has none for a mirrored account system empties it', async () => {
  const { body } = await client.upload(csv('7:a 7:b 7:c 7:d 7:e'), mirror('7,8', 2));
  expect(body.counts).toMatchObject({ unchanged: 5, removed: 2 });
  expect(body.warnings).toEqual([]);
  expect(await live()).toBe('6:a 7:a 7:b 7:c 7:d 7:e 9:a');
});

test.each([
  ['a file that ends early', `${csv('7:a')}"ann@example.com,7,b`, '', 'unclosed_quote'],
  ['another number of rows', csv('7:a'), '&expectedRows=5', 'row_count_mismatch'],
  ['a file without rows', header, '', 'empty_file'],
])('%s removes nothing', async (_, file, more, code) => {
  const { status, body } = await client.upload(file, mirror('7', 100, more));
  expect([status, body.code]).toEqual([400, code]);
  expect(await live()).toBe('6:a 7:a 7:b 7:c 7:d 7:e 8:a 8:b 9:a');
});

test('one account system may be set for all rows', async () => {
  const { body } = await client.upload(
    `email,identity\nann@example.com,a\n`,
    mirror('8', 1, '&integrationId=8'),
  );
  expect(body.counts).toMatchObject({ unchanged: 1, removed: 1 });
});

test.each([
  ['?mode=mirror', { integrationIds: 'missing', maxRemovals: 'missing' }],
  ['?integrationIds=7&maxRemovals=1', { integrationIds: 'conflicting', maxRemovals: 'conflicting' }],
  [mirror('7', 1, '&integrationId=8'), { integrationId: 'conflicting' }],
  ['?mode=mirrors', { mode: 'invalid_value' }],
])('the options are checked together: %s', async (query, errors) => {
  const { status, body } = await client.upload(csv('7:a'), query);
  expect([status, body.code]).toEqual([400, 'invalid_query']);
  const found = body.errors.map(({ field, code }: { field: string; code: string }) => [field, code]);
  expect(Object.fromEntries(found)).toEqual(errors);
});

test('JSON and removals cannot be mirrors', async () => {
  const json = await client.json('PATCH', `/v2/developers/identities${mirror('7')}`, []);
  expect(json.body.errors.map(({ field }: { field: string }) => field)).toEqual([
    'mode',
    'integrationIds',
    'maxRemovals',
  ]);
  const removal = await client.json('DELETE', '/v2/developers/identities?mode=mirror', []);
  expect(removal.body.errors).toMatchObject([{ field: 'mode', code: 'unknown_parameter' }]);
});
