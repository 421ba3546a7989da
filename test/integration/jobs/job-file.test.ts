import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Client } from '../../support/api/client.js';
import { bytes, content, finishedExport } from '../../support/api/finished-export.js';
import { startS3 } from '../../support/servers/s3.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

describe.each(['disk', 's3'])('a file from %s', (kind) => {
  let stack: Stack;
  let client: Client;
  let path: string;
  let stopS3 = async () => {};
  beforeAll(async () => {
    const s3 = kind === 's3' ? await startS3() : null;
    if (s3) stopS3 = s3.stop;
    stack = await startStack({ worker: false, env: s3 ? { STORAGE_URL: s3.url('files') } : {} });
    client = await Client.of(stack, 'developer_records:read');
    path = `/v2/jobs/${await finishedExport(stack)}/file`;
  });
  afterAll(async () => {
    await stack.stop();
    await stopS3();
  });

  test('is sent complete, with its name, size and ETag', async () => {
    const whole = await client.get(path);
    expect(whole.status).toBe(200);
    expect(whole.text === content).toBe(true);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'no-store, no-transform',
      'content-disposition': 'attachment; filename="developer-identities.csv"',
      'content-length': String(bytes),
      'content-type': 'text/csv; charset=utf-8',
      etag: expect.stringMatching(/^"[\w.-]+"$/),
    });
    expect(whole.headers.get('content-encoding')).toBeNull();
  });

  test('HEAD has the same headers without the file, for any range', async () => {
    const [get, head] = [
      await client.get(path),
      await client.send('HEAD', path, { headers: { range: 'bytes=0-1' } }),
    ];
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    for (const name of ['content-length', 'content-type', 'content-disposition', 'etag', 'accept-ranges'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=5-', 5, bytes - 1],
    ['bytes=-7', bytes - 7, bytes - 1],
    [`bytes=-${bytes + 5}`, 0, bytes - 1],
    [`bytes=3-${bytes + 9}`, 3, bytes - 1],
  ])('%s is a part', async (range, start, end) => {
    const part = await client.get(path, { range });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/${bytes}`);
    expect(part.headers.get('content-length')).toBe(String(end - start + 1));
    expect(part.text === content.slice(start, end + 1)).toBe(true);
  });

  test.each([`bytes=${bytes}-`, 'bytes=-0', 'bytes=99999999999-'])('%s is 416', async (range) => {
    const { status, headers, body } = await client.get(path, { range });
    expect({ status, code: body.code }).toEqual({ status: 416, code: 'range_not_satisfiable' });
    expect(headers.get('content-range')).toBe(`bytes */${bytes}`);
  });

  test.each(['lines=1-2', 'bytes=5-2', 'bytes=a-b', 'bytes=0-1,4-5', 'bytes=-'])(
    '%s is ignored',
    async (range) => {
      const { status, text } = await client.get(path, { range });
      expect({ status, whole: text === content }).toEqual({ status: 200, whole: true });
    },
  );

  test('If-Range gives a part only of the same file, If-None-Match gives 304', async () => {
    const etag = (await client.get(path)).headers.get('etag') as string;
    const range = 'bytes=1-2';
    expect((await client.get(path, { range, 'if-range': etag })).status).toBe(206);
    for (const other of ['"another"', `W/${etag}`, 'Wed, 21 Oct 2026 07:28:00 GMT'])
      expect((await client.get(path, { range, 'if-range': other })).status).toBe(200);
    const unchanged = await client.get(path, { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect({ status: unchanged.status, text: unchanged.text }).toEqual({ status: 304, text: '' });
  });

  test('a download that is interrupted at random points and resumed has the same bytes', async () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes - 1 }), { minLength: 1, maxLength: 6 });
    const property = fc.asyncProperty(cuts, async (points) => {
      const joined = await downloadInPieces(stack, client, path, points);
      expect(joined === content).toBe(true);
    });
    await fc.assert(property, { numRuns: 8 });
  }, 60_000);
});

/** Downloads by connections that each break off somewhere behind the next point. */
async function downloadInPieces(
  stack: Stack,
  client: Client,
  path: string,
  points: number[],
): Promise<string> {
  const key = await stack.key('developer_records:read');
  const etag = (await client.send('HEAD', path)).headers.get('etag') as string;
  let got = Buffer.alloc(0);
  for (const point of [...points.sort((a, b) => a - b), Number.POSITIVE_INFINITY]) {
    const broken = new AbortController();
    const headers = { authorization: `ApiKey ${key}`, range: `bytes=${got.length}-`, 'if-range': etag };
    const response = await fetch(stack.url + path, { headers, signal: broken.signal });
    expect(response.status).toBe(206);
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      got = Buffer.concat([got, chunk]);
      if (got.length >= point) break;
    }
    broken.abort();
    if (got.length === bytes) break;
  }
  return got.toString();
}
