import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const header = 'Username;Team; Email Address;"Integration ID"\n';
const columns = { email: ' Email Address', integrationId: 'Integration ID', identity: 'Username' };
const row = 'ada;core;ada@example.com;7\n';

const columnsOf = async (jobId: string) => (await client.jobEnd(jobId)).body.data.columns;

test('an upload reports the column of each field, as the header spells it', async () => {
  const { status, body } = await client.upload(header + row, '?dryRun=true');
  expect([status, body.columns]).toEqual([200, columns]);
  expect(await columnsOf(body.jobId)).toEqual(columns);
});

test('an upload that does not wait reports the columns in its job', async () => {
  const { status, body } = await client.upload(header + row, '', { prefer: 'respond-async' });
  expect([status, body.columns]).toEqual([202, undefined]);
  expect(await columnsOf(body.jobId)).toEqual(columns);
});

test.each([
  ['an invalid row', 'ada;core;nobody;7\n', 'invalid_rows'],
  ['no rows', '', 'empty_file'],
])('the job of a file that is rejected for %s reports the columns', async (_, rows, code) => {
  const { status, body } = await client.upload(header + rows);
  expect([status, body.code]).toEqual([400, code]);
  expect(await columnsOf(body.jobId)).toEqual(columns);
});

test('a rejected file that is uploaded again reports its escaped columns', async () => {
  const { body } = await client.upload(`${header}ada;core;nobody;7\n`, '?onError=continue');
  const { text } = await client.get(body.links.rejected, { accept: 'text/csv' });
  const again = await client.upload(text, '?onError=continue');
  expect(again.body.columns).toEqual({
    email: 'emailEscaped',
    integrationId: 'integrationId',
    identity: 'identityEscaped',
  });
});

test('a column name is truncated to 255 characters', async () => {
  const long = `Inte${'\t'.repeat(40_000)}gration`;
  const { status, body } = await client.upload(
    `email,"${long}",identity\na@example.com,7,ada\n`,
    '?dryRun=true',
  );
  expect(status).toBe(200);
  expect(body.columns.integrationId).toBe(`${long.slice(0, 255)}…`);
});

test('a header without a required field, a JSON upload and other jobs have no columns', async () => {
  const missing = await client.upload('email,identity\na@example.com,ada\n');
  expect(missing.body.code).toBe('column_missing');
  expect(await columnsOf(missing.body.jobId)).toBeUndefined();
  const record = { email: 'ada@example.com', integrationId: 7, identity: 'ada' };
  const json = await client.json('PATCH', '/v2/developers/identities', [record]);
  expect([json.status, json.body.columns]).toEqual([200, undefined]);
  expect(await columnsOf(json.body.jobId)).toBeUndefined();
});

const preview = (content: string | Uint8Array, query = '', type = 'text/csv') =>
  client.send('POST', `/v2/developers/identities/preview${query}`, {
    headers: { 'content-type': type },
    body: content as string,
  });

test('a preview shows columns and rows, and stores nothing', async () => {
  const before = await stack.database('jobs').count({ jobs: '*' });
  const { status, body } = await preview(header + row + row.replace('7', 'x'), '?complete=true');
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ delimiter: ';', checkedRows: 2, rejectedRows: 1, error: null });
  expect(body.data.columns.map(({ field }: { field: string }) => field)).toEqual([
    'identity',
    null,
    'email',
    'integrationId',
  ]);
  expect(body.data.rows[0]).toMatchObject({ email: 'ada@example.com', integrationId: '7', identity: 'ada' });
  expect(body.data.rowErrors).toMatchObject([{ line: 3, code: 'integration_id_invalid' }]);
  expect(await stack.database('jobs').count({ jobs: '*' })).toEqual(before);
});

test('a preview takes the options of an upload, and reports invalid ones', async () => {
  const chosen = await preview(
    'Mail;Login;Team\na@b.c;ada;core\n',
    '?columns=email:Mail,identity:Team&integrationId=9&complete=true',
  );
  expect(chosen.body.data.rows).toMatchObject([{ integrationId: '9', identity: 'core' }]);
  const invalid = await preview(header, '?action=remove&columns=email:Mail&charset=');
  expect(invalid.status).toBe(400);
  expect(invalid.body.errors).toMatchObject([
    { field: 'charset', code: 'too_small' },
    { field: 'columns', code: 'conflicting' },
  ]);
  expect((await preview(Buffer.alloc(128 * 1024 + 1))).status).toBe(413);
  expect((await preview('[]', '', 'application/json')).status).toBe(415);
  const other = await Client.of(stack, 'developer_records:read');
  expect((await other.json('POST', '/v2/developers/identities/preview', [])).status).toBe(403);
});

test('a key with too many previews waiting gets 503, while another key gets its preview', async () => {
  // Invalid rows take the longest: this preview about 0.1 s.
  const heavy = Buffer.from(header + '\xff;\xff;\xff;\xff\n'.repeat(2_000), 'latin1');
  const many = Promise.all(Array.from({ length: 30 }, () => preview(heavy)));
  const other = await Client.of(stack, 'developer_records:write');
  const { status } = await other.send('POST', '/v2/developers/identities/preview', {
    headers: { 'content-type': 'text/csv' },
    body: header + row,
  });
  expect(status).toBe(200);
  const responses = await many;
  expect(new Set(responses.map((one) => one.status))).toEqual(new Set([200, 503]));
  expect(responses.find((one) => one.status === 503)).toMatchObject({ body: { code: 'overloaded' } });
});
