import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() => stack.database('identities').delete());

const path = '/v2/developers/identities';
const header = 'email,integrationId,identity\n';
const stored = () => stack.database('identities').whereNotNull('email').orderBy('identity').pluck('identity');
const raw = (method: string, body: string | Buffer, query = '', headers: Record<string, string> = {}) =>
  client.send(method, path + query, {
    body: body as string,
    headers: { 'content-type': 'text/csv', ...headers },
  });
const query = (options: Record<string, string>) => `?${new URLSearchParams(options)}`;

describe('columns and integrationId', () => {
  test('name the columns of a file with an unknown header', async () => {
    const file = 'Mail;"Login, unique"\nada@example.com;ada\n';
    const options = query({ columns: 'email:MAIL,identity:"Login, unique"', integrationId: '7' });
    const { body } = await client.upload(file, options);
    expect(body).toMatchObject({
      columns: { email: 'Mail', identity: 'Login, unique' },
      counts: { created: 1 },
    });
    expect(body.columns.integrationId).toBeUndefined();
    expect((await client.get(path)).body.data).toMatchObject([
      { email: 'ada@example.com', integrationId: 7, identity: 'ada' },
    ]);
  });

  test('without them the error and its job list the columns of the file', async () => {
    const { status, body } = await client.upload('Mail address,Nick,Team\nada@example.com,ada,core\n');
    const candidates = [
      { column: 'Mail address', field: 'email' },
      { column: 'Nick', field: 'identity' },
      { column: 'Team', field: null },
    ];
    expect([status, body.code, body.candidates]).toEqual([400, 'header_missing', candidates]);
    expect((await client.jobEnd(body.jobId)).body.data.error.candidates).toEqual(candidates);
  });

  test('are checked before the file is stored, all at once', async () => {
    await stack.database('jobs').delete();
    const options = query({ columns: 'mail:a,integrationId:b', integrationId: 'x', expectedRows: '0' });
    const { status, body } = await client.upload(header, options);
    expect([status, body.code]).toEqual([400, 'invalid_query']);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'columns',
      'expectedRows',
      'integrationId',
    ]);
    const both = await client.upload(header, query({ columns: 'integrationId:b', integrationId: '7' }));
    expect(both.body.errors).toMatchObject([{ field: 'integrationId', code: 'conflicting' }]);
    expect(await stack.database('jobs')).toHaveLength(0);
  });

  test('apply to CSV only', async () => {
    const options = query({ columns: 'email:a', integrationId: '7', expectedRows: '1' });
    const { status, body } = await client.json('PATCH', path + options, []);
    expect([status, body.errorCount]).toEqual([400, 3]);
    expect(body.errors[0]).toMatchObject({ code: 'not_in_this_format', message: 'applies to CSV only' });
  });
});

describe('a file that ends early', () => {
  const row = (name: string) => `${name}@example.com,7,${name}\n`;
  const whole = header + row('a') + row('b') + row('c');
  const fat = header + Array.from({ length: 5_000 }, (_, i) => row(`dev-${(i * 7919) % 5_000}`)).join('');

  test.each([
    ['a row count below expectedRows', whole, '?expectedRows=4', 'row_count_mismatch'],
    ['a row count above expectedRows', whole, '?expectedRows=2', 'row_count_mismatch'],
    ['an unclosed quote', `${header}${row('a')}b@example.com,7,"b`, '', 'unclosed_quote'],
    ['a truncated gzip file', gzipSync(fat).subarray(0, -9), '', 'gzip_truncated'],
  ])('writes and removes nothing: %s', async (_, file, options, code) => {
    await client.upload(header + row('a'));
    for (const method of ['PATCH', 'DELETE']) {
      const { status, body } = await raw(method, file, `${options}${options ? '&' : '?'}onError=continue`);
      expect([status, body.code]).toEqual([400, code]);
      expect(body.message).toContain('Nothing was written.');
    }
    expect(await stored()).toEqual(['a']);
  });

  test('is accepted with the right row count', async () => {
    const { body } = await client.upload(`${whole}nobody,7,d\n`, '?expectedRows=4&onError=continue');
    expect(body.counts).toMatchObject({ total: 4, created: 3, rejected: 1 });
  });
});

