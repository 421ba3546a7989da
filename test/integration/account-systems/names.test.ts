import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const pathOf = (integrationId: number | string) => `/v2/integrations/${integrationId}`;
const put = (integrationId: number, body: object, headers: Record<string, string> = {}) =>
  client.json('PUT', pathOf(integrationId), body, headers);
const byName = (name: string, query = '') =>
  `/v2/by-name/account-systems/${encodeURIComponent(name)}${query}`;

test('a name is created, listed, replaced and taken away; what is left out gets the default of its kind', async () => {
  expect((await client.get(pathOf(7))).status).toBe(404);
  const created = await put(7, { name: ' GitHub ', kind: 'github' }, { 'if-match': '"0"' });
  expect([created.status, created.headers.get('etag'), created.headers.get('location')]).toEqual([
    201,
    '"1"',
    pathOf(7),
  ]);
  expect(created.body.data).toEqual({
    integrationId: 7,
    name: 'GitHub',
    kind: 'github',
    accountUrl: 'https://github.com/{identity}',
    managedBy: null,
    revision: 1,
    savedBy: { id: expect.any(String), name: 'test' },
    updatedAt: expect.stringMatching(/Z$/),
  });
  await put(9007199254740991, { name: 'Jira', accountUrl: 'http://jira.example.com/u?name={identity}' });
  const first = await client.get('/v2/integrations?pageSize=1');
  expect(first.body.data.map((one: { name: string }) => one.name)).toEqual(['GitHub']);
  const second = await client.get(`/v2/integrations?pageSize=1&cursor=${first.body.page.nextCursor}`);
  expect(second.body.data).toMatchObject([{ integrationId: 9007199254740991, name: 'Jira', kind: 'other' }]);
  expect(second.body.page.nextCursor).toBeNull();

  const renamed = await put(7, { name: 'Code', kind: 'github', accountUrl: null }, { 'if-match': '"1"' });
  expect([renamed.status, renamed.headers.get('etag')]).toEqual([200, '"2"']);
  const read = await client.get(pathOf(7));
  expect(read.body.data).toMatchObject({ name: 'Code', accountUrl: null, revision: 2 });
  expect(read.headers.get('etag')).toBe('"2"');

  expect((await client.send('DELETE', pathOf(7), { headers: { 'if-match': '"1"' } })).status).toBe(412);
  expect((await client.send('DELETE', pathOf(7))).status).toBe(204);
  expect((await client.send('DELETE', pathOf(7))).status).toBe(404);
  expect((await client.get(pathOf(7))).status).toBe(404);
});

test('If-Match keeps a change that somebody else has made', async () => {
  await put(20, { name: 'Twenty' });
  await put(20, { name: 'Twenty one' });
  for (const tag of ['"1"', '"0"']) {
    const refused = await put(20, { name: 'Twenty two' }, { 'if-match': tag });
    expect([refused.status, refused.body.code, refused.body.current.revision]).toEqual([
      412,
      'precondition_failed',
      2,
    ]);
  }
  expect((await put(21, { name: 'New' }, { 'if-match': '*' })).status).toBe(412);
  expect((await client.get(pathOf(20))).body.data.name).toBe('Twenty one');
});

test('no two account systems have the same name, whatever the order of requests', async () => {
  await put(30, { name: 'Slack' });
  const second = await put(31, { name: 'Slack' });
  expect([second.status, second.body.code]).toEqual([409, 'name_in_use']);
  expect(second.body.message).toContain('The account system 30 has the name "Slack"');
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, at) => put(40 + at, { name: 'Wanted by many' })),
  );
  expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  expect((await put(31, { name: 'slack' })).status).toBe(201);
});

test.each([
  ['javascript:alert(1)//{identity}', 'https://'],
  ['data:text/html,{identity}', 'https://'],
  ['//evil.example/{identity}', 'https://'],
  ['https://github.com/', 'exactly once'],
  ['https://github.com/{identity}/{identity}', 'exactly once'],
  ['https://{identity}.example.com/', 'host'],
  ['https://example.com{identity}', 'host'],
  ['https://example.com:{identity}/', 'host'],
  ['https://{identity}@example.com/', 'host'],
  ['https://github.com@evil.example/{identity}', 'host'],
  ['https://user:secret@example.com/{identity}', 'host'],
  ['https://example.com/%{identity}', 'hex digits'],
  ['https://example.com/%2{identity}', 'hex digits'],
  ['https://example.com/{login}/{identity}', 'braces'],
  ['https://example.com\\@evil.example/{identity}', 'host'],
  ['https://example.com/\\{identity}', 'backslash'],
  ['https://example.com/a/%2E./{identity}', '. or ..'],
  ['https://example.com:99999/{identity}', 'must be a URL'],
  ['https://exa\u202emple.com/{identity}', 'ASCII'],
  ['https://example.com/\n{identity}', 'ASCII'],
  ['https://example.com/\u0000{identity}', 'ASCII'],
  ['https://example.com/ {identity}', 'ASCII'],
])('the pattern %j is rejected', async (accountUrl, reason) => {
  const { status, body } = await put(50, { name: 'Bad', accountUrl });
  expect([status, body.errors[0].field]).toEqual([400, 'accountUrl']);
  expect(body.errors[0].message).toContain(reason);
  expect((await client.get(pathOf(50))).status).toBe(404);
});

