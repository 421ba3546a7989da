import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { IMPORT_CHUNK_ROWS: '3' } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() => stack.database('identities').delete());

const path = '/v2/developers/identities';
const key = (identity: string) => ({ integrationId: 7, identity });
const record = (identity: string, email = 'ann@example.com') => ({ email, ...key(identity) });
const header = 'email,integrationId,identity\n';
const csv = (...rows: ReturnType<typeof record>[]) =>
  header + rows.map((row) => `${row.email},${row.integrationId},${row.identity}\n`).join('');
const listed = async () => (await client.get(path)).body.data;
const put = (...records: object[]) => client.json('PATCH', path, records);
const remove = (...keys: object[]) => client.json('DELETE', path, keys);

/** Sets all times to the past, so that changes show without waiting. */
const PAST = new Date('2001-01-01T00:00:00Z');
const agePast = () => stack.database('identities').update({ created_at: PAST, updated_at: PAST });

test('a removal is counted row by row, and reads do not show what it removed', async () => {
  await put(record('a'), record('b'), record('c'));
  const response = await remove(key('a'), key('b'), key('b'), key('zz'));
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({
    status: 'success',
    message: 'Developer identities removed.',
    counts: { total: 4, removed: 2, notFound: 2, superseded: 0, rejected: 0 },
    warnings: [{ code: 'repeated_keys', count: 1 }],
  });
  expect(await listed()).toMatchObject([record('c')]);
  expect((await client.get(`${path}?identities=a`)).body.data).toEqual([]);
  const file = await client.get(path, { accept: 'text/csv' });
  expect(file.text).toBe(csv(record('c')));
  expect((await remove(key('a'), key('zz'))).body.counts).toEqual({
    total: 2,
    removed: 0,
    notFound: 2,
    superseded: 0,
    rejected: 0,
  });
});

test('an identity that is added again after its removal is created, with new times', async () => {
  await put(record('a'));
  await agePast();
  await remove(key('a'));
  const back = await put(record('a'), record('b'));
  expect(back.body.counts).toMatchObject({ total: 2, created: 2 });
  for (const row of await listed()) expect(Date.now() - Date.parse(row.createdAt)).toBeLessThan(60_000);
});

test('an unchanged owner keeps both times; a new owner only changes `updatedAt`', async () => {
  await put(record('a'), record('b'));
  await agePast();
  await put(record('a'), record('b', 'bob@example.com'));
  const [a, b] = await listed();
  expect([a.createdAt, a.updatedAt, b.createdAt]).toEqual(Array(3).fill('2001-01-01T00:00:00.000Z'));
  expect(Date.now() - Date.parse(b.updatedAt)).toBeLessThan(60_000);
});

test.each([
  ['no array', {}, 'not_an_array'],
  ['none', [], 'invalid_records'],
  ['a number for an identity', [{ integrationId: 7, identity: 42 }], 'invalid_records'],
  ['no account system', [key('a'), { identity: 'a' }], 'invalid_records'],
  ['too many', Array.from({ length: 10_001 }, () => key('a')), 'invalid_records'],
])('an invalid removal is rejected as a whole: %s', async (_, body, code) => {
  await put(record('a'));
  const response = await client.json('DELETE', path, body);
  expect([response.status, response.body.code]).toEqual([400, code]);
  expect(await listed()).toMatchObject([record('a')]);
});

test('keys are normalized like records, so every stored identity can be removed', async () => {
  await put(record('e\u0301ric '), record('x'));
  expect((await remove(key(' \u00e9ric'))).body.counts).toMatchObject({ removed: 1 });
  expect(await listed()).toMatchObject([record('x')]);
});

const before = () => [record('same'), record('moved', 'old@example.com'), record('gone')];
/** Keys repeat within a chunk and across chunks; one is added again, one is rejected. */
const rows = [
  record('same'),
  record('moved'),
  record('new'),
  record('gone'),
  record('same', 'bob@example.com'),
  record('new'),
  record('same'),
  record('new', 'bob@example.com'),
];

test('a dry run returns the counts and warnings of the upload and writes nothing', async () => {
  await put(...before());
  await remove(key('gone'));
  const stored = () => stack.database('identities').orderBy(['integration_id', 'identity']);
  const was = await stored();
  const file = `${csv(...rows)}nobody,7,x\n`;
  const dry = await client.upload(file, '?dryRun=true&onError=continue');
  expect(dry.status).toBe(200);
  expect(dry.body.message).toBe(
    `Dry run: nothing was written. 1 of ${rows.length + 1} rows was rejected. The counts show what the upload would do.`,
  );
  expect(await stored()).toEqual(was);
  const real = await client.upload(file, '?onError=continue');
  expect(real.body.counts).toEqual({
    total: 9,
    created: 2,
    updated: 4,
    unchanged: 2,
    superseded: 0,
    rejected: 1,
  });
  expect(dry.body.counts).toEqual(real.body.counts);
  expect(dry.body.warnings).toEqual(real.body.warnings);
  expect(real.body.warnings).toMatchObject([{ code: 'repeated_keys', count: 4 }]);
  const [dryFile, realFile] = [
    await client.get(dry.body.links.rejected),
    await client.get(real.body.links.rejected),
  ];
  expect(dryFile.text).toBe(realFile.text);
  const again = await client.upload(csv(...rows), '?dryRun=true');
  expect(again.body.counts).toEqual({
    total: 8,
    created: 0,
    updated: 4,
    unchanged: 4,
    superseded: 0,
    rejected: 0,
  });
});

test('a dry run of a file with invalid rows is rejected like the upload itself', async () => {
  const file = `${csv(record('a'))}nobody,7,x\n`;
  const [dry, real] = [await client.upload(file, '?dryRun=true'), await client.upload(file)];
  expect([dry.status, dry.body.code, dry.body.errors]).toEqual([400, real.body.code, real.body.errors]);
  expect(await stack.database('identities')).toEqual([]);
});