describe('a CSV file as the body', () => {
  const file = `${header}ada@example.com,7,ada\n`;

  test.each([
    ['plain', file, {}],
    ['with a content coding', gzipSync(file), { 'content-encoding': 'gzip' }],
    ['as a gzip file', gzipSync(file), { 'content-type': 'application/gzip' }],
    [
      'in a charset',
      Buffer.from(file.replace(',ada', ',\xe4da'), 'latin1'),
      { 'content-type': 'text/csv; charset=latin1' },
    ],
  ])('is imported: %s', async (_, body, headers) => {
    const response = await raw('PATCH', body, '', headers);
    expect([response.status, response.body.counts?.created]).toEqual([200, 1]);
  });

  test('is repeated safely, also with another content coding', async () => {
    const once = { 'idempotency-key': 'raw-1' };
    const first = await raw('PATCH', file, '', once);
    const second = await raw('PATCH', gzipSync(file), '', { ...once, 'content-encoding': 'gzip' });
    expect([second.status, second.body.jobId]).toEqual([200, first.body.jobId]);
    const other = await raw('PATCH', `${file}\n`, '', once);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('is rejected if it is damaged, empty or of another type', async () => {
    const damaged = await raw('PATCH', gzipSync(file).subarray(0, 30), '', { 'content-encoding': 'gzip' });
    expect([damaged.status, damaged.body.code]).toEqual([400, 'malformed_body']);
    const none = await raw('PATCH', '');
    expect([none.status, none.body.code]).toEqual([400, 'empty_file']);
    const text = await raw('PATCH', file, '', { 'content-type': 'text/plain' });
    expect([text.status, text.body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('a removal by CSV', () => {
  const people = `${header}a@example.com,7,a\nb@example.com,7,b\nc@example.com,8,c\n`;
  const multipart = (content: string, options = '') => {
    const form = new FormData();
    form.append('file', new Blob([content]), 'gone.csv');
    return client.send('DELETE', path + options, { body: form });
  };

  test('removes the accounts that it names from any owner', async () => {
    await client.upload(people);
    const { status, body } = await multipart('email,cloud_id,integration\nz@example.com,a,7\n,zz,7\n,a,7\n');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      message: 'Developer identities removed.',
      columns: { integrationId: 'integration', identity: 'cloud_id' },
      counts: { total: 3, removed: 1, notFound: 2, superseded: 0, rejected: 0 },
    });
    expect(body.warnings).toMatchObject([
      { code: 'extra_columns', message: 'ignored columns: "email"' },
      { code: 'repeated_keys', count: 1 },
    ]);
    expect(await stored()).toEqual(['b', 'c']);
  });

  test('counts the same in a dry run, in JSON as in CSV', async () => {
    await client.upload(people);
    const counts = { total: 2, removed: 1, notFound: 1, superseded: 0, rejected: 0 };
    const csv = await raw('DELETE', 'identity\na\nx\n', '?integrationId=7&dryRun=true');
    const keys = ['a', 'x'].map((identity) => ({ integrationId: 7, identity }));
    const json = await client.json('DELETE', `${path}?dryRun=true`, keys);
    expect([csv.body.counts, json.body.counts]).toEqual([counts, counts]);
    expect(csv.body.message).toMatch(/^Dry run: nothing was written\./);
    expect(await stored()).toEqual(['a', 'b', 'c']);
  });

  test('with an invalid row removes nothing, unless it continues; the rejected file can be corrected', async () => {
    await client.upload(people);
    const file = 'integrationId,identity\n7,a\nseven,b\n7,c,d\n';
    const aborted = await raw('DELETE', file);
    expect([aborted.status, aborted.body.code, aborted.body.errorCount]).toEqual([400, 'invalid_rows', 2]);
    expect(await stored()).toEqual(['a', 'b', 'c']);
    const { body } = await raw('DELETE', file, '?onError=continue');
    expect(body.counts).toMatchObject({ total: 3, removed: 1, rejected: 2 });
    expect(body.message).toMatch(/^2 of 3 rows were rejected\. The others were processed\./);
    const { text } = await client.get(body.links.rejected);
    const again = await raw('DELETE', text, '?onError=continue');
    expect(again.body.counts).toMatchObject({ total: 2, removed: 0, rejected: 2 });
    const { text: twice } = await client.get(again.body.links.rejected);
    expect(twice).toContain(',seven,b,2,');
    const corrected = await raw('DELETE', twice.replace(',seven,b,', ',7,b,'), '?onError=continue');
    expect(corrected.body.counts).toMatchObject({ total: 2, removed: 1, rejected: 1 });
    expect(await stored()).toEqual(['c']);
  });

  test('wins over an upload that was accepted earlier', async () => {
    await client.upload(people);
    const job = await theRow(stack.database('jobs').first());
    await raw('DELETE', 'integrationId,identity\n7,a\n');
    const row = await theRow(stack.database('identities').where({ identity: 'a' }).first());
    expect(row.email).toBeNull();
    expect(Number(row.asserted_by)).toBeGreaterThan(Number(job.acceptance));
  });

  test('rejects the option for a column that it does not read', async () => {
    const { status, body } = await raw('DELETE', 'x', '?columns=email:Mail');
    expect([status, body.errors[0]]).toMatchObject([
      400,
      { field: 'columns', message: 'unknown field "email": use integrationId or identity' },
    ]);
  });
});
