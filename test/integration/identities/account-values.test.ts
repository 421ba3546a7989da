import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { insertIdentities } from '../../support/api/identities.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const PATH = '/v2/developers/identities';
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
afterEach(() => stack.database('identities').delete());

const raw = (method: string, path: string, body: string) =>
  client.send(method, path, { body, headers: { 'content-type': 'text/csv' } });
const stored = () => stack.database('identities').whereNotNull('email').orderBy('identity').pluck('identity');

/** Sends a list of accounts as the body, and returns its job once it has ended. */
async function worklist(body: string, query = '') {
  const { status, body: accepted } = await raw('POST', `/v2/integrations/7/worklists${query}`, body);
  expect({ status, message: accepted.message }).toEqual({ status: 202, message: expect.any(String) });
  return (await client.jobEnd(accepted.jobId)).body.data;
}

const FILE =
  'email,integrationId,identity\na1@example.com,7,#N/A\na2@example.com,7,#N/A\na3@example.com,7,1.23457E+11\n' +
  'a4@example.com,7,ada\na5@example.com,7,nan\n';
const LOST = /a spreadsheet lost this value: #N\/A/;

test.each([
  ['import', 'PATCH', ''],
  ['dry run', 'PATCH', '&dryRun=true'],
  ['removal', 'DELETE', ''],
  ['mirror', 'PATCH', '&mode=mirror&integrationIds=7&maxRemovals=10'],
])(
  '%s: values that a spreadsheet lost are rejected by name, unless they are kept',
  async (_, method, query) => {
    const aborted = await raw(method, `${PATH}?onError=abort${query}`, FILE);
    expect([aborted.status, aborted.body.code, aborted.body.message]).toEqual([
      400,
      'invalid_rows',
      expect.stringMatching(LOST),
    ]);
    expect(aborted.body.errors.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual(
      [2, 3, 4].map((line) => [line, 'identity_damaged']),
    );
    const partly = await raw(method, `${PATH}?onError=continue${query}`, FILE);
    expect(partly.body.counts).toMatchObject({ total: 5, rejected: 3 });
    expect(partly.body.warnings).toContainEqual(
      expect.objectContaining({
        code: 'suspicious_values',
        count: 1,
        message: expect.stringContaining('line 6, identity "nan"'),
      }),
    );
    const kept = await raw(method, `${PATH}?damaged=keep${query}`, FILE);
    expect([kept.status, kept.body.counts.rejected]).toEqual([200, 0]);
  },
);

test('a rejected file with a lost value is rejected again until it is corrected, and accepted with damaged=keep', async () => {
  const { body } = await raw('PATCH', `${PATH}?onError=continue`, FILE);
  const { text } = await client.get(body.links.rejected);
  expect(text).toContain('a1@example.com,7,#N/A,2,identity_damaged');
  expect((await raw('PATCH', PATH, text)).body).toMatchObject({ code: 'invalid_rows', errorCount: 3 });
  expect((await raw('PATCH', `${PATH}?damaged=keep`, text)).status).toBe(200);
  expect(await stored()).toEqual(['#N/A', '1.23457E+11', 'ada', 'nan']);
});

test('formulas are rejected by name in each format, unless they are kept', async () => {
  const rejected = expect.stringContaining('a spreadsheet left a formula instead of a value: =A1');
  const csv = 'email,integrationId,identity\na@example.com,7,=A1\n';
  const json = [{ email: 'a@example.com', integrationId: 7, identity: '=A1' }];
  const removal = [{ integrationId: 7, identity: '=A1' }];
  const requests = [
    (query: string) => raw('PATCH', `${PATH}${query}`, csv),
    (query: string) => raw('DELETE', `${PATH}${query}`, csv),
    (query: string) => client.json('PATCH', `${PATH}${query}`, json),
    (query: string) => client.json('DELETE', `${PATH}${query}`, removal),
  ];
  for (const send of requests) {
    expect((await send('')).body).toMatchObject({ message: rejected });
    expect((await send('?damaged=keep')).status).toBe(200);
  }
  expect(await worklist('identity\n=A1\n')).toMatchObject({ error: { message: rejected } });
  expect(await worklist('identity\n=A1\n', '?damaged=keep')).toMatchObject({ counts: { total: 1 } });
});

test('a repeated header and a footer are rejected by name in each use of a file', async () => {
  const codes = [
    { line: 3, code: 'repeated_header' },
    { line: 4, code: 'summary_line' },
  ];
  const listed = 'identity\nada\nidentity\n(2 rows)\n';
  for (const [method, file] of [
    ['PATCH', 'email,identity\na@example.com,ada\nemail,identity\nTotal: 2,\n'],
    ['DELETE', listed],
  ] as const) {
    const { body } = await raw(method, `${PATH}?integrationId=7`, file);
    expect(body).toMatchObject({ code: 'invalid_rows', errors: codes });
  }
  expect(await worklist(listed)).toMatchObject({ state: 'failed', error: { errors: codes } });
  expect(await worklist(listed, '?damaged=keep')).toMatchObject({ counts: { total: 3 } });
});

test('the error of a file names what curl and the query did to it', async () => {
  const file = 'email,C++\na@example.com,ada\n';
  const query = '?integrationId=7&columns=identity:C';
  const plus = (await raw('PATCH', `${PATH}${query}++`, file)).body;
  expect(plus.message).toContain('If "C++" is meant, write + as %2B in the query');
  expect((await raw('PATCH', `${PATH}${query}%2B%2B`, file)).status).toBe(200);
  const line = (await raw('PATCH', PATH, FILE.replaceAll('\n', ''))).body;
  expect(line.message).toContain('use --data-binary instead of -d');
});

test('JSON has the same rule, and the same warnings', async () => {
  const records = [{ email: 'a@example.com', integrationId: 7, identity: '#REF!' }];
  const { status, body } = await client.json('PATCH', PATH, records);
  expect([status, body.errors]).toMatchObject([
    400,
    [{ index: 0, field: 'identity', code: 'identity_damaged' }],
  ]);
  expect((await client.json('PATCH', `${PATH}?damaged=keep`, records)).status).toBe(200);
  const noted = await client.json('PATCH', PATH, [{ ...records[0], identity: 'undefined' }]);
  expect(noted.body.warnings).toMatchObject([{ code: 'suspicious_values', count: 1 }]);
  const removed = await client.json('DELETE', `${PATH}?damaged=keep`, [
    { integrationId: 7, identity: '#REF!' },
  ]);
  expect(removed.body.counts).toMatchObject({ removed: 1 });
});

test('a preview shows lost values, and what was noted', async () => {
  const { body } = await raw('POST', `${PATH}/preview?complete=true`, FILE);
  expect(body.data.rowErrors[0]).toMatchObject({ line: 2, message: expect.stringMatching(LOST) });
  expect(body.data.warnings).toMatchObject([{ code: 'suspicious_values', count: 1 }]);
  expect((await raw('POST', `${PATH}/preview?damaged=keep`, FILE)).body.data.rejectedRows).toBe(0);
});

test('a worklist has the same rule, and the same warnings', async () => {
  const failed = await worklist('identity\n#N/A\nada\n');
  expect(failed).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_rows', message: expect.stringMatching(LOST) },
  });
  expect(await worklist('identity\n#N/A\nnan\n', '?damaged=keep')).toMatchObject({
    counts: { total: 2 },
    warnings: [{ code: 'suspicious_values', count: 1 }],
  });
});