test.each([
  '',
  ' ',
  '7',
  '٧٨',
  '.',
  '..',
  'a\u202eb',
  'a\u2066b',
  'a\u0000b',
  'a\nb',
  'a\u200bb',
  'x'.repeat(101),
])('the name %j is rejected', async (name) => {
  expect((await put(51, { name })).status).toBe(400);
  expect((await client.get(pathOf(51))).status).toBe(404);
});

test('unknown kinds and members are rejected, and impossible numbers do not exist', async () => {
  expect((await put(52, { name: 'A', kind: 'myspace' })).body.errors[0].field).toBe('kind');
  expect((await put(52, { name: 'A', url: 'https://example.com/{identity}' })).status).toBe(400);
  for (const id of ['0', '007', 'seven', '1e3', '9007199254740992'])
    expect((await client.json('PUT', pathOf(id), { name: 'A' })).status).toBe(404);
});

test('a key that only reads may not name, and one without the scope may not read', async () => {
  const reader = await Client.of(stack, 'developer_records:read');
  expect((await reader.json('PUT', pathOf(60), { name: 'No' })).status).toBe(403);
  expect((await reader.get('/v2/integrations')).status).toBe(200);
  const other = await Client.of(stack, 'alerts:read');
  expect((await other.get('/v2/integrations')).status).toBe(403);
});

describe('a document', () => {
  test('names, renames, moves the name to another number, and is deleted', async () => {
    const document = { name: 'Zürich / 50%', integrationId: 70, kind: 'gitlab' };
    const created = await client.json('PUT', byName(document.name), document, { 'if-match': '"0"' });
    expect([created.status, created.body.data.outcome]).toEqual([201, 'created']);
    const read = await client.get(byName(document.name));
    expect(read.body.data.document).toEqual({
      ...document,
      accountUrl: 'https://gitlab.com/{identity}',
      managedBy: null,
    });
    const again = await client.json('PUT', byName(document.name), document);
    expect(again.body.data).toMatchObject({ outcome: 'unchanged', changes: [] });

    const moved = { ...document, integrationId: 71 };
    const changed = await client.json('PUT', byName(document.name), moved);
    expect(changed.body.data.changes).toEqual([{ path: 'integrationId', before: 70, after: 71 }]);
    expect((await client.get(pathOf(70))).status).toBe(404);
    expect((await client.get(pathOf(71))).body.data).toMatchObject({ name: document.name, revision: 2 });

    const renamed = await client.json('PUT', byName(document.name), { ...moved, name: 'Zug' });
    expect(renamed.body.data.outcome).toBe('changed');
    const etag = (await client.get(byName('Zug'))).headers.get('etag') as string;
    await put(71, { name: 'Zug', kind: 'jira' });
    expect((await client.send('DELETE', byName('Zug'), { headers: { 'if-match': etag } })).status).toBe(412);
    expect((await client.send('DELETE', byName('Zug'))).status).toBe(204);
  });

  test('does not take the number of another name', async () => {
    await put(80, { name: 'Eighty' });
    const taken = await client.json('PUT', byName('Ninety'), { name: 'Ninety', integrationId: 80 });
    expect([taken.status, taken.body.code]).toEqual([409, 'number_in_use']);
    await put(81, { name: 'Ninety' });
    const moved = await client.json('PUT', byName('Ninety', '?dryRun=true'), {
      name: 'Ninety',
      integrationId: 80,
    });
    expect([moved.status, moved.body.code]).toEqual([409, 'number_in_use']);
    const renamed = await client.json('PUT', byName('Ninety'), { name: 'Eighty', integrationId: 81 });
    expect([renamed.status, renamed.body.code]).toEqual([409, 'name_in_use']);
  });
});
