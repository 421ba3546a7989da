import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const PATH = '/v2/developers/identities';
const HEADER = 'email,integrationId,identity\r\n';
const MULLER = `${HEADER}ada@example.com,7,Müller\r\nbob@example.com,7,acct=1\r\n`;
const QP = MULLER.replaceAll('=', '=3D').replaceAll('ü', '=C3=\r\n=BC');

/** Sends a file as the part of a form, with these lines in the headers of the part. */
function sendPart(method: string, path: string, lines: readonly string[], content: string | Buffer) {
  const head = [
    '--b',
    'Content-Disposition: form-data; name="file"; filename="x.csv"',
    ...lines,
    '',
    '',
  ].join('\r\n');
  return client.send(method, path, {
    body: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--b--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=b', prefer: 'wait=30' },
  });
}

const identities = async (): Promise<string[]> =>
  (await client.get(PATH)).body.data.map(({ identity }: { identity: string }) => identity).sort();
const fileOf = async (jobId: string) => (await client.get(`/v2/jobs/${jobId}/file`)).text;

describe.each([
  ['quoted-printable', QP],
  ['base64', Buffer.from(MULLER).toString('base64').replace(/.{76}/g, '$&\r\n')],
])('a file in %s is stored decoded', (encoding, content) => {
  const lines = [`Content-Transfer-Encoding: ${encoding}`];

  test('by an import, a mirror and a removal', async () => {
    for (const [method, path] of [
      ['PATCH', PATH],
      ['POST', `${PATH}/imports`],
    ] as const) {
      expect((await sendPart(method, path, lines, content)).body.counts.total).toBe(2);
      expect(await identities()).toEqual(['Müller', 'acct=1']);
    }
    const mirror = await sendPart(
      'PATCH',
      `${PATH}?mode=mirror&integrationIds=7&maxRemovals=0`,
      lines,
      content,
    );
    expect(mirror.body.counts).toMatchObject({ unchanged: 2, removed: 0 });
    expect((await sendPart('DELETE', `${PATH}?dryRun=true`, lines, content)).body.counts.removed).toBe(2);
    expect((await sendPart('POST', `${PATH}/removals`, lines, content)).body.counts).toMatchObject({
      removed: 2,
      notFound: 0,
    });
    expect(await identities()).toEqual([]);
  });

  test('by a worklist', async () => {
    const { status, body } = await sendPart('POST', '/v2/integrations/7/worklists', lines, content);
    expect(status).toBe(200);
    expect(await fileOf(body.jobId)).toMatch(/,7,Müller,.*,7,acct=1,|,7,acct=1,.*,7,Müller,/s);
  });
});

test('an unknown transfer encoding is rejected by its name, and nothing is stored', async () => {
  for (const [method, path] of [
    ['PATCH', PATH],
    ['DELETE', PATH],
    ['POST', '/v2/integrations/7/worklists'],
  ] as const) {
    const { status, body } = await sendPart(method, path, ['Content-Transfer-Encoding: x-uuencode'], MULLER);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect(body.message).toContain('`Content-Transfer-Encoding` "x-uuencode"');
  }
  expect(await identities()).toEqual([]);
});

const encoded = (text: string, charset: string) => iconv.encode(HEADER + text, charset);

