import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { uuidv7 } from 'uuidv7';
import { findJob, greatestAcceptance, insertJob } from '../../../db/jobs/jobs.js';
import { findLookupRows } from '../../../db/lookups/lookup-rows.js';
import { findTable, findTables } from '../../../db/lookups/lookup-tables.js';
import { addMisses } from '../../../db/lookups/misses.js';
import { exportTable } from '../../../workers/jobs/table-export.js';
import { uploadTable } from '../../../workers/jobs/table-upload.js';
import { RowFinder } from '../../../workers/lookups/row-finder.js';
import type { CompiledLookup } from '../../../workers/mapping/index.js';
import { tableExport } from '../../../workers/queues/contracts/table-export.js';
import { type TableUploadParams, tableUpload } from '../../../workers/queues/contracts/table-upload.js';
import { handlers } from '../../../workers/registry.js';
import { readUpload } from '../../../workers/tables/read-table.js';
import { removeOldRevisions } from '../../../workers/upkeep/remove-old-revisions.js';
import { Client } from '../../support/api/client.js';
import { recordedJob, runJob, workerServices } from '../../support/api/run-job.js';
import { watchUploads } from '../../support/api/upload-source.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack, 'tables:write', 'tables:read');
});
afterAll(() => stack.stop());

const csv = (name: string, content: string | Uint8Array, query = '', headers: Record<string, string> = {}) =>
  client.send('PUT', `/v2/tables/${name}${query}`, {
    body: content as string,
    headers: { 'content-type': 'text/csv', ...headers },
  });
const patch = (name: string, content: string, query = '') =>
  client.send('PATCH', `/v2/tables/${name}${query}`, {
    body: content,
    headers: { 'content-type': 'text/csv' },
  });
const rowsOf = async (name: string, query = '') =>
  (await client.get(`/v2/tables/${name}/rows${query}`)).body.data;
const download = async (name: string) =>
  (await client.get(`/v2/tables/${name}`, { accept: 'text/csv' })).text;

const SERVICES = 'service,team,tier\ncheckout,payments,1\nsearch,"find, it",2\n';

