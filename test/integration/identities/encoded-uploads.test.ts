import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const LIMIT = 1_000_000;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { UPLOAD_MAX_BYTES: String(LIMIT) } });
  client = await Client.of(stack);
  mkdirSync(join(stack.folder, 'files', 'uploads'), { recursive: true });
});
afterAll(() => stack.stop());

const uploads = () => readdirSync(join(stack.folder, 'files', 'uploads'));

const file =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nemail,integrationId,identity\na@example.com,1,a\n';
const blank = '\n'.repeat(20 * LIMIT);

function send(body: string, gzip: boolean) {
  return client.send('PATCH', '/v2/developers/identities', {
    body: gzip ? gzipSync(body) : new Blob([body]).stream(),
    headers: {
      'content-type': 'multipart/form-data; boundary=b',
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    },
    duplex: 'half',
  } as RequestInit);
}

const tooMuch = [
  ['in its file', `${file}${blank}\r\n--b--\r\n`],
  ['after its file', `${file}\r\n--b--\r\n${blank}`],
] as const;

test.each(tooMuch)('a gzip body counts decompressed: too much %s is rejected', async (_, body) => {
  const response = await send(body, true);
  expect([response.status, response.body.code]).toEqual([413, 'too_large']);
  await until('nothing of it is stored', () => uploads().length === 0);
});

test.each(tooMuch)('the limit also applies to a body without a Content-Length: %s', async (_, body) => {
  const response = await send(body, false);
  expect([response.status, response.body.code]).toEqual([413, 'too_large']);
});

test.each([true, false])(
  'much text in front of the file is rejected before it is read (gzip: %s)',
  async (gzip) => {
    const response = await send(`${blank}\r\n${file}\r\n--b--\r\n`, gzip);
    expect([response.status, response.body.code]).toEqual([400, 'malformed_multipart']);
  },
);

test('a gzip body within the limit is accepted', async () => {
  const response = await send(`${'\n'.repeat(1_000)}\r\n${file}\r\n--b--\r\n`, true);
  expect([response.status, response.body.counts.total]).toEqual([200, 1]);
});
