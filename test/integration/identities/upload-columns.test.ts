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