describe('an upload', () => {
  test('replaces only the table that it expects, also if another upload was accepted meanwhile', async () => {
    const etagOf = async () => (await client.get('/v2/tables/expected')).headers.get('etag') as string;
    const put = (rows: string, ifMatch: string, query = '') =>
      csv('expected', `k,v\n${rows}`, query, { 'if-match': ifMatch });
    expect((await put('a,1\n', '*')).status).toBe(412);
    const made = await put('a,1\n', '"0"', '?managedBy=repo');
    expect([made.status, made.body.data.managedBy]).toEqual([200, 'repo']);
    const first = await etagOf();
    expect((await client.get('/v2/tables/expected', { 'if-none-match': first })).status).toBe(304);
    const again = await put('a,1\n', '"0"');
    expect([again.status, again.body.code, again.headers.get('etag')]).toEqual([
      412,
      'precondition_failed',
      first,
    ]);
    expect((await put('a,2\n', first)).status).toBe(200);
    const changed = await etagOf();
    expect(changed).not.toBe(first);
    // The same rows with another owner of the file: no new revision.
    const { revision } = (await client.get('/v2/tables/expected')).body.data;
    const rows = (await rowsOf('expected')).map(({ k, v }: { k: string; v: string }) => `${k},${v}\n`);
    const moved = await put(rows.join(''), changed, '?managedBy=');
    expect(moved.body.data).toMatchObject({ revision, managedBy: null });
    const gone = await client.send('DELETE', '/v2/tables/expected', { headers: { 'if-match': changed } });
    expect(gone.status).toBe(412);
    const last = { 'if-match': await etagOf() };
    expect((await client.send('DELETE', '/v2/tables/expected', { headers: last })).status).toBe(204);
  });

  test('is a revision that can be read, downloaded, changed and taken back', async () => {
    const first = await csv('services', SERVICES);
    expect(first.body).toMatchObject({
      message: 'The upload is the active revision now.',
      data: {
        name: 'services',
        revision: 1,
        matching: 'exact',
        keyColumns: ['service'],
        columns: ['service', 'team', 'tier'],
        rowCount: 2,
      },
      counts: { total: 2, added: 2, changed: 0, unchanged: 0, removed: 0, rejected: 0 },
      warnings: [],
    });
    expect(await rowsOf('services', '?key=search')).toEqual([
      { service: 'search', team: 'find, it', tier: '2' },
    ]);
    expect(await rowsOf('services', '?key=Search')).toEqual([]);
    expect(await download('services')).toBe(SERVICES);

    const same = await csv('services', gzipSync(await download('services')), '', {
      'content-type': 'application/gzip',
    });
    expect(same.body).toMatchObject({
      message: 'Nothing was written: the active revision, 1, has the same content.',
      data: { revision: 1 },
      counts: { unchanged: 2, added: 0 },
      warnings: [{ code: 'already_active' }],
    });
    const webhooks = '/v2/tables/services/webhooks';
    expect([first, same].map(({ body }) => body.links.webhooks)).toEqual([webhooks, undefined]);

    const changed = 'service,tier,team\nsearch,2,discovery\nbasket,3,payments\n';
    const dry = await csv('services', changed, '?dryRun=true');
    expect(dry.body).toMatchObject({
      message: expect.stringMatching(/^Dry run/),
      data: { revision: 1 },
      counts: { total: 2, added: 1, changed: 1, unchanged: 0, removed: 1 },
    });
    expect(dry.body.links).not.toHaveProperty('webhooks');
    const { text } = await client.get(dry.body.links.file);
    expect(parse(text, { columns: true })).toEqual([
      { outcome: 'changed', key: 'search', column: 'team', before: 'find, it', after: 'discovery' },
      {
        outcome: 'added',
        key: 'basket',
        column: '',
        before: '',
        after: '{"service":"basket","tier":"3","team":"payments"}',
      },
      {
        outcome: 'removed',
        key: 'checkout',
        column: '',
        before: '{"service":"checkout","team":"payments","tier":"1"}',
        after: '',
      },
    ]);
    expect(await download('services')).toBe(SERVICES);
    expect((await csv('services', changed)).body.data).toMatchObject({ revision: 2, rowCount: 2 });
    expect(await download('services')).toBe(changed);

    const revisions = (await client.get('/v2/tables/services/revisions')).body.data;
    expect(revisions).toMatchObject([
      { revision: 2, current: true, rowCount: 2 },
      { revision: 1, current: false, jobId: first.body.jobId, savedBy: { name: expect.any(String) } },
    ]);
    const reverted = await client.json('POST', '/v2/tables/services/revert', { revision: 1 });
    expect(reverted.body.data).toMatchObject({ revision: 1 });
    expect(await download('services')).toBe(SERVICES);
    expect((await client.json('POST', '/v2/tables/services/revert', { revision: 9 })).status).toBe(404);
    // The same content as an earlier revision makes that the active one.
    const again = await csv('services', changed);
    expect(again.body).toMatchObject({
      message: expect.stringContaining('as revision 2. That one is active again.'),
      data: { revision: 2 },
      warnings: [{ code: 'identical_revision' }],
    });
    const { links } = (await client.jobEnd(again.body.jobId)).body.data;
    expect([links.webhooks, again.body.links.webhooks]).toEqual([webhooks, webhooks]);
  });

  test('adds rows to a table and changes them, where the rest stays', async () => {
    await csv('merged', 'a,b,team,tier\n1,x,red,1\n2,x,blue,2\n', '?key=a&key=b');
    const body = 'b,a,tier,line\nx,2,5,7\ny,3,6,8\n';
    const merged = await client.send('PATCH', '/v2/tables/merged', {
      body,
      headers: { 'content-type': 'text/csv' },
    });
    expect(merged.body).toMatchObject({
      counts: { total: 2, added: 1, changed: 1, unchanged: 1, removed: 0 },
      warnings: [{ code: 'extra_columns' }],
      data: { revision: 2, rowCount: 3, keyColumns: ['a', 'b'] },
    });
    expect(await download('merged')).toBe('a,b,team,tier\n1,x,red,1\n2,x,blue,5\n3,y,,6\n');
    expect(await rowsOf('merged', '?key=3&key=y')).toEqual([{ a: '3', b: 'y', team: '', tier: '6' }]);
    expect((await client.get('/v2/tables/merged/rows?key=3')).body.errors[0].message).toMatch(/a, b$/);
    // The content decides, not the way to it.
    expect((await csv('merged', await download('merged'))).body.warnings[0].code).toBe('already_active');
    expect(
      (await client.send('PATCH', '/v2/tables/none', { body, headers: { 'content-type': 'text/csv' } }))
        .status,
    ).toBe(404);
  });

  test('of rows leaves all rows in their places, and adds new ones at the end', async () => {
    await csv('ordered', 'pattern,value\na*,1\n*a,2\nb,3\n', '?matching=glob');
    expect((await patch('ordered', 'pattern,value\na*,1\n')).body).toMatchObject({
      counts: { added: 0, changed: 0, unchanged: 3 },
      warnings: [{ code: 'already_active' }],
      data: { revision: 1 },
    });
    expect((await patch('ordered', 'value,pattern\n4,c\n5,a*\n6,d\n', '?dryRun=true')).body.counts).toEqual(
      expect.objectContaining({ added: 2, changed: 1, unchanged: 2 }),
    );
    await patch('ordered', 'value,pattern\n4,c\n5,a*\n6,d\n');
    const all = 'pattern,value\na*,5\n*a,2\nb,3\nc,4\nd,6\n';
    expect(await download('ordered')).toBe(all);
    expect(await rowsOf('ordered', '?key=aa')).toEqual([{ pattern: 'a*', value: '5' }]);
    expect((await csv('ordered', all)).body.warnings[0].code).toBe('already_active');
    await csv('ordered', all.replace('a*,5\n*a,2', '*a,2\na*,5'));
    expect(await rowsOf('ordered', '?key=aa')).toEqual([{ pattern: '*a', value: '2' }]);
  });

  test('is searched for the row that a lookup finds', async () => {
    await csv('searched', 'start,value\nab,1\nx,2\n', '?matching=prefix');
    const found = async (key: string) =>
      (await rowsOf('searched', `?key=${encodeURIComponent(key)}`)).map(
        ({ value }: { value: string }) => value,
      );
    expect(await found(' abc')).toEqual(['1']);
    expect(await found('x'.repeat(1_000))).toEqual(['2']);
    expect(await found('x'.repeat(1_001))).toEqual([]);
    expect(await found(' ')).toEqual([]);
  });

  test('of rows at the same time as others keeps all of them', async () => {
    await csv('parallel', 'key,value\na,1\n');
    const keys = Array.from({ length: 8 }, (_, at) => `k${at}`);
    const done = await Promise.all(keys.map((key) => patch('parallel', `key,value\n${key},2\n`)));
    expect(done.map(({ status, body }) => [status, body.code])).toEqual(keys.map(() => [200, undefined]));
    const rows: { key: string }[] = await rowsOf('parallel');
    expect(rows.map(({ key }) => key).sort()).toEqual(['a', ...keys]);
  });

  test('may be JSON, whose later objects may have more members', async () => {
    const sent =
      '[{"service":"a","tier":1.0},{"service":"b","on":true,"none":null},{"team":"x","service":"c"}]';
    const { body } = await client.json('PUT', '/v2/tables/json', sent);
    expect(body.data.columns).toEqual(['service', 'tier', 'on', 'none', 'team']);
    expect(await rowsOf('json')).toEqual([
      { service: 'a', tier: '1.0', on: '', none: '', team: '' },
      { service: 'b', tier: '', on: 'true', none: '', team: '' },
      { service: 'c', tier: '', on: '', none: '', team: 'x' },
    ]);
    expect((await csv('json', await download('json'))).body.warnings[0].code).toBe('already_active');
    const invalid = await client.json(
      'PUT',
      '/v2/tables/json',
      '[{"service":{}},{"service":"a"},{"service":"a"},7]',
    );
    expect(invalid.body.errors).toEqual([
      { index: 0, field: 'service', code: 'invalid_type', message: expect.any(String) },
      {
        index: 2,
        field: 'service',
        code: 'key_repeated',
        message: 'has the key of index 1. A table has one row for each key',
      },
      { index: 3, field: null, code: 'invalid_type', message: 'must be an object' },
    ]);
    const { text } = await client.get(`/v2/jobs/${invalid.body.jobId}/rejected`);
    expect(parse(text, { bom: true, columns: true })[0]).toMatchObject({
      index: '0',
      record: '{"service":{}}',
    });
    expect((await client.json('PUT', '/v2/tables/json', '[{"a":1},')).body.code).toBe('malformed_json');
  });

  test('with invalid rows changes nothing, and names all of them', async () => {
    await csv('nets', 'network,site\n10.0.0.0/8,Berlin\n', '?matching=cidr');
    const file = 'network,site\n10.1.0.0/16,\n10.1.2.3/16,Oslo\nhost,#N/A\n,x\n10.2.0.0/16,a,b\n';
    const { status, body } = await csv('nets', file);
    expect([status, body.code, body.errorCount]).toEqual([400, 'invalid_rows', 4]);
    expect(body.errors.map(({ line, field, code }: Record<string, unknown>) => [line, field, code])).toEqual([
      [3, 'network', 'key_repeated'],
      [4, 'site', 'cell_damaged'],
      [5, 'network', 'key_missing'],
      [6, null, 'cell_count'],
    ]);
    const { text } = await client.get(`/v2/jobs/${body.jobId}/rejected`);
    expect(parse(text, { bom: true, columns: true })[1]).toMatchObject({
      network: 'host',
      site: '#N/A',
      line: '4',
    });
    expect(await rowsOf('nets')).toHaveLength(1);

    const partly = await csv('nets', file, '?onError=continue&damaged=keep');
    expect(partly.body).toMatchObject({
      counts: { total: 5, added: 1, removed: 1, rejected: 4 },
      data: { revision: 2, matching: 'cidr' },
      message: expect.stringMatching(/4 of 5 rows were rejected/),
    });
    expect(await rowsOf('nets', '?key=10.1.200.3')).toEqual([{ network: '10.1.0.0/16', site: '' }]);
  });

  test.each([
    ['a,b\n', 'empty_file', ''],
    ['a,b\n1,2\n', 'column_missing', '?key=c'],
    [
      `${Array.from({ length: 21 }, (_, at) => `c${at}`).join(',')}\n${','.repeat(20)}\n`,
      'too_many_columns',
      '',
    ],
    ['a,,b\n1,2,3\n', 'column_unnamed', ''],
    ['a,__proto__\n1,2\n', 'column_name_invalid', ''],
    ['a,a\n1,2\n', 'column_repeated', ''],
    ['a,b\n1,2\n', 'row_count_mismatch', '?expectedRows=2'],
    ['é,e\u0301\n1,2\n', 'column_repeated', ''],
  ])('%j is rejected: %s', async (content, code, query) => {
    expect((await csv('invalid', content, query)).body.code).toBe(code);
    expect((await client.get('/v2/tables/invalid')).status).toBe(404);
  });

  test('has no header or footer as a row, unless damaged=keep says so', async () => {
    const file = 'service,team\nservice,team\nx,y\n(2 rows)\n-----,-----\nPage 1 of 3,\nTotal,12\n';
    const { body } = await csv('report', file, '?onError=continue');
    expect(body.counts).toMatchObject({ added: 2, rejected: 4 });
    const { text } = await client.get(`/v2/jobs/${body.jobId}/rejected`);
    for (const code of ['repeated_header', 'summary_line']) expect(text).toContain(code);
    expect(text).not.toContain('cell_count');
    expect(await rowsOf('report')).toEqual([
      { service: 'x', team: 'y' },
      { service: 'Total', team: '12' },
    ]);
    const kept = await csv('report', file.replace('(2 rows)\n', ''), '?damaged=keep');
    expect(kept.body.counts).toMatchObject({ total: 5, rejected: 0 });
  });

  test('with marks of spreadsheets is downloaded so that it is read as it is', async () => {
    const rows = ["'9", '="007"', '="a""b"', '007', '"'].map((k) => ({ k, v: k }));
    const put = await client.json('PUT', '/v2/tables/marks?damaged=keep', rows);
    expect(put.body.counts).toMatchObject({ added: 5 });
    const again = await csv('marks', await download('marks'), '?damaged=keep');
    expect(again.body.warnings).toContainEqual(expect.objectContaining({ code: 'already_active' }));
    expect(await rowsOf('marks')).toEqual(rows);
  });

  test('says which key is meant and which column it lacks', async () => {
    await csv('meant', 'Service,e\u0301\na,b\n');
    const other = await csv('meant', 'name\na\n');
    expect(other.body.message).toContain('the key is that of the present table. Pass `?key=`');
    const { body } = await csv('meant', 'e\u0301,x\na,b\n', `?key=${encodeURIComponent('é')}`);
    expect(body.data).toMatchObject({ keyColumns: ['é'] });
    const twice = await csv('meant', 'a\nb\n', '?key=a&key=a');
    expect([twice.status, twice.text]).toEqual([
      400,
      expect.stringContaining('must not name a column twice'),
    ]);
    const large = await client.json('PUT', '/v2/tables/meant', [{ k: 'x'.repeat(70_000) }]);
    expect(large.body).toMatchObject({ code: 'invalid_rows', errors: [{ code: 'record_too_large' }] });
    const revert = await client.json('POST', '/v2/tables/meant/revert', { revision: 9 });
    expect(revert.body.message).toBe('This revision does not exist: revisions 2, 1 are kept.');
  });

  test('is carried out once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await csv('once', SERVICES, '', headers);
    const again = await csv('once', SERVICES, '', headers);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect((await csv('once', 'a\n1\n', '', headers)).status).toBe(422);
  });
});

