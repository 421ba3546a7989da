import { gzipSync } from 'node:zlib';
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

const header = 'email,integrationId,identity\n';
const path = '/v2/developers/identities';

test('a file that ends early just after its first rejected row is rejected, and the worker keeps running', async () => {
  const good = Array.from({ length: 3_000 }, (_, i) => `a${i}@example.com,1,x${i}\n`).join('');
  for (let i = 0; i < 5; i++) {
    const response = await client.upload(`${header}bad,1,x\n${good}"unclosed`);
    expect([response.status, response.body.code]).toEqual([400, 'unclosed_quote']);
  }
});

test.each([
  ['no gzip at all', (whole: Buffer) => Buffer.from(`not gzip, ${whole.length}`)],
  ['cut off', (whole: Buffer) => gzipSync(whole).subarray(0, 60)],
])('a body whose content coding is broken is rejected: %s', async (_, spoil) => {
  const form = new FormData();
  form.append('file', new Blob([`${header}a@example.com,1,x\n`]), 'x.csv');
  const { headers, ...whole } = await encode(form);
  const response = await client.send('PATCH', path, {
    body: spoil(whole.body),
    headers: { ...headers, 'content-encoding': 'gzip' },
  });
  expect([response.status, response.body.code]).toEqual([400, 'malformed_body']);
});

async function encode(form: FormData) {
  const response = new Response(form);
  const headers = { 'content-type': response.headers.get('content-type') as string };
  return { headers, body: Buffer.from(await response.arrayBuffer()) };
}

test('JSON after a byte order mark is accepted', async () => {
  const records = [{ email: 'bom@example.com', integrationId: 1, identity: 'bom' }];
  const response = await client.json('PATCH', path, `\uFEFF${JSON.stringify(records)}`);
  expect([response.status, response.body.counts?.created]).toEqual([200, 1]);
});

test('JSON of length zero is an empty body, and JSON with a content coding is rejected', async () => {
  const empty = await client.json('PATCH', path, '');
  expect([empty.status, empty.body.code]).toEqual([400, 'empty_body']);
  const coded = await client.json('PATCH', path, '[]', { 'content-encoding': 'gzip' });
  expect(coded.status).toBe(415);
});

test('the rejected rows of a failed import expire too', async () => {
  const { body } = await client.upload(`${header}bad,1,x\n`);
  const job = await client.get(`/v2/jobs/${body.jobId}`);
  expect(Date.parse(job.body.data.expiresAt)).toBeGreaterThan(Date.now() + 6 * 24 * 60 * 60 * 1_000);
});
