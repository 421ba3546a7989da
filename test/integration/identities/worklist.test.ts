import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { Client } from '../../support/api/client.js';
import { insertIdentities } from '../../support/api/identities.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const PATH = '/v2/integrations/7/worklists';
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() =>
  insertIdentities(stack.database, [
    { email: 'ada.lindqvist@example.com', integrationId: 8, identity: 'ada-l' },
    { email: 'ada.lindqvist@example.com', integrationId: 7, identity: 'alindqvist' },
    { email: 'john.smith@example.com', integrationId: 8, identity: 'jsmith' },
    { email: 'jane.smith@example.com', integrationId: 8, identity: 'jsmith2' },
    { email: null, integrationId: 7, identity: 'removed' },
  ]),
);
afterEach(() => stack.database('identities').truncate());

const send = (content: string | Uint8Array, query = '', headers: Record<string, string> = {}) => {
  const form = new FormData();
  form.append('file', new Blob([content as string]), 'accounts.csv');
  return client.send('POST', PATH + query, { body: form, headers });
};

/** Creates a worklist. Returns its job and its rows once it is ready. */
async function worklist(content: string | Uint8Array, query = '') {
  const { status, body, headers } = await send(content, query);
  expect({ status, message: body.message }).toEqual({ status: 202, message: expect.any(String) });
  expect(headers.get('location')).toBe(`/v2/jobs/${body.jobId}`);
  const job = (await client.jobEnd(body.jobId)).body.data;
  const file = job.links.file ? (await client.get(job.links.file)).text : '';
  return { job, file, rows: parse(file, { columns: true }) as Record<string, string>[] };
}

test('a worklist has a row for each account without an owner, with ranked candidates and reasons', async () => {
  const { job, file, rows } = await worklist(
    'login;name;email\nada-l;;\nJ.Smith;Jane Smith;\nalindqvist;;\nremoved;;\nada-l;;\ndependabot[bot];;\n',
  );
  expect(job).toMatchObject({
    type: 'identity-worklist',
    state: 'completed',
    counts: { total: 6, owned: 1, withCandidates: 2, withoutCandidates: 2, repeated: 1 },
    progress: { percent: 100 },
  });
  expect(Date.parse(job.expiresAt) - Date.parse(job.finishedAt)).toBeCloseTo(7 * 24 * 3_600_000, -5);
  expect(file.split('\n')[0]).toMatch(
    /^email,integrationId,identity,displayName,accountEmail,decision,candidate1,score1,reason1,/,
  );
  expect(rows.map(({ email, integrationId, identity }) => [email, integrationId, identity])).toEqual([
    ['', '7', 'ada-l'],
    ['', '7', 'J.Smith'],
    ['', '7', 'removed'],
    ['', '7', 'dependabot[bot]'],
  ]);
  expect(rows[0]).toMatchObject({
    candidate1: 'ada.lindqvist@example.com',
    reason1: expect.stringMatching(/^known alias in account system 8/),
    candidate2: '',
  });
  expect(rows[1]).toMatchObject({
    displayName: 'Jane Smith',
    candidate1: 'jane.smith@example.com',
    reason1: expect.stringMatching(/^display name: normalized name/),
    candidate2: 'john.smith@example.com',
  });
  expect(Number(rows[1]?.score1)).toBeGreaterThan(Number(rows[1]?.score2));
  expect(rows[3]).toMatchObject({ candidate1: '', score1: '', reason1: '' });
  const response = await client.send('HEAD', job.links.file);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="worklist.csv"');
});

test('nothing is written, and a worklist that was filled in is uploaded like any other file', async () => {
  const before = await stack.database('identities').orderBy('identity');
  const { file } = await worklist('identity\nada-l\nj.smith\n');
  expect(await stack.database('identities').orderBy('identity')).toEqual(before);

  const untouched = await client.upload(file);
  expect([untouched.status, untouched.body.code, untouched.body.errorCount]).toEqual([
    400,
    'invalid_rows',
    2,
  ]);
  expect(untouched.body.errors[0]).toEqual({
    line: 2,
    field: 'email',
    code: 'email_missing',
    message: 'must not be empty',
  });
  const [header, first, second] = file.split('\n');
  const filled = `${header}\nada.lindqvist@example.com${first}\n${second}\n`;
  const partly = await client.upload(filled, '?onError=continue');
  expect(partly.body.counts).toMatchObject({ total: 2, created: 1, rejected: 1 });
  const { body } = await client.get('/v2/developers/identities?identities=ada-l&integrationIds=7');
  expect(body.data[0]).toMatchObject({ email: 'ada.lindqvist@example.com', integrationId: 7 });
});