describe('the charset of a part counts like that of a body', () => {
  test.each([
    ['ISO-8859-1', 'é@example.com'],
    ['Shift_JIS', '日本'],
    ['utf-16le', 'Ω'],
  ])('%s', async (charset, name) => {
    const content = encoded(`ada@example.com,8,${name}\r\n`, charset);
    const { body } = await sendPart('PATCH', PATH, [`Content-Type: text/csv; charset="${charset}"`], content);
    expect(body.counts).toMatchObject({ total: 1, created: 1 });
    expect(await identities()).toEqual([name]);
    const headers = { 'content-type': `text/csv; charset=${charset}` };
    expect((await client.send('DELETE', PATH, { body: content, headers })).body.counts.removed).toBe(1);
    const worklist = await sendPart(
      'POST',
      '/v2/integrations/8/worklists',
      [`Content-Type: text/csv; charset=${charset}`],
      content,
    );
    expect(await fileOf(worklist.body.jobId)).toContain(`,8,${name},`);
  });

  test('and contradicts a byte order mark, or the query', async () => {
    const marked = Buffer.from(`\uFEFF${MULLER}`);
    const part = ['Content-Type: text/csv; charset=ISO-8859-1'];
    expect((await sendPart('PATCH', PATH, part, marked)).body.code).toBe('charset_conflict');
    for (const path of [PATH, '/v2/integrations/7/worklists']) {
      const method = path === PATH ? 'PATCH' : 'POST';
      const { body } = await sendPart(method, `${path}?charset=windows-1252`, part, MULLER);
      expect(body.code).toBe('charset_conflict');
    }
    expect((await sendPart('PATCH', `${PATH}?charset=latin1&dryRun=true`, part, MULLER)).status).toBe(200);
  });

  test('and no other one is proposed', async () => {
    const content = encoded('ada@example.com,8,Müller\r\n', 'latin1');
    const errorOf = async (lines: string[]) => (await sendPart('PATCH', PATH, lines, content)).body.message;
    expect(await errorOf([])).toContain('?charset=windows-1252');
    expect(await errorOf(['Content-Type: text/csv; charset=utf-8'])).not.toContain('charset=');
    expect(await errorOf(['Content-Type: text/csv; charset=us-ascii'])).not.toContain('charset=');
  });
});

test('the preview reads a body by the same headers', async () => {
  const preview = (headers: Record<string, string>, body: string | Buffer) =>
    client.send('POST', `${PATH}/preview?complete=true`, { body, headers });
  const { body } = await preview(
    { 'content-type': 'text/csv', 'content-transfer-encoding': 'quoted-printable' },
    QP,
  );
  expect(body.data.rows.map(({ identity }: { identity: string }) => identity)).toEqual(['Müller', 'acct=1']);
  const identity = { 'content-type': 'application/x-gzip; charset=binary', 'content-encoding': 'identity' };
  expect((await preview(identity, MULLER)).body.data).toMatchObject({ charset: 'utf-8', checkedRows: 2 });
  const coded = await preview({ 'content-type': 'text/csv', 'content-encoding': 'gzip' }, MULLER);
  expect([coded.status, coded.headers.get('accept-encoding')]).toEqual([415, 'identity']);
  const pdf = await preview({ 'content-type': 'application/pdf' }, MULLER);
  expect([pdf.status, pdf.headers.get('accept')]).toEqual([
    415,
    'text/csv, application/gzip, application/x-gzip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ]);
});

test.each([
  [{ 'content-type': 'text/csv', 'content-range': 'bytes 0-9/100' }, 400, 'unsupported_header'],
  [{ 'content-type': 'application/json', 'content-range': 'bytes 0-9/100' }, 400, 'unsupported_header'],
  [
    { 'content-type': 'application/json', 'content-digest': 'md5=:AAAAAAAAAAAAAAAAAAAAAA==:' },
    400,
    'digest_mismatch',
  ],
  [{ 'content-type': 'application/json; charset=utf-16' }, 415, 'unsupported_media_type'],
  [
    { 'content-type': 'application/json', 'content-transfer-encoding': 'base64' },
    415,
    'unsupported_media_type',
  ],
  [{ 'content-type': 'text/csv', 'x-http-method-override': 'DELETE' }, 400, 'unsupported_header'],
] as const)('a request is rejected by name that says %j', async (headers, status, code) => {
  const records = JSON.stringify([{ email: 'ada@example.com', integrationId: 9, identity: 'x' }]);
  const body = headers['content-type'].startsWith('application/json') ? records : MULLER;
  const response = await client.send('PATCH', PATH, { body, headers });
  expect([response.status, response.body.code]).toEqual([status, code]);
  expect(await identities()).toEqual([]);
});

test('clients that can only POST are told how to import and remove', async () => {
  const refused = await client.send('POST', PATH, {
    body: MULLER,
    headers: { 'content-type': 'text/csv', 'x-http-method-override': 'PATCH' },
  });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'PATCH, DELETE, HEAD, GET']);
  expect(refused.body.message).toContain(`${PATH}/imports and ${PATH}/removals`);
  for (const path of [`${PATH}/imports`, `${PATH}/removals`]) {
    const got = await client.get(path);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  }
});
