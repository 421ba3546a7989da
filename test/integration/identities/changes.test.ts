import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { ageFeed } from '../../support/api/follower.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { IMPORT_CHUNK_ROWS: '3000' } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() => stack.database('identities').delete());

jest.setTimeout(60_000);

const path = '/v2/developers/identities';
const HEADER = 'email,integrationId,identity\n';
const CHANGES = 'integrationId,identity,before,after,outcome,line\n';
const put = (...records: object[]) => client.json('PATCH', path, records);
const record = (email: string, identity: string) => ({ email, integrationId: 7, identity });

/** Returns the changes of the job that a response names. */
async function changesOf({ body }: { body: { links: Record<string, string> } }, query = ''): Promise<string> {
  const response = await client.get(`${body.links.changes}${query}`);
  expect(response.status).toBe(200);
  return response.text;
}

test('the changes of a CSV upload name each account with its owner before and after, its outcome and its line', async () => {
  await put(
    record('ann@example.com', 'a'),
    record('ann@example.com', 'same'),
    record('ann@example.com', 'e'),
  );
  const rows = [
    'new@example.com,7,z',
    'bob@example.com,7,a',
    'ann@example.com,7,same',
    'x@example.com,7,e',
    'bob@example.com,7,e',
    '"""o.hara""@example.com",7,"quoted ""a"", b"',
  ];
  const upload = await client.upload(`${HEADER}${rows.join('\n')}\n`);
  expect(upload.body.counts).toMatchObject({ created: 2, updated: 3, unchanged: 1 });
  expect(await changesOf(upload)).toBe(
    `${CHANGES}7,a,ann@example.com,bob@example.com,updated,3\n` +
      '7,e,ann@example.com,bob@example.com,updated,6\n' +
      '7,"quoted ""a"", b",,"""o.hara""@example.com",created,7\n' +
      '7,z,,new@example.com,created,2\n',
  );
  const again = await client.upload(`${HEADER}${rows.join('\n')}\n`);
  expect(again.body.links.changes).toBe(undefined);
  expect((await client.get(`/v2/jobs/${again.body.jobId}/changes`)).text).toBe(CHANGES);
});

test('a dry run has the changes that the upload would make, and the upload then has the same', async () => {
  await put(record('ann@example.com', 'a'));
  const csv = `${HEADER}bob@example.com,7,a\nbob@example.com,7,b\n`;
  const dry = await client.upload(csv, '?dryRun=true');
  const text = await changesOf(dry);
  expect(text).toBe(
    `${CHANGES}7,a,ann@example.com,bob@example.com,updated,2\n7,b,,bob@example.com,created,3\n`,
  );
  expect(await changesOf(await client.upload(csv))).toBe(text);
});

test('a removal names removed and unknown accounts by their index', async () => {
  await put(record('ann@example.com', 'a'));
  const keys = [
    { integrationId: 7, identity: 'zz' },
    { integrationId: 7, identity: 'a' },
  ];
  const removal = await client.json('DELETE', path, keys);
  expect(await changesOf(removal)).toBe(
    'integrationId,identity,before,after,outcome,index\n7,a,ann@example.com,,removed,1\n7,zz,,,not_found,0\n',
  );
});

test('a superseded row has the owner that the later upload has set', async () => {
  await put(record('ann@example.com', 'a'));
  await stack.database('identities').update({ asserted_by: String(2 ** 52) });
  expect(await changesOf(await put(record('bob@example.com', 'a')))).toContain(
    '7,a,ann@example.com,ann@example.com,superseded,0\n',
  );
});

/** Enough changes for several parts. */
const many = Array.from({ length: 4_000 }, (_, at) => record(`owner${at}@example.com`, `=account-${at}`));