test.each([
  ['a sep= line', 'sep=;\nemail;identity\na@example.com;ada\n'],
  ['the column login', 'email,login\na@example.com,ada\n'],
  ['the column developerEmail', 'developerEmail,identity\na@example.com,ada\n'],
  ['a tab', 'email\tuser id\na@example.com\tada\n'],
  ['a quoted name with a delimiter', '"team, or group";email;Account Name\ncore;a@example.com;ada\n'],
  ['UTF-16', Buffer.from('\ufeffemail,identity\na@example.com,ada\n', 'utf16le').toString('latin1')],
])('an import and a worklist read the same file: %s', async (_, file) => {
  await insertIdentities(stack.database, [{ email: 'a@example.com', integrationId: 8, identity: 'other' }]);
  const body = Buffer.from(file, 'latin1');
  const headers = { 'content-type': 'text/csv' };
  const list = await client.send('POST', '/v2/integrations/7/worklists', { body, headers });
  const job = (await client.jobEnd(list.body.jobId)).body.data;
  expect(job).toMatchObject({ state: 'completed', counts: { total: 1, withCandidates: 1 } });
  expect((await client.get(job.links.file)).text).toContain('7,ada,,a@example.com,,a@example.com,100');
  const imported = await client.send('PATCH', `${PATH}?integrationId=7`, { body, headers });
  expect(imported.body.counts).toMatchObject({ created: 1 });
});

test('both say which line below looks like the header', async () => {
  const file = 'Accounts of November\n\nemail,integrationId,identity\na@example.com,7,ada\n';
  const message = expect.stringContaining('line 3 looks like the header; delete lines 1 and 2');
  expect((await raw('PATCH', PATH, file)).body).toMatchObject({ code: 'header_missing', message });
  expect((await worklist(file)).error).toMatchObject({ code: 'header_missing', message });
});

test('padding loses nothing, so it is removed with a warning', async () => {
  const { body } = await raw('PATCH', PATH, 'email,integrationId,identity\na@example.com, 7 ,="007",,\n');
  expect(body.counts).toMatchObject({ created: 1 });
  expect(body.warnings).toMatchObject([{ code: 'padding_removed', count: 3 }]);
  expect(await stored()).toEqual(['007']);
});

test('a developer that looks like another one is accepted with a warning', async () => {
  const { body } = await raw('PATCH', PATH, 'email,integrationId,identity\nаda@example.com,7,ada\n');
  expect(body.warnings).toMatchObject([
    {
      code: 'lookalike_values',
      message: expect.stringContaining('line 2, email "аda@example.com" looks like "ada@example.com"'),
    },
  ]);
});