test('ten revisions are kept, upkeep deletes the others, and a deleted table comes back without them', async () => {
  for (let tier = 1; tier <= 12; tier++) await csv('kept', `service,tier\na,${tier}\n`);
  const kept = async () =>
    (await client.get('/v2/tables/kept/revisions?pageSize=20')).body.data.map(
      (one: { revision: number }) => one.revision,
    );
  expect(await kept()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect((await client.json('POST', '/v2/tables/kept/revert', { revision: 2 })).status).toBe(404);
  expect((await client.send('DELETE', '/v2/tables/kept')).status).toBe(204);
  expect((await client.get('/v2/tables/kept')).status).toBe(404);
  expect((await csv('kept', 'service,tier\na,3\n')).body.data.revision).toBe(13);
  expect(await kept()).toEqual([13]);

  const services = { database: stack.database };
  const upkeep = async () => {
    for await (const _ of removeOldRevisions.run(services as never, {} as never));
  };
  await upkeep();
  const [{ id } = { id: 0 }] = await stack.database('lookup_tables').where({ name: 'kept' }).select('id');
  const stored = () => stack.database('lookup_rows').where({ table_id: id }).distinct('revision');
  // Workers may still read the others.
  expect(await stored()).toHaveLength(13);
  await stack
    .database('lookup_revisions')
    .where({ table_id: id, state: 'removed' })
    .update({ created_at: new Date(Date.now() - 3_600_000) });
  await upkeep();
  expect(await stored()).toEqual([{ revision: 13 }]);
});

const UPLOAD: TableUploadParams = {
  version: 1,
  table: 'test',
  mode: 'replace',
  keyName: 'test',
  format: 'csv',
  matching: 'exact',
  onError: 'abort',
  dryRun: false,
  bytes: 0,
  maxBytes: 1e9,
  maxRows: 1e6,
};

/** Records an upload as the API does, but adds it to no queue. Returns the id of the job. */
async function recordUpload(
  table: string,
  content: Buffer,
  more: Partial<TableUploadParams> = {},
): Promise<string> {
  const jobId = uuidv7();
  const sourceKey = `uploads/${jobId}`;
  await stack.files.write(sourceKey, Readable.from([content]));
  await insertJob(stack.database, {
    id: jobId,
    type: tableUpload.name,
    queue: tableUpload.queues[0],
    apiKeyId: jobId,
    requestId: jobId,
    acceptance: (await greatestAcceptance(stack.database)) + 1,
    sourceKey,
    params: { ...UPLOAD, table, bytes: content.length, ...more },
  });
  return jobId;
}

test('an upload that waits while somebody reverts or deletes its table changes nothing', async () => {
  for (const value of [1, 2]) await csv('waiting', `key,value\na,${value}\n`);
  const upload = async (decide: () => Promise<unknown>) => {
    const jobId = await recordUpload('waiting', Buffer.from(`key,value\n${uuidv7()},3\n`));
    await decide();
    await runJob(handlers['table-upload'], recordedJob(jobId), workerServices(stack));
    const { data } = (await client.get(`/v2/jobs/${jobId}`)).body;
    expect(data.links).not.toHaveProperty('webhooks');
    return data;
  };
  const superseded = { state: 'completed', warnings: [{ code: 'superseded' }] };
  expect(await upload(() => client.json('POST', '/v2/tables/waiting/revert', { revision: 1 }))).toMatchObject(
    superseded,
  );
  expect((await client.get('/v2/tables/waiting')).body.data.revision).toBe(1);
  expect(await upload(() => client.send('DELETE', '/v2/tables/waiting'))).toMatchObject(superseded);
  expect((await client.get('/v2/tables/waiting')).status).toBe(404);
});

test('an upload that was accepted for a revision does not replace another one', async () => {
  const work = (jobId: string) => runJob(handlers['table-upload'], recordedJob(jobId), workerServices(stack));
  await csv('based', 'key,value\na,1\n');
  const rules = { key: ['key'], base: 1 };
  const first = await recordUpload('based', Buffer.from('key,value\na,2\n'), rules);
  const second = await recordUpload('based', Buffer.from('key,value\na,3\n'), rules);
  const same = await recordUpload('based', Buffer.from('key,value\na,2\n'), rules);
  const added = await recordUpload('based', Buffer.from('key,value\nb,1\n'), { ...rules, mode: 'merge' });
  expect(await work(first)).toBe('completed');
  await expect(work(second)).rejects.toThrow('table_changed');
  expect(await work(same)).toBe('completed');
  await expect(work(added)).rejects.toThrow('table_changed');
  expect(await download('based')).toBe('key,value\na,2\n');
  const created = await recordUpload('based', Buffer.from('key,value\na,4\n'), { key: ['key'], base: null });
  await expect(work(created)).rejects.toThrow('table_changed');
});

describe('added rows', () => {
  const MERGE: Partial<TableUploadParams> = { mode: 'merge', key: ['key'] };
  const work = (jobId: string) => runJob(handlers['table-upload'], recordedJob(jobId), workerServices(stack));
  const jobOf = async (jobId: string) => (await client.get(`/v2/jobs/${jobId}`)).body.data;

  test('wait for an upload of their table that was accepted before, and not for one of another table', async () => {
    for (const name of ['turn', 'turns']) await csv(name, 'key,value\na,1\n');
    const first = await recordUpload('turn', Buffer.from('key,value\nb,1\n'), MERGE);
    const other = await recordUpload('turns', Buffer.from('key,value\nb,2\n'), MERGE);
    const second = await recordUpload('turn', Buffer.from('key,value\nb,3\n'), MERGE);
    await expect(work(second)).rejects.toThrow('not_yet');
    expect(await jobOf(second)).toMatchObject({ state: 'queued', startedAt: null });
    for (const jobId of [other, first, second]) expect(await work(jobId)).toBe('completed');
    expect(await download('turn')).toBe('key,value\na,1\nb,3\n');
  });

  test('come after an upload that was accepted later and ended before they were recorded', async () => {
    await csv('faster', 'key,value\na,1\n');
    const late = await recordUpload('faster', Buffer.from('key,value\nb,1\n'), MERGE);
    await stack.database('jobs').where({ id: late }).update({ state: 'failed' });
    const fast = await recordUpload('faster', Buffer.from('key,value\nc,1\n'), MERGE);
    expect(await work(fast)).toBe('completed');
    await stack.database('jobs').where({ id: late }).update({ state: 'queued' });
    expect(await work(late)).toBe('completed');
    expect(await download('faster')).toBe('key,value\na,1\nc,1\nb,1\n');
  });

  test('change nothing once somebody reverts the table, or a later upload has ended since they started', async () => {
    for (const value of [1, 2]) await csv('later', `key,value\na,${value}\n`);
    const reverted = await recordUpload('later', Buffer.from('key,value\nb,1\n'), MERGE);
    await client.json('POST', '/v2/tables/later/revert', { revision: 1 });
    await expect(work(reverted)).rejects.toThrow('table_changed');
    const started = await recordUpload('later', Buffer.from('key,value\na,3\n'), MERGE);
    const startedAt = new Date(Date.now() - 60_000);
    await stack
      .database('jobs')
      .where({ id: started })
      .update({ state: 'failed', error: '{}', started_at: startedAt, finished_at: startedAt });
    expect((await patch('later', 'key,value\na,4\n')).status).toBe(200);
    const headers = { prefer: 'wait=30' };
    const retry = await client.send('POST', `/v2/jobs/${started}/retry`, { headers });
    expect(retry.status).toBe(409);
    expect(retry.body.code).toBe('table_changed');
    expect(await download('later')).toBe('key,value\na,4\n');
  });
});

test('added rows whose worker was killed right after they became active end as they would have', async () => {
  await csv('added', 'key,value\na,1\n');
  const jobId = await recordUpload('added', Buffer.from('key,value\nb,2\n'), { mode: 'merge', key: ['key'] });
  await stack.database('jobs').where({ id: jobId }).update({ state: 'running' });
  const job = await findJob(stack.database, jobId);
  if (!job) throw new Error('no job');
  for (let start = 1; start <= 2; start++)
    expect(await uploadTable(job, workerServices(stack))).toMatchObject({
      state: 'completed',
      counts: { added: 1, unchanged: 1 },
      warnings: [],
    });
  expect(await download('added')).toBe('key,value\na,1\nb,2\n');
});

test('large rows make small batches, and an export that loses its rows fails', async () => {
  const cell = 'x'.repeat(4_000);
  const rows = Array.from({ length: 1_100 }, (_, at) => [`key ${at}`, cell]);
  const lines = Buffer.from(`key,value\n${rows.map((cells) => cells.join()).join('\n')}\n`);
  const objects = Buffer.from(JSON.stringify(rows.map(([key, value]) => ({ key, value }))));
  for (const [format, content] of [
    ['csv', lines],
    ['json', objects],
  ] as const) {
    const sizes: number[] = [];
    const source = async function* () {
      yield content;
    };
    for await (const { records } of readUpload(source(), { ...UPLOAD, format })) sizes.push(records.length);
    expect([sizes.length, sizes.reduce((sum, size) => sum + size, 0)]).toEqual([2, 1_100]);
  }
  await csv('losing', lines);
  expect(await download('losing')).toBe(lines.toString());
  const table = await findTable(stack.database, 'losing');
  if (!table) throw new Error('no table');
  await stack.database('lookup_rows').where({ table_id: table.id, position: 500 }).delete();
  const id = uuidv7();
  const [queue] = tableExport.queues;
  await insertJob(stack.database, {
    ...{ id, type: tableExport.name, queue, apiKeyId: id, requestId: id },
    params: { version: 1, table: 'losing' },
  });
  const job = await findJob(stack.database, id);
  if (!job) throw new Error('no job');
  await expect(exportTable(job, workerServices(stack))).rejects.toThrow(/deleted meanwhile/);
});

test('a worker that dies while it writes leaves the active revision as it is, and another one goes on', async () => {
  await csv('interrupted', 'key,value\na,1\n');
  const rows = Array.from({ length: 30_000 }, (_, at) => `key ${at},${'x'.repeat(20)}`);
  const content = Buffer.from(`key,value\n${rows.join('\n')}\n`);
  const jobId = await recordUpload('interrupted', content);
  const worker = workerServices(stack);
  const deliver = (files = stack.files) =>
    runJob(handlers['table-upload'], recordedJob(jobId), { ...worker, files });
  // The third reading is that of the write pass. It breaks off after the first steps.
  const broken = watchUploads(stack.files, (offset) => {
    if (broken.readings.length === 3 && offset > 0.7 * content.length) throw new Error('broken off');
  });
  await expect(deliver(broken.files)).rejects.toThrow();
  const written = await stack
    .database('lookup_rows AS r')
    .join('lookup_revisions AS v', (on) => on.on('v.table_id', 'r.table_id').on('v.revision', 'r.revision'))
    .where('v.job_id', jobId)
    .count({ count: '*' });
  expect(Number(written[0]?.count)).toBeGreaterThan(0);
  expect(await download('interrupted')).toBe('key,value\na,1\n');
  for await (const _ of removeOldRevisions.run({ database: stack.database } as never, {} as never));

  await deliver();
  expect((await client.get(`/v2/jobs/${jobId}`)).body.data).toMatchObject({
    state: 'completed',
    counts: { added: 30_000, removed: 1 },
  });
  expect(await download('interrupted')).toBe(content.toString());
});

test('missed keys are the rows of an upload, and of one event as many are kept as fit', async () => {
  const now = new Date();
  const missed = (table: string, keys: string[]) =>
    addMisses(
      stack.database,
      keys.map((key) => ({ table, key, count: 1, firstAt: now, lastAt: now, eventId: uuidv7() })),
    );
  const all = Array.from({ length: 10_001 }, (_, at) => `key ${at}`);
  await missed('many', all);
  expect(await stack.database('lookup_misses').where('table_name', 'many')).toHaveLength(10_000);

  await csv('missed', 'team,login\nx,eve\n', '?matching=caseInsensitive&key=login');
  await missed('missed', ['Ann', 'ann', '#N/A', '=SUM(A1)', 'a,b;"c"', 'x'.repeat(501), 'a\0b']);
  const { text } = await client.get('/v2/tables/missed/misses?format=csv');
  const headers = { 'content-type': 'text/csv' };
  const { body } = await client.send('PATCH', '/v2/tables/missed?damaged=keep', { headers, body: text });
  expect(body.counts).toMatchObject({ total: 0, added: 0, rejected: 0 });
  expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'keys_only', count: 4 }));
  const filled = text.replaceAll(/^,/gm, 'red,');
  const added = await client.send('PATCH', '/v2/tables/missed?damaged=keep', { headers, body: filled });
  expect(added.body.counts).toMatchObject({ total: 4, added: 4, rejected: 0 });
  // The old file has an empty cell for each of them, which empties none.
  await client.send('PATCH', '/v2/tables/missed?damaged=keep', { headers, body: text });
  expect((await rowsOf('missed', '?key=ann'))[0].team).toBe('red');
  const left = (await client.get('/v2/tables/missed/misses?pageSize=1')).body.data;
  expect(left).toHaveLength(1);
});

