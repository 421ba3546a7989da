import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { UPLOAD_MAX_BYTES: '200000', SMALL_UPLOAD_BYTES: '100000' } });
  client = await Client.of(stack);
  await client.json('PATCH', identities, [kept]);
});
afterAll(() => stack.stop());

const identities = '/v2/developers/identities';
const kept = { email: 'kept@example.com', integrationId: 1, identity: 'kept' };
const header = 'email,integrationId,identity\n';
const row = 'ann@example.com,7,ann\n';
const stored = async () => (await client.get(identities)).body.data;
const uploadsOnDisk = () => readdirSync(join(stack.folder, 'files', 'uploads'));

test('a CSV is written and counted, with the response that the contract describes', async () => {
  const response = await client.upload(header + row);
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({
    status: 'success',
    message: 'CSV processed and developer identities updated successfully.',
    counts: { total: 1, created: 1, updated: 0, unchanged: 0, superseded: 0, rejected: 0 },
    warnings: [],
  });
  const job = await client.get(`/v2/jobs/${response.body.jobId}`);
  expect(job.body.data).toMatchObject({
    id: response.body.jobId,
    type: 'identity-import',
    state: 'completed',
    dryRun: false,
    counts: response.body.counts,
    progress: { rowsRead: 1, rowsTotal: 1, percent: 100 },
    attempts: 1,
  });
  await stack.database('identities').where({ identity: 'ann' }).delete();
});

test('a gzip file and a gzip body are read decompressed', async () => {
  const file = await client.upload(gzipSync(header + row));
  expect(file.body.counts).toMatchObject({ total: 1, created: 1 });
  const form = new Response(formOf(header + row));
  const body = gzipSync(Buffer.from(await form.arrayBuffer()));
  const coded = await client.send('PATCH', identities, {
    body,
    headers: { 'content-type': form.headers.get('content-type') as string, 'content-encoding': 'gzip' },
  });
  expect(coded.body.counts).toMatchObject({ total: 1, unchanged: 1 });
  await stack.database('identities').where({ identity: 'ann' }).delete();
});

test('the decompressed size decides in which queue a gzip file waits', async () => {
  const queueOf = async (file: Buffer) => {
    const { body } = await client.upload(file, '?dryRun=true');
    return (await theRow(stack.database('jobs').where({ id: body.jobId }).first('queue'))).queue;
  };
  const limit = header + row.repeat(Math.floor((100_000 - header.length) / row.length));
  expect(await queueOf(gzipSync(limit))).toBe('identity-import');
  expect(await queueOf(gzipSync(limit + row))).toBe('identity-import-large');
  expect(await queueOf(gzipSync(header + row))).toBe('identity-import');
  expect(await queueOf(Buffer.from(header + row))).toBe('identity-import');
});

test('a damaged gzip file is rejected by the worker, with the error that the contract describes', async () => {
  const damaged = await client.upload(gzipSync(header + row).subarray(0, -9));
  expect([damaged.status, damaged.body.code]).toEqual([400, 'gzip_truncated']);
});

function formOf(text: string, name = 'file'): FormData {
  const form = new FormData();
  form.append(name, new Blob([text]), 'x.csv');
  return form;
}

describeRejections('a file that is rejected leaves the table as it was', [
  ['an empty file', '', 'empty_file', /empty/],
  ['no rows', header, 'empty_file', /no rows/],
  [
    'a workbook that ends early',
    new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0]),
    'workbook_damaged',
    /workbook is damaged/,
  ],
  ['a header without identity', `email,integrationId\n${row}`, 'column_missing', /identity/],
  [
    'a bad row',
    `${header}${row}ann@example.com,seven,ann\n`,
    'invalid_rows',
    /1 of 2 rows is invalid. Line 3, `integrationId`: must be an integer/,
  ],
  [
    'bad bytes',
    Buffer.concat([Buffer.from(`${header}a@b.c,1,`), Buffer.from([0xff, 10])]),
    'invalid_rows',
    /0xFF|\\xFF/i,
  ],
  ['a quote without its end', `${header}"ann@example.com,1,x\n`, 'unclosed_quote', /line 2/],
]);

