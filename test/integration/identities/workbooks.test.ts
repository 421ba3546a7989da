import { afterAll, beforeAll, expect, test } from '@jest/globals';
import writeWorkbook from 'write-excel-file/node';
import { Client } from '../../support/api/client.js';
import { toRows, workbookOf } from '../../support/files/workbook-file.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { SMALL_UPLOAD_BYTES: '200000' } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const PATH = '/v2/developers/identities';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const HEAD = ['email', 'integrationId', 'identity'];
const headers = { 'content-type': TYPE };

const fileOf = (rows: readonly (string | number)[][]): Promise<Buffer> =>
  writeWorkbook([HEAD, ...rows].map((row) => row.map((value) => ({ value }))) as never).toBuffer();
const stored = async (integrationId: number) =>
  (await client.get(`${PATH}?integrationIds=${integrationId}`)).body.data.map(
    ({ email, identity }: { email: string; identity: string }) => `${email} ${identity}`,
  );

test('a workbook adds, mirrors and removes accounts, as the part of a form and as the body', async () => {
  const added = await client.upload(
    await fileOf([
      ['ada@example.com', 70, 'ada'],
      ['bob@example.com', 70, 1041],
    ]),
  );
  expect(added.body).toMatchObject({ counts: { created: 2 }, columns: { identity: 'identity' } });
  expect(await stored(70)).toEqual(['bob@example.com 1041', 'ada@example.com ada']);
  const mirror = '?mode=mirror&integrationIds=70&maxRemovals=1';
  const body = await fileOf([['ada@example.com', 70, 'ada']]);
  const mirrored = await client.send('PATCH', `${PATH}${mirror}`, { body, headers });
  expect(mirrored.body.counts).toMatchObject({ unchanged: 1, removed: 1 });
  const removed = await client.send('DELETE', PATH, { body, headers });
  expect(removed.body.counts).toMatchObject({ removed: 1 });
  expect(await stored(70)).toEqual([]);
});

test('rows whose cells are not certain are rejected, and the others written', async () => {
  const date = { xml: '<c t="d"><v>2026-01-02</v></c>' };
  const rows = toRows([HEAD, ['ada@example.com', 71, 'ada'], ['bob@example.com', 71, date]]);
  const aborted = await client.upload(workbookOf({ rows }));
  expect([aborted.status, aborted.body.code]).toEqual([400, 'invalid_rows']);
  expect(aborted.body.errors).toEqual([
    expect.objectContaining({ line: 3, field: 'identity', code: 'cell_is_date' }),
  ]);
  expect(await stored(71)).toEqual([]);
  const { body } = await client.upload(workbookOf({ rows }), '?onError=continue');
  expect(body.counts).toMatchObject({ created: 1, rejected: 1 });
  const rejected = await client.get(body.links.rejected);
  expect(rejected.text).toContain('bob@example.com,71,,3,cell_is_date,');
});

test('the sheet is chosen in the query, which other files reject', async () => {
  const sheets =
    '<sheet name="People" sheetId="1" r:id="rId1"/><sheet name="Other" sheetId="2" r:id="rId2"/>';
  const file = workbookOf({ rows: toRows([HEAD, ['ada@example.com', 72, 'ada']]), sheets });
  expect((await client.upload(file)).body).toMatchObject({ code: 'sheet_missing' });
  expect((await client.upload(file, '?sheet=People')).body.counts).toMatchObject({ created: 1 });
  const csv = await client.upload(`${HEAD.join()}\nada@example.com,72,ada\n`, '?sheet=People');
  expect([csv.status, csv.body.errors]).toEqual([
    400,
    [{ field: 'sheet', code: 'not_in_this_format', message: 'applies to Excel workbooks (.xlsx) only' }],
  ]);
});

test('a large workbook waits in the queue of large uploads', async () => {
  const queueOf = async (rows: number) => {
    const file = await fileOf(
      Array.from({ length: rows }, (_, at) => [`dev${at}@example.com`, 73, `dev-${at}`]),
    );
    const { body } = await client.upload(file, '?dryRun=true', { prefer: 'wait=60' });
    return (await theRow(stack.database('jobs').where({ id: body.jobId }).first('queue'))).queue;
  };
  expect(await queueOf(10)).toBe('identity-import');
  expect(await queueOf(3_000)).toBe('identity-import-large');
});

test('a worklist and a preview read a workbook', async () => {
  await client.json('PATCH', PATH, [
    { email: 'ada.lovelace@example.com', integrationId: 74, identity: 'al' },
  ]);
  const body = workbookOf({
    rows: toRows([
      ['login', 'name'],
      ['lovelacea', 'Ada Lovelace'],
    ]),
  });
  const { body: job } = await client.send('POST', '/v2/integrations/75/worklists', {
    body,
    headers: { ...headers, prefer: 'wait=30' },
  });
  expect(job.data.counts).toMatchObject({ total: 1, withCandidates: 1 });
  const file = await fileOf([['ada@example.com', 76, 'ada']]);
  const preview = await client.send('POST', `${PATH}/preview`, { body: file, headers });
  expect(preview.body.data).toMatchObject({
    error: null,
    rows: [{ line: 2, email: 'ada@example.com', integrationId: '76', identity: 'ada' }],
  });
  const csv = { body: `${HEAD.join()}\n`, headers: { 'content-type': 'text/csv' } };
  const misplaced = await client.send('POST', `${PATH}/preview?sheet=People`, csv);
  expect([misplaced.status, misplaced.body.errors[0].field]).toEqual([400, 'sheet']);
});
