import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { up as addFileNames } from '../../../db/migrations/020-file-names.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const IDENTITIES = '/v2/developers/identities';
const CSV = 'email,integrationId,identity\nann@example.com,7,ann\n';
const HOSTILE = '<img src=x onerror=alert(1)>.csv';

/** Sends a file as raw bytes, so that the name reaches the server as it is. */
function send(method: string, path: string, name: string) {
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return client.send(method, path, {
    body: `${head}${CSV}\r\n--b--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=b', prefer: 'wait=30' },
  });
}

const nameOf = async (response: { body: { jobId: string } }): Promise<string | null> =>
  (await client.get(`/v2/jobs/${response.body.jobId}`)).body.data.fileName;

test('a job has the name of its file, cleaned', async () => {
  expect(await nameOf(await send('PATCH', IDENTITIES, 'Leute_März ☃.csv'))).toBe('Leute_März ☃.csv');
  expect(await nameOf(await send('PATCH', IDENTITIES, '../../etc/a\u202evsc.csv'))).toBe('avsc.csv');
  expect(await nameOf(await send('PATCH', IDENTITIES, `${'é'.repeat(300)}.csv`))).toBe('é'.repeat(255));
  expect(await nameOf(await send('DELETE', IDENTITIES, HOSTILE))).toBe(HOSTILE);
  const worklist = await send('POST', '/v2/integrations/7/worklists', 'accounts.csv');
  expect(await nameOf(worklist)).toBe('accounts.csv');
  expect((await client.get('/v2/jobs?pageSize=2')).body.data).toMatchObject([
    { type: 'identity-worklist', fileName: 'accounts.csv' },
    { type: 'identity-import', fileName: HOSTILE },
  ]);
});

test('a job without a named file has none', async () => {
  const record = { email: 'ann@example.com', integrationId: 7, identity: 'ann' };
  expect(await nameOf(await client.json('PATCH', IDENTITIES, [record]))).toBeNull();
  const headers = { 'content-type': 'text/csv' };
  expect(await nameOf(await client.send('PATCH', IDENTITIES, { body: CSV, headers }))).toBeNull();
});

test('the history of an account names the file of each change, until its job is deleted', async () => {
  await client.json('DELETE', IDENTITIES, [{ integrationId: 7, identity: 'ann' }]);
  const { body } = await send('PATCH', IDENTITIES, 'again.csv');
  const history = async () =>
    (await client.get(`${IDENTITIES}/history?integrationId=7&identity=ann&pageSize=2`)).body.data;
  expect(await history()).toMatchObject([
    { outcome: 'created', fileName: 'again.csv' },
    { outcome: 'removed', fileName: null },
  ]);
  await stack.database('jobs').where({ id: body.jobId }).delete();
  expect(await history()).toMatchObject([{ jobId: body.jobId, fileName: null }, {}]);
});

test('the migration keeps the jobs that there are, and can run again', async () => {
  const run = { say: () => {}, check: async () => {} };
  const before = await stack.database('jobs').orderBy('id').select('id', 'params', 'stored_bytes');
  await stack.database.raw('ALTER TABLE jobs DROP COLUMN file_name');
  for (let time = 0; time < 2; time++) await addFileNames(stack.database, run);
  expect(await stack.database('jobs').orderBy('id').select('id', 'params', 'stored_bytes')).toEqual(before);
  expect((await client.get('/v2/jobs?pageSize=1')).body.data).toMatchObject([{ fileName: null }]);
});