test('rows are held with the columns that lookups read, as many as have 8 million characters at first', async () => {
  const cell = 'x'.repeat(4_000);
  const keys = Array.from({ length: 2_100 }, (_, at) => `k${at}`);
  const lines = keys.map((key) => `${key},${cell},y\n`);
  const { body } = await csv('large', `key,value,other\n${lines.join('')}`);
  await client.jobEnd(body.jobId);
  const ofColumns = (columns: (string[] | null)[]) =>
    columns.map(
      (names): CompiledLookup => ({
        ...{ name: 'large', place: { table: 'large' }, key: [] },
        ...{ usesItem: false, usesLookup: false, usesOwner: false, columns: names && new Set(names) },
      }),
    );
  const find = async (...columns: (string[] | null)[]) => {
    const rows = await new RowFinder(stack.database).begin(ofColumns(columns));
    const rounds: number[] = [];
    const found = await rows.settle((source, wanted) => {
      const all = keys.map((key) => source({ table: 'large' }, key).row);
      rounds.push(wanted.size);
      return all;
    });
    return { rounds, row: found[0] };
  };
  const whole = { key: 'k0', value: cell, other: 'y' };
  expect(await find(null, ['other'])).toEqual({ rounds: [2_100, 100, 0], row: whole });
  expect(await find(['other'], ['key'])).toEqual({ rounds: [2_100, 0], row: { key: 'k0', other: 'y' } });
});