test('a large file can be downloaded in any part, plain, compressed or with formulas escaped', async () => {
  const upload = await put(...many);
  const { jobId } = upload.body;
  const plain = await changesOf(upload);
  expect(plain.split('\n')).toHaveLength(many.length + 2);
  const escaped = await changesOf(upload, '?escapeFormulas=true');
  expect(escaped).toBe(
    plain
      .replaceAll(',=account', ",'=account")
      .replace('identity,before,after', 'identityEscaped,beforeEscaped,afterEscaped'),
  );
  const headers = { authorization: `ApiKey ${await stack.key('developer_records:read')}` };
  const url = `${stack.url}/v2/jobs/${jobId}/changes`;
  const whole = Buffer.from(await (await fetch(`${url}?format=csv.gz`, { headers })).arrayBuffer());
  expect(gunzipSync(whole).toString()).toBe(plain);
  expect(whole.length).toBeLessThan(plain.length / 3);

  for (const [query, all] of [
    ['', Buffer.from(plain)],
    ['?escapeFormulas=true', Buffer.from(escaped)],
    ['?format=csv.gz', whole],
  ] as const) {
    const size = all.length;
    for (const [start, end] of [
      [0, 0],
      [10, 60],
      [size - 9, size - 1],
      [Math.floor(size / 3), Math.floor(size / 2)],
    ] as const) {
      const part = await fetch(url + query, { headers: { ...headers, range: `bytes=${start}-${end}` } });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end}/${size}`,
      ]);
      expect(Buffer.from(await part.arrayBuffer()).equals(all.subarray(start, end + 1))).toBe(true);
    }
  }
});

test('the file has a name, a size and an ETag, also for HEAD', async () => {
  const { jobId } = (await put(record('ann@example.com', 'a'))).body;
  const got = await client.get(`/v2/jobs/${jobId}/changes`);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="changes-${jobId}.csv"`,
    'content-length': String(got.text.length),
    'content-type': 'text/csv; charset=utf-8',
  });
  const etag = got.headers.get('etag') as string;
  const head = await client.send('HEAD', `/v2/jobs/${jobId}/changes`);
  expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, etag, '']);
  const unchanged = await client.get(`/v2/jobs/${jobId}/changes`, { 'if-none-match': etag });
  expect(unchanged.status).toBe(304);
  const other = await client.get(`/v2/jobs/${jobId}/changes?escapeFormulas=true`);
  expect(other.headers.get('etag')).not.toBe(etag);
});

test('a file that is compressed cannot have its formulas escaped', async () => {
  const { jobId } = (await put(record('ann@example.com', 'a'))).body;
  const { status, body } = await client.get(`/v2/jobs/${jobId}/changes?format=csv.gz&escapeFormulas=true`);
  expect([status, body.code, body.errors[0]?.field]).toEqual([400, 'invalid_query', 'escapeFormulas']);
});

test('other jobs have no changes, and a key without the scope does not see them', async () => {
  const exported = await client.send('POST', `${path}/exports`);
  const none = await client.get(`/v2/jobs/${exported.body.jobId}/changes`);
  expect([none.status, none.body.code]).toEqual([404, 'not_found']);
  const { jobId } = (await put(record('ann@example.com', 'a'))).body;
  const reader = await Client.of(stack, 'alerts:read');
  expect((await reader.get(`/v2/jobs/${jobId}/changes`)).status).toBe(403);
});

test('a key that may not read owners does not see them in the changes of its own uploads and dry runs', async () => {
  await put(record('secret@example.com', 'a'));
  const writer = await Client.of(stack, 'developer_records:write');
  const sent = [record('x@example.com', 'a')];
  const jobs = [
    await writer.json('PATCH', `${path}?dryRun=true`, sent),
    await writer.json('DELETE', `${path}?dryRun=true`, sent),
    await writer.json('PATCH', path, sent),
  ];
  for (const { status, body } of jobs) {
    expect(status).toBe(200);
    for (const file of ['changes', 'skipped']) {
      const refused = await writer.get(`/v2/jobs/${body.jobId}/${file}`);
      expect(refused.status).toBe(403);
      expect(refused.body.message).toBe('This API key lacks the scope developer_records:read.');
    }
    expect((await writer.get(`/v2/jobs/${body.jobId}`)).text).not.toContain('secret');
  }
});

test('the changes expire with the job, count against its key until then, and are deleted once the feed no longer needs them', async () => {
  const upload = await put(...many);
  const { jobId } = upload.body;
  const job = () => theRow(stack.database('jobs').where({ id: jobId }).first());
  const parts = () => stack.database('import_changes').where({ job_id: jobId });
  expect((await parts()).length).toBeGreaterThan(2);
  expect(Number((await job()).result_bytes)).toBe(Number((await job()).changes_bytes));
  expect(Number((await job()).changes_bytes)).toBeGreaterThan(1_000);
  await stack
    .database('jobs')
    .where({ id: jobId })
    .update({ expires_at: new Date(Date.now() - 1_000) });
  const gone = await client.get(`/v2/jobs/${jobId}/changes`);
  expect([gone.status, gone.body.code]).toEqual([410, 'result_expired']);
  await doUpkeep(stack.worker as WorkerServices);
  expect(await job()).toMatchObject({ result_bytes: null, changes_bytes: null });
  expect((await parts()).length).toBeGreaterThan(2);
  await ageFeed(stack.database);
  await doUpkeep(stack.worker as WorkerServices);
  expect(await parts()).toEqual([]);
});

test('a worker that records no changes leaves no file, because it would not be complete', async () => {
  const silent = await startStack({ env: { IMPORT_CHANGES: '0' } });
  try {
    const quiet = await Client.of(silent);
    const upload = await quiet.json('PATCH', path, [record('ann@example.com', 'a')]);
    expect(upload.body.links.changes).toBe(undefined);
    const none = await quiet.get(`/v2/jobs/${upload.body.jobId}/changes`);
    expect([none.status, none.body.code]).toEqual([404, 'not_found']);
  } finally {
    await silent.stop();
  }
});
