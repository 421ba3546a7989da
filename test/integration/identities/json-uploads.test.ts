import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { costRatio } from '../../support/cpu-time.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  mkdirSync(join(stack.folder, 'files', 'uploads'), { recursive: true });
});
afterAll(() => stack.stop());

const path = '/v2/developers/identities';

/** Sends a body that is rejected; nothing of it may be stored. */
async function rejected(method: string, body: string | Buffer<ArrayBuffer>) {
  const uploads = () => readdirSync(join(stack.folder, 'files', 'uploads'));
  const before = uploads();
  const headers = { 'content-type': 'application/json' };
  const response = await client.send(method, path, { body, headers });
  expect(response.status).toBe(400);
  expect((await client.get(path)).body.data).toEqual([]);
  expect(uploads()).toEqual(before);
  return response.body;
}

/** Records of 8 MiB. */
const RECORDS = `[${'{"email":"a@example.com","integrationId":7,"identity":"a"},'.repeat((8 << 20) / 58)}null]`;

const good = '{"email":"a@example.com","integrationId":7,"identity":"a"}';

test.each([
  ['another value', '"email":"b@example.com"', 'email'],
  ['the same value', '"identity":"a"', 'identity'],
  ['an escape', String.raw`"\u0065mail":"b@example.com"`, 'email'],
  ['a number of another form', '"integrationId":7.0', 'integrationId'],
  ['a field that is not read', '"x":1,"x":2', 'x'],
])('a record that repeats a key with %s is rejected by index and key', async (_, more, field) => {
  const body = await rejected('PATCH', `[${good.replace('}', ',"z":1}')},${good.replace('}', `,${more}}`)}]`);
  expect(body.code).toBe('invalid_records');
  expect(body.errors).toMatchObject([{ index: 1, field, code: 'duplicate_key' }]);
  expect(body.message).toContain(`record 1, \`${field}\``);
});

test('a removal that repeats a key is rejected too', async () => {
  const body = await rejected('DELETE', '[{"integrationId":7,"integrationId":8,"identity":"a"}]');
  expect(body.errors).toMatchObject([{ index: 0, field: 'integrationId', code: 'duplicate_key' }]);
});

test.each([
  '1.0',
  '1e3',
  '1E3',
  '10e-1',
  '-0',
  '0',
  '9007199254740990.6',
  '6.9999999999999999999',
  '9007199254740993',
])('integrationId %s is rejected, not rounded', async (literal) => {
  const body = await rejected('PATCH', `[${good.replace('7', literal)}]`);
  expect(body.errors).toMatchObject([{ index: 0, field: 'integrationId', code: 'integration_id_invalid' }]);
});

test('the largest integrationId is stored digit by digit', async () => {
  const record = good.replace('7', '9007199254740991');
  expect((await client.json('PATCH', path, `[${record}]`)).status).toBe(200);
  expect((await client.get(path)).text).toContain('9007199254740991');
  const removed = await client.json('DELETE', path, '[{"integrationId":9007199254740991,"identity":"a"}]');
  expect(removed.body.counts).toMatchObject({ removed: 1 });
});

test('of thousands of rejected records, 100 errors are listed and all are counted', async () => {
  const body = await rejected(
    'PATCH',
    `[${Array(10_000).fill('{"email":"x","integrationId":0,"identity":1}')}]`,
  );
  expect(body).toMatchObject({ code: 'invalid_records', errorCount: 30_000 });
  expect(body.errors).toHaveLength(100);
  expect(body.message).toContain('30000 errors');
});

test('a record that is too large is one rejected record', async () => {
  const body = await rejected('PATCH', `[${good.replace('"a"', `"${'a'.repeat(70_000)}"`)},{}]`);
  expect(body.errors[0]).toMatchObject({ index: 0, field: null, code: 'record_too_large' });
  expect(body.errors[1]).toMatchObject({ index: 1, field: 'email' });
});

test.each([
  ['[{"email":1,}]', /line 1, column 13/],
  [`[${good},\n  {"email" "x"}]`, /line 2, column 12/],
  [`[${good}`, /ends before the document is complete/],
  [`[${good}]]`, /line 1, column 61/],
])('malformed JSON is rejected with the position of the error: %s', async (sent, place) => {
  const body = await rejected('PATCH', sent);
  expect(body.code).toBe('malformed_json');
  expect(body.message).toMatch(place);
});

const wide = Buffer.from(`[${good}]`, 'utf16le');
const swapped = Buffer.from(wide).swap16();

test.each([
  ['UTF-16LE with a byte order mark', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]), 'in UTF-16LE'],
  ['UTF-16LE', wide, 'in UTF-16LE'],
  ['UTF-16BE with a byte order mark', Buffer.concat([Buffer.from([0xfe, 0xff]), swapped]), 'in UTF-16BE'],
  ['UTF-16BE', swapped, 'in UTF-16BE'],
  ['gzip', gzipSync(good), 'a gzip file'],
  ['an Excel workbook', Buffer.from('PK\x03\x04rest'), 'Excel workbook'],
  [
    'ISO-8859-1',
    Buffer.from(`[${good},\n${good.replace('"a"', '"Jürgen"')}]`, 'latin1'),
    'line 2, column 1 is not valid UTF-8',
  ],
])('an array of records in %s is rejected by name, with what to do', async (_, sent, message) => {
  for (const method of ['PATCH', 'DELETE']) {
    const body = await rejected(method, sent);
    expect(body.code).toBe('malformed_json');
    expect(body.message).toContain(message);
    expect(body.message).toContain('Send JSON');
  }
});

test.each([
  ['brackets without an end', '['.repeat(8 << 20), 'too_deep'],
  ['empty arrays', `[${'[],'.repeat((8 << 20) / 3 - 2)}[]]`, 'invalid_records'],
])('8 MiB of %s are rejected with little CPU time and memory', async (_, sent, code) => {
  const heap = process.memoryUsage().heapUsed;
  expect((await rejected('PATCH', sent)).code).toBe(code);
  // JSON.parse took 284 MiB, and 1.8 s for the brackets.
  expect((process.memoryUsage().heapUsed - heap) / 2 ** 20).toBeLessThan(100);
  // The client and the database drivers run in this process too.
  const parsed = { run: () => JSON.parse(RECORDS), bytes: RECORDS.length };
  const ratio = await costRatio({ run: () => rejected('PATCH', sent), bytes: sent.length }, parsed, 5);
  expect(ratio).toBeLessThan(5);
});

test('unknown fields of a record are ignored and listed in a warning', async () => {
  const sent = `[${good.replace('}', ',"team":{"toString":1,"names":["x"]}}')}]`;
  const response = await client.json('PATCH', path, sent);
  expect(response.status).toBe(200);
  expect(response.body.warnings).toMatchObject([
    { code: 'extra_fields', message: expect.stringContaining('"team"') },
  ]);
});