test('all kinds of matching find their rows in one query for a batch', async () => {
  await csv('paths', 'path,team\n/,web\n/api,core\n/api/v2,next\n', '?matching=prefix');
  await csv('people', 'login,team\nAda,a\nÉmile,b\n', '?matching=caseInsensitive');
  await csv('hosts', 'host,team\nweb-*,web\nweb-db?,data\n*,rest\n', '?matching=glob');
  const tables = await findTables(stack.database, ['paths', 'people', 'hosts', 'nets', 'missing']);
  const find = async (name: string, ...keys: string[]) => {
    const table = tables.get(name);
    if (!table) throw new Error(`no table ${name}`);
    const rows = await findLookupRows(stack.database, table, keys);
    return keys.map((key) => rows.get(key)?.key ?? null);
  };
  expect(tables.has('missing')).toBe(false);
  expect(await find('paths', '/api/v2/users', '/api/v1', '/', 'api', '')).toEqual([
    '/api/v2',
    '/api',
    '/',
    null,
    null,
  ]);
  expect(await find('people', 'ADA', 'émile', 'e\u0301mile', 'bob')).toEqual(['Ada', 'Émile', 'Émile', null]);
  expect(await find('hosts', 'web-1', 'web-db1', 'web-db12', 'mail')).toEqual([
    'web-*',
    'web-db?',
    'web-*',
    '*',
  ]);
  const several = await csv('hosts', 'a,b\n1,2\n', '?matching=glob&key=a&key=b');
  expect(several.body.errors[0].message).toBe('cannot be glob for a key of several columns');
  const patterns = Array.from({ length: 1_001 }, (_, at) => `${at}*\n`).join('');
  expect((await csv('hosts', `host\n${patterns}`)).body.code).toBe('too_many_rows');
  expect(await find('nets', '::ffff:10.1.2.3', '11.0.0.1')).toEqual(['10.1.0.0/16', null]);
});

test('lists page, and keys need the scopes', async () => {
  const first = await client.get('/v2/tables?pageSize=2');
  const second = await client.get(`/v2/tables?pageSize=2&cursor=${first.body.page.nextCursor}`);
  const names = [...first.body.data, ...second.body.data].map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(new Set(names).size).toBe(4);
  const page = await client.get('/v2/tables/services/rows?pageSize=1');
  expect(
    (await client.get(`/v2/tables/services/rows?cursor=${page.body.page.nextCursor}`)).body.data,
  ).toHaveLength(1);

  const reader = await Client.of(stack, 'tables:read');
  expect((await reader.get('/v2/tables/services')).status).toBe(200);
  expect((await reader.send('DELETE', '/v2/tables/services')).status).toBe(403);
  const other = await Client.of(stack, 'alerts:read');
  expect((await other.get('/v2/tables')).status).toBe(403);
  expect((await client.get('/v2/tables/Services')).status).toBe(404);
});