test('a list may be JSON, compressed, in another charset, or escaped for spreadsheets', async () => {
  const json = await client.json('POST', PATH, { accounts: [{ identity: 'ada-l' }, { identity: 'ada-l' }] });
  const done = (await client.jobEnd(json.body.jobId)).body.data;
  expect(done.counts).toMatchObject({ total: 2, withCandidates: 1, repeated: 1 });

  const gzip = await worklist(gzipSync('Username\nada-l\n'));
  expect(gzip.rows[0]?.candidate1).toBe('ada.lindqvist@example.com');

  const latin = await worklist(
    Buffer.from('identity,name\nx1,Adá Lindqvist\n', 'latin1'),
    '?charset=iso-8859-1',
  );
  expect(latin.rows[0]).toMatchObject({
    displayName: 'Adá Lindqvist',
    candidate1: 'ada.lindqvist@example.com',
  });

  const escaped = await worklist('identity,name\n=ada-l,+Ada\n', '?escapeFormulas=true');
  expect(escaped.rows[0]).toMatchObject({ identityEscaped: "'=ada-l", displayNameEscaped: "'+Ada" });
  const [header, row] = escaped.file.split('\n');
  const uploaded = await client.upload(`${header}\nada.lindqvist@example.com${row}\n`);
  expect(uploaded.body.counts).toMatchObject({ created: 1 });
  const again = await worklist(`${header}\n${row}\n`);
  expect(again.job.counts).toMatchObject({ total: 1, owned: 1 });
});

test.each([
  ['name\nada\n', 'column_missing', /no column for identity/],
  ['identity,login\na,b\n', 'column_repeated', /more than one column for identity/],
  ['identity\n', 'empty_file', /no rows/],
  ['', 'empty_file', /empty/],
  [
    'identity,email\nada,not an address\nbob,\n,\n"",x\n',
    'invalid_rows',
    /2 of 3 rows are invalid. Line 2, `email`/,
  ],
  ['identity,integrationId\nada,8\n', 'invalid_rows', /must be 7, the account system of this worklist/],
  ['identity,name\nada\n', 'invalid_rows', /1 of 1 row is invalid. Line 2: the row has 1 cells?, but/],
  ['identity\nad\xe4\n', 'invalid_rows', /cannot be decoded/],
  ['identity\n"ada\n', 'unclosed_quote', /not closed/],
  ['PK\x03\x04', 'workbook_damaged', /zip/i],
])('the list %j is rejected as %s', async (content, code, message) => {
  const { job } = await worklist(Buffer.from(content, 'latin1'));
  expect(job).toMatchObject({ state: 'failed', error: { code, message: expect.stringMatching(message) } });
  expect(job.error.message).not.toContain('Nothing was written');
});

test('all errors of a list are reported together', async () => {
  const rows = Array.from({ length: 150 }, () => `,x,${'n'.repeat(300)}`).join('\n');
  const { job } = await worklist(`identity,email,name\n${rows}\n`);
  expect(job.error.errorCount).toBe(450);
  expect(job.error.errors).toHaveLength(100);
  expect(job.error.errors.slice(0, 3).map((error: { field: string }) => error.field)).toEqual([
    'identity',
    'name',
    'email',
  ]);
});

test('requests are checked: scope, format, limits, parameters', async () => {
  const other = await Client.of(stack, 'alerts:read');
  expect((await other.json('POST', PATH, { accounts: [{ identity: 'a' }] })).status).toBe(403);
  const invalid = await client.json('POST', PATH, {
    accounts: [{ identity: '', email: 'x' }, { identity: 5 }],
  });
  expect(invalid.status).toBe(400);
  expect(invalid.body.errors.map(({ field }: { field: string }) => field)).toEqual([
    'accounts.0.identity',
    'accounts.0.email',
    'accounts.1.identity',
  ]);
  const many = Array.from({ length: 1_001 }, (_, i) => ({ identity: `a${i}` }));
  expect((await client.json('POST', PATH, { accounts: many })).status).toBe(400);
  expect((await client.json('POST', `${PATH}?charset=utf-8`, { accounts: [{ identity: 'a' }] })).status).toBe(
    400,
  );
  expect(
    (await client.send('POST', PATH, { body: 'identity\na\n', headers: { 'content-type': 'text/html' } }))
      .status,
  ).toBe(415);
  expect((await client.json('POST', '/v2/integrations/x/worklists', { accounts: [] })).status).toBe(404);
});

test('a repeated request with the same Idempotency-Key makes one job', async () => {
  const headers = { 'idempotency-key': 'worklist-1' };
  const first = await send('identity\nada-l\n', '', headers);
  const again = await send('identity\nada-l\n', '', headers);
  expect(again.body.jobId).toBe(first.body.jobId);
  expect((await send('identity\nother\n', '', headers)).status).toBe(422);
  await client.jobEnd(first.body.jobId);
});

test('only keys that may read identities can read a worklist', async () => {
  const { job } = await worklist('identity\nada-l\n');
  const other = await Client.of(stack, 'alerts:read');
  expect((await other.get(job.links.file)).status).toBe(404);
  const reader = await Client.of(stack, 'developer_records:read');
  expect((await reader.get(job.links.file)).status).toBe(200);
});