function describeRejections(name: string, cases: [string, string | Uint8Array, string, RegExp][]) {
  test.each(cases)(`${name}: %s`, async (_, content, code, message) => {
    const response = await client.upload(content);
    expect([response.status, response.body.code]).toEqual([400, code]);
    expect(response.body.message).toMatch(/^Invalid file format: /);
    expect(response.body.message).toMatch(message);
    expect(response.body.errorCount).toBe(response.body.errors.length);
    const job = await client.get(`/v2/jobs/${response.body.jobId}`);
    const { code: c, message: m, errors, errorCount } = response.body;
    expect(job.body.data).toMatchObject({
      state: 'failed',
      error: { code: c, message: m, errors, errorCount },
    });
    expect(await stored()).toMatchObject([kept]);
  });
}

test.each([
  ['an object', { email: 'a@b.c' }, 'not_an_array'],
  ['no records', [], 'invalid_records'],
  ['too many', Array.from({ length: 10_001 }, () => kept), 'invalid_records'],
])('JSON that is not a list of records is rejected: %s', async (_, body, code) => {
  const response = await client.json('PATCH', identities, body);
  expect([response.status, response.body.code]).toEqual([400, code]);
  expect(await stored()).toMatchObject([kept]);
});

test('every invalid record is reported by index and field, and nothing is written', async () => {
  const response = await client.json('PATCH', identities, [
    { email: 'ann@example.com', integrationId: 7, identity: 'ann' },
    { email: 'no address', integrationId: 7, identity: 42 },
    { email: 'bob@example.com', integrationId: '7' },
    'ann',
  ]);
  expect([response.status, response.body.code]).toEqual([400, 'invalid_records']);
  expect(response.body.errors).toMatchObject([
    { index: 1, field: 'email', code: 'email_invalid' },
    {
      index: 1,
      field: 'identity',
      code: 'identity_not_a_string',
      message: expect.stringContaining('not a number'),
    },
    { index: 2, field: 'integrationId', code: 'integration_id_invalid' },
    { index: 2, field: 'identity', code: 'identity_missing' },
    { index: 3, field: null },
  ]);
  expect(response.body.errorCount).toBe(5);
  expect(await stored()).toMatchObject([kept]);
});

test.each([
  ['another part name', () => formOf(header + row, 'csv'), 'unexpected_part'],
  ['no part', () => new FormData(), /file_missing|malformed_multipart/],
  ['a field in addition to the file', () => withField(), 'unexpected_part'],
  ['two files', () => withSecond(), 'unexpected_part'],
])('a multipart body is rejected with the reason: %s', async (_, form, code) => {
  const response = await client.send('PATCH', identities, { body: form() });
  expect(response.status).toBe(400);
  expect(response.body.code).toMatch(code);
  expect(await stored()).toMatchObject([kept]);
});

function withField(): FormData {
  const form = formOf(header + row);
  form.append('note', 'hello');
  return form;
}

function withSecond(): FormData {
  const form = formOf(header + row);
  form.append('file', new Blob([header]), 'y.csv');
  return form;
}

test('a body that is declared as multipart, but is not, is rejected', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const response = await client.send('PATCH', identities, { body: 'email,integrationId', headers });
  expect([response.status, response.body.code]).toEqual([400, 'malformed_multipart']);
});

test('a multipart body without a boundary is rejected, with how to fix it', async () => {
  const headers = { 'content-type': 'multipart/form-data' };
  const response = await client.send('PATCH', identities, { body: 'email,integrationId', headers });
  expect([response.status, response.body.code]).toEqual([400, 'malformed_multipart']);
  expect(response.body.message).toContain('no multipart boundary');
});

test('media types are read in any case', async () => {
  const form = new Response(formOf(header + row));
  const type = (form.headers.get('content-type') as string).replace(
    'multipart/form-data',
    'Multipart/Form-Data',
  );
  const body = Buffer.from(await form.arrayBuffer());
  const upload = await client.send('PATCH', `${identities}?dryRun=true`, {
    body,
    headers: { 'content-type': type },
  });
  expect(upload.status).toBe(200);
  const json = await client.send('PATCH', `${identities}?dryRun=true`, {
    body: JSON.stringify([kept]),
    headers: { 'content-type': 'Application/JSON' },
  });
  expect(json.status).toBe(200);
});

