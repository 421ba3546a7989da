import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { refillIdentities as fill } from '../../support/api/identities.js';
import { startS3 } from '../../support/servers/s3.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const EXPORTS = '/v2/developers/identities/exports';
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

/** Creates an export. Returns its job once it has ended. */
async function exported(parameters: object) {
  const { body, status, headers } = await client.json('POST', EXPORTS, parameters);
  expect({ status, message: body.message }).toEqual({
    status: 202,
    message: expect.stringContaining('Accepted'),
  });
  expect(headers.get('location')).toBe(`/v2/jobs/${body.jobId}`);
  expect(headers.get('retry-after')).toBe('1');
  return (await client.jobEnd(body.jobId)).body.data;
}

test('an export is accepted, created, and served for seven days; a plain download for an hour', async () => {
  await fill(stack.database, 5_000);
  const job = await exported({ integrationIds: [2], sortKey: 'integrationId' });
  expect(job).toMatchObject({
    type: 'identity-export',
    state: 'completed',
    counts: { rows: 1_667 },
    progress: { rowsRead: 1_667, rowsTotal: 1_667, percent: 100 },
    links: { file: `/v2/jobs/${job.id}/file` },
  });
  expect(Date.parse(job.expiresAt) - Date.parse(job.finishedAt)).toBeCloseTo(7 * 24 * 3_600_000, -5);
  const file = await client.get(job.links.file);
  expect(file.text.split('\n').slice(0, 2)).toEqual([
    'email,integrationId,identity',
    'dev@example.com,2,octo-1',
  ]);
  expect(file.text.split('\n').length).toBe(1_667 + 2);

  const download = await client.get('/v2/developers/identities?format=csv');
  const location = download.headers.get('content-location') as string;
  const again = await client.get(location, { range: 'bytes=29-' });
  expect(again.text).toBe(download.text.slice(29));
  const hour = (await client.get(location.replace('/file', ''))).body.data;
  expect(Date.parse(hour.expiresAt) - Date.parse(hour.finishedAt)).toBeCloseTo(3_600_000, -5);
});

test('csv.gz is the same file, compressed, with a matching file name', async () => {
  await fill(stack.database, 3_000);
  const plain = await client.get((await exported({})).links.file);
  const job = await exported({ format: 'csv.gz' });
  const key = await stack.key();
  const response = await fetch(stack.url + job.links.file, { headers: { authorization: `ApiKey ${key}` } });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/gzip',
    'content-disposition': 'attachment; filename="developer-identities.csv.gz"',
  });
  expect(response.headers.get('content-encoding')).toBeNull();
  const unpacked = gunzipSync(Buffer.from(await response.arrayBuffer())).toString();
  expect(unpacked === plain.text).toBe(true);
});

describe('parameters', () => {
  test('are accepted as query or as body, under the same names', async () => {
    await fill(stack.database, 9);
    const byBody = await exported({
      identities: ['octo-1', 'octo-2'],
      escapeFormulas: true,
      sortOrder: 'desc',
    });
    const query = 'identities=octo-1&identities=octo-2&escapeFormulas=true&sortOrder=desc';
    const asked = await client.send('POST', `${EXPORTS}?${query}`);
    expect(asked.status).toBe(202);
    const byQuery = (await client.jobEnd(asked.body.jobId)).body.data;
    const [one, other] = [await client.get(byBody.links.file), await client.get(byQuery.links.file)];
    expect(one.text).toBe(
      'emailEscaped,integrationId,identityEscaped\ndev@example.com,3,octo-2\ndev@example.com,2,octo-1\n',
    );
    expect(other.text).toBe(one.text);
  });

  test('that are invalid are rejected with their names, and no job is queued', async () => {
    const before = (await client.get('/v2/jobs')).body.data.length;
    const { status, body } = await client.json('POST', EXPORTS, {
      emials: ['a@b'],
      integrationIds: ['7'],
      format: 'zip',
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'emials',
      'format',
      'integrationIds.0',
    ]);
    expect((await client.json('POST', `${EXPORTS}?format=csv`, { format: 'csv' })).status).toBe(400);
    expect(
      (await client.send('POST', EXPORTS, { body: 'x', headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(415);
    expect((await client.get('/v2/jobs')).body.data.length).toBe(before);
  });

  test('a request that wants to wait gets the finished job', async () => {
    const { status, body } = await client.json('POST', EXPORTS, {}, { prefer: 'wait=20' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      data: { counts: { rows: 9 }, links: { file: `/v2/jobs/${body.jobId}/file` } },
    });
  });
});

test('an export that is requested twice under one Idempotency-Key is created once', async () => {
  await fill(stack.database, 9);
  for (const [query, body] of [
    ['', { integrationIds: [1] }],
    ['?integrationIds=1', undefined],
  ] as const) {
    const headers = { 'idempotency-key': `again${query.length}`, 'content-type': 'application/json' };
    const init = { headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const first = await client.send('POST', EXPORTS + query, init);
    const second = await client.send('POST', EXPORTS + query, init);
    expect(first.status).toBe(202);
    expect({ body: second.body, replayed: second.headers.get('idempotency-replayed') }).toEqual({
      body: first.body,
      replayed: 'true',
    });
    const other = await client.json('POST', EXPORTS, { integrationIds: [2] }, headers);
    expect(other.body.code).toBe('idempotency_key_reused');
    await client.jobEnd(first.body.jobId);
  }
});

test('an export to S3 is the same as one to disk, and what was uploaded to S3 is imported', async () => {
  const s3 = await startS3();
  const other = await startStack({ env: { STORAGE_URL: s3.url('exports') } });
  await fill(other.database, 4_000);
  await fill(stack.database, 4_000);
  const otherClient = await Client.of(other);
  const [there, here] = [
    await otherClient.get('/v2/developers/identities?format=csv'),
    await client.get('/v2/developers/identities?format=csv'),
  ];
  expect({ status: there.status, same: there.text === here.text }).toEqual({ status: 200, same: true });
  const uploaded = await otherClient.upload(there.text);
  expect(uploaded.body.counts).toMatchObject({ total: 4_000, unchanged: 4_000 });
  await other.stop();
  await s3.stop();
});

test.each(['7.0', '7e0', '6.9999999999999999999', '9007199254740990.6', '9007199254740993'])(
  'a filter by integrationId %s is rejected, not rounded',
  async (literal) => {
    const { status, body } = await client.json('POST', EXPORTS, `{"integrationIds":[${literal}]}`);
    expect([status, body.code]).toEqual([400, 'invalid_body']);
    expect(body.errors).toMatchObject([{ code: 'integration_id_invalid' }]);
  },
);

test('a body that gives one filter two values, or nests too deep, is rejected', async () => {
  const twice = await client.json('POST', EXPORTS, '{"integrationIds":[1],"integrationIds":[2]}');
  expect(twice.body).toMatchObject({
    code: 'invalid_body',
    errors: [{ field: 'integrationIds', code: 'duplicate_key' }],
  });
  const deep = await client.json('POST', EXPORTS, `{"emails":${'['.repeat(30_000)}${']'.repeat(30_000)}}`);
  expect([deep.status, deep.body.code]).toEqual([400, 'too_deep']);
});
