import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { finishJob, insertJob, type JobOutcome } from '../../db/jobs.js';
import { Client } from '../support/client.js';
import { startS3 } from '../support/s3.js';
import { type Stack, startStack } from '../support/stack.js';

const content = randomBytes(700_001).toString('base64');
const bytes = Buffer.byteLength(content);

/** An export that has ended, with a file of its own. */
async function finishedExport(
  stack: Stack,
  outcome: Partial<JobOutcome> = {},
  params: object = {},
): Promise<string> {
  const id = uuidv7();
  const resultKey = `results/${id}.x`;
  await stack.files.write(resultKey, Readable.from([Buffer.from(content)]));
  const exported = { version: 1, filters: {}, format: 'csv', ...params };
  await insertJob(stack.database, {
    id,
    type: 'identity-export',
    queue: 'identity-export',
    apiKeyId: uuidv7(),
    requestId: 'r',
    params: exported,
  });
  const expiresAt = new Date(Date.now() + 60_000);
  await finishJob(stack.database, id, { state: 'completed', resultKey, expiresAt, ...outcome });
  return id;
}

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

  test('comes whole, with its name, size and tag', async () => {
    const whole = await client.get(path);
    expect(whole.status).toBe(200);
    expect(whole.text === content).toBe(true);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-transform',
      'content-disposition': 'attachment; filename="developer-identities.csv"',
      'content-length': String(bytes),
      'content-type': 'text/csv; charset=utf-8',
      etag: expect.stringMatching(/^"[\w.-]+"$/),
    });
    expect(whole.headers.get('content-encoding')).toBeNull();
  });

  test('HEAD says the same without the file, whatever range is asked for', async () => {
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

  test('If-Range gives the part of this very file only, If-None-Match nothing of it', async () => {
    const etag = (await client.get(path)).headers.get('etag') as string;
    const range = 'bytes=1-2';
    expect((await client.get(path, { range, 'if-range': etag })).status).toBe(206);
    for (const other of ['"another"', `W/${etag}`, 'Wed, 21 Oct 2026 07:28:00 GMT'])
      expect((await client.get(path, { range, 'if-range': other })).status).toBe(200);
    const unchanged = await client.get(path, { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect({ status: unchanged.status, text: unchanged.text }).toEqual({ status: 304, text: '' });
  });

  test('a download that is cut at random points and resumed is the same, byte for byte', async () => {
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

describe('without a file', () => {
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    stack = await startStack({ worker: false });
    client = await Client.of(stack, 'developer_records:read');
  });
  afterAll(() => stack.stop());
  const ask = async (id: string) => {
    const { status, body } = await client.get(`/v2/jobs/${id}/file`);
    return { status, code: body.code };
  };

  test('its time over, it is 410, also once it is removed', async () => {
    const id = await finishedExport(stack, { expiresAt: new Date(Date.now() - 1) });
    expect(await ask(id)).toEqual({ status: 410, code: 'result_expired' });
    await stack.database('jobs').where({ id }).update({ result_key: null });
    expect(await ask(id)).toEqual({ status: 410, code: 'result_expired' });
  });

  test('not ready, failed and canceled are 409, unknown and fileless jobs 404', async () => {
    const open = (await client.json('POST', '/v2/developers/identities/exports', {})).body.jobId;
    expect(await ask(open)).toEqual({ status: 409, code: 'job_not_finished' });
    for (const state of ['failed', 'canceled'] as const) {
      const id = uuidv7();
      await insertJob(stack.database, {
        id,
        type: 'identity-export',
        queue: 'identity-export',
        apiKeyId: id,
        requestId: 'r',
        params: {},
      });
      await finishJob(stack.database, id, { state });
      expect(await ask(id)).toEqual({ status: 409, code: `job_${state}` });
    }
    const upload = uuidv7();
    await insertJob(stack.database, {
      id: upload,
      type: 'identity-import',
      queue: 'identity-import',
      apiKeyId: upload,
      requestId: 'r',
      params: {},
    });
    expect(await ask(upload)).toEqual({ status: 404, code: 'not_found' });
    expect(await ask(uuidv7())).toEqual({ status: 404, code: 'not_found' });
  });

  test("a key without the scope to read has no look at others' files", async () => {
    const id = await finishedExport(stack);
    const writer = await Client.of(stack, 'developer_records:write');
    expect((await writer.get(`/v2/jobs/${id}/file`)).status).toBe(404);
  });
});

test('a store that fails in mid-file breaks the connection: no short file looks whole', async () => {
  const stack = await startStack({ worker: false });
  const client = await Client.of(stack);
  const path = `/v2/jobs/${await finishedExport(stack)}/file`;
  const { files } = stack.api;
  stack.api.files = {
    write: (key, source) => files.write(key, source),
    stat: (key) => files.stat(key),
    remove: (key) => files.remove(key),
    list: () => files.list(),
    read: () =>
      Readable.from(
        (async function* () {
          yield Buffer.from(content.slice(0, 1_000));
          throw new Error('the disk is gone');
        })(),
      ),
  };
  await expect(client.get(path)).rejects.toThrow();
  await stack.stop();
});