/** Sends a body in pieces without a length, and reads the response while it is still sending. */
function drip(pieces: Iterable<string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    void stack.key().then((key) => {
      const sending = request({
        port: stack.port,
        method: 'PATCH',
        path: identities,
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'multipart/form-data; boundary=b' },
      });
      sending.on('error', reject);
      sending.on('response', (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode as number, body }));
      });
      for (const piece of pieces) sending.write(piece);
      sending.end();
    });
  });
}

test('a file over the limit is rejected with 413, with and without a declared length', async () => {
  const large = header + row.repeat(15_000);
  const declared = await client.upload(large);
  expect([declared.status, declared.body.code]).toEqual([413, 'too_large']);
  const start = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
  const undeclared = await drip([
    start,
    ...Array.from({ length: 40 }, () => row.repeat(1_000)),
    '\r\n--b--\r\n',
  ]);
  expect(undeclared.status).toBe(413);
  expect(JSON.parse(undeclared.body).code).toBe('too_large');
  expect(await stored()).toMatchObject([kept]);
});

test('JSON over 8 MiB is rejected with 413', async () => {
  const response = await client.json('PATCH', identities, `["${'x'.repeat(9 * 1024 * 1024)}"]`);
  expect([response.status, response.body.code]).toEqual([413, 'too_large']);
});

test('a gzip bomb is stopped by the limit on the decompressed size', async () => {
  const response = await client.upload(gzipSync(header + row.repeat(100_000)));
  expect([response.status, response.body.code]).toEqual([400, 'file_too_large']);
  expect(await stored()).toMatchObject([kept]);
});

test('under onError=continue the valid rows are written, and the message says what happened', async () => {
  const response = await client.upload(`${header}${row}bad,1,x\n`, '?onError=continue');
  expect(response.status).toBe(200);
  expect(response.body.message).toMatch(/^1 of 2 rows was rejected. The others were written/);
  expect(response.body.counts).toMatchObject({ total: 2, created: 1, rejected: 1 });
  expect(response.body.links.rejected).toBe(`/v2/jobs/${response.body.jobId}/rejected`);
  await stack.database('identities').where({ identity: 'ann' }).delete();
});

test('Prefer: respond-async gets a response immediately, and the job can be polled', async () => {
  const response = await client.upload(header + row, '', { prefer: 'respond-async' });
  expect(response.status).toBe(202);
  expect(response.headers.get('preference-applied')).toBe('respond-async');
  expect(response.headers.get('location')).toBe(`/v2/jobs/${response.body.jobId}`);
  expect(response.headers.get('retry-after')).toBe('1');
  const job = await client.jobEnd(response.body.jobId);
  expect(job.body.data).toMatchObject({ state: 'completed', counts: { created: 1 } });
  await stack.database('identities').where({ identity: 'ann' }).delete();
});

test('the response to a larger upload waits only on request', async () => {
  const large = header + Array.from({ length: 5_000 }, (_, i) => `ann@example.com,7,large-${i}\n`).join('');
  const response = await client.upload(large);
  expect(response.status).toBe(202);
  const job = await client.jobEnd(response.body.jobId);
  expect(job.body.data.counts).toMatchObject({ total: 5_000, created: 5_000 });
  const waited = await client.upload(large, '', { prefer: 'wait=30' });
  expect(waited.headers.get('preference-applied')).toBe('wait=30');
  expect(waited.body.counts).toMatchObject({ total: 5_000, unchanged: 5_000 });
  await stack.database('identities').where('identity', 'like', 'large-%').delete();
});

test('the job of another key is 404 for a key that may not read', async () => {
  const { body } = await client.upload(header + row);
  const writer = await Client.of(stack, 'developer_records:write');
  expect((await writer.get(`/v2/jobs/${body.jobId}`)).status).toBe(404);
  const own = await writer.upload(header + row);
  expect((await writer.get(`/v2/jobs/${own.body.jobId}`)).status).toBe(200);
  expect((await client.get('/v2/jobs/no-id')).status).toBe(404);
  await stack.database('identities').where({ identity: 'ann' }).delete();
});

afterEach(() => {
  // An upload that was rejected before it became a job leaves no file either.
  expect(uploadsOnDisk().filter((name) => name.endsWith('.partial'))).toEqual([]);
});
