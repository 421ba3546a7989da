import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { insertIdentities } from '../../support/api/identities.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const PATH = '/v2/developers/identities';
const day = (n: number) => new Date(Date.UTC(2026, 0, n));
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack, 'developer_records:read');
  await insertIdentities(stack.database, [
    { email: 'ann@example.com', integrationId: 7, identity: '007', updatedAt: day(3) },
    { email: 'ann@example.com', integrationId: 8, identity: 'Ann, "the" 100%', updatedAt: day(1) },
    { email: 'bob_b@example.com', integrationId: 7, identity: 'Bob', updatedAt: day(2) },
    { email: 'jürgen@example.com', integrationId: 9, identity: 'ÄÖ_x', updatedAt: day(5) },
    { email: null, integrationId: 7, identity: 'removed', updatedAt: day(6) },
  ]);
});
afterAll(() => stack.stop());

/** Returns the identities that a query finds, in its order. */
async function found(query: string): Promise<string[]> {
  const { body, status } = await client.get(`${PATH}?${query}`);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data.map((row: { identity: string }) => row.identity);
}

test.each([
  ['', ['007', 'Bob', 'Ann, "the" 100%', 'ÄÖ_x']],
  ['emails=ANN@example.com', ['007', 'Ann, "the" 100%']],
  ['emails=ann@example.com,bob_b@example.com&integrationIds=7', ['007', 'Bob']],
  ['integrationIds=8&integrationIds=9', ['Ann, "the" 100%', 'ÄÖ_x']],
  [`identities=${encodeURIComponent('Ann, "the" 100%')}&identities=Bob`, ['Bob', 'Ann, "the" 100%']],
  ['identities=bob', []],
  ['identities=removed', []],
  ['searchKey=identity&searchValue=%25', ['Ann, "the" 100%']],
  ['searchKey=identity&searchValue=_', ['ÄÖ_x']],
  ['searchKey=identity&searchValue=BO', ['Bob']],
  [`searchKey=identity&searchValue=${encodeURIComponent('äö')}`, ['ÄÖ_x']],
  [`searchKey=identity&searchValue=${encodeURIComponent('A\u0308o\u0308')}`, ['ÄÖ_x']],
  ['searchKey=email&searchValue=B_B@', ['Bob']],
  ['updatedSince=2026-01-03T00:00:00Z', ['007', 'ÄÖ_x']],
  ['updatedSince=2026-01-03T01:00:00%2B01:00', ['007', 'ÄÖ_x']],
  ['sortKey=email', ['007', 'Ann, "the" 100%', 'Bob', 'ÄÖ_x']],
  ['sortKey=email&sortOrder=desc', ['ÄÖ_x', 'Bob', 'Ann, "the" 100%', '007']],
  ['sortKey=updatedAt', ['Ann, "the" 100%', 'Bob', '007', 'ÄÖ_x']],
  ['sortOrder=desc&pageSize=2', ['ÄÖ_x', 'Ann, "the" 100%']],
  ['pageIndex=1&pageSize=3', ['ÄÖ_x']],
])('%j finds %j', async (query, identities) => {
  expect(await found(query)).toEqual(identities);
});

test('a page has a link to the next page, the total and a Vary header', async () => {
  const first = await client.get(`${PATH}?pageIndex=0&pageSize=3&includeTotal=true&sortKey=updatedAt`);
  expect(first.headers.get('vary')).toContain('Accept');
  expect(first.body.data[0]).toEqual({
    email: 'ann@example.com',
    integrationId: 8,
    identity: 'Ann, "the" 100%',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  });
  expect(first.body.page).toMatchObject({ pageIndex: 0, pageSize: 3, total: 4 });
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] as string;
  const second = await client.get(next);
  expect(second.body.data).toMatchObject([{ identity: 'ÄÖ_x' }]);
  expect(second.body.page).toEqual({ pageSize: 3, nextCursor: null, total: 4 });
  expect(second.headers.get('link')).toBeNull();
});

describe('an invalid query is rejected with the name of the parameter', () => {
  test.each([
    ['emial=a@b', 'emial', 'unknown_parameter', /did you mean emails\?/],
    ['pageSize=0', 'pageSize', 'too_small', /1/],
    ['pageSize=1001', 'pageSize', 'too_big', /1000/],
    ['pageSize=1e2', 'pageSize', 'invalid_format', /integer/],
    ['pageIndex=100&pageSize=1000', 'pageIndex', 'too_deep', /nextCursor/],
    ['pageIndex=99999999999', 'pageIndex', 'too_deep', /nextCursor/],
    ['pageIndex=1&cursor=x', 'pageIndex', 'conflicting', /cannot be combined/],
    ['sortKey=identity', 'sortKey', 'invalid_value', /updatedAt/],
    ['searchKey=email', 'searchValue', 'missing', /go together/],
    ['searchValue=x', 'searchKey', 'missing', /go together/],
    ['updatedSince=yesterday', 'updatedSince', 'invalid_format', /2026-01-31/],
    ['integrationIds=1.0', 'integrationIds.0', 'integration_id_invalid', /must be an integer/],
    ['emails=nobody', 'emails.0', 'email_invalid', /@/],
    ['cursor=x', 'cursor', 'invalid_cursor', /nextCursor/],
    ['format=xml', 'format', 'invalid_value', /csv/],
    ['format=csv&pageSize=5', 'pageSize', 'not_in_this_format', /JSON/],
    ['escapeFormulas=true', 'escapeFormulas', 'not_in_this_format', /CSV/],
  ])('%j', async (query, field, code, message) => {
    const { status, body } = await client.get(`${PATH}?${query}`);
    expect({ status, errors: body.errors }).toEqual({
      status: 400,
      errors: [{ field, code, message: expect.stringMatching(message) }],
    });
  });

  test('all errors at once', async () => {
    const { body } = await client.get(`${PATH}?emails=x&pageSize=no&sortOder=asc`);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'emails.0',
      'pageSize',
      'sortOder',
    ]);
  });

  test('a cursor of another list', async () => {
    const { body } = await client.get(`${PATH}?pageSize=1`);
    const { nextCursor } = body.page;
    expect((await client.get(`${PATH}?pageSize=3&cursor=${nextCursor}`)).status).toBe(200);
    for (const other of [
      'sortOrder=desc',
      'sortKey=email',
      'integrationIds=7',
      'searchKey=email&searchValue=a',
    ]) {
      const { status, body } = await client.get(`${PATH}?${other}&cursor=${nextCursor}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_cursor' });
    }
  });
});

test.each([
  ['application/json', 200, 'application/json; charset=utf-8'],
  ['*/*', 200, 'application/json; charset=utf-8'],
  ['text/csv;q=0.5, application/json', 200, 'application/json; charset=utf-8'],
  ['text/*', 200, 'text/csv; charset=utf-8'],
  ['application/json;q=0.1, text/csv', 200, 'text/csv; charset=utf-8'],
  ['application/xml', 406, 'application/json; charset=utf-8'],
])('Accept: %s', async (accept, status, type) => {
  const response = await client.get(PATH, { accept });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('vary')).toContain('Accept');
});

test('format overrides Accept, and a CSV uses the filters and the order', async () => {
  const { text } = await client.get(
    `${PATH}?format=csv&sortKey=integrationId&sortOrder=desc&integrationIds=7,8`,
    {
      accept: 'application/json',
    },
  );
  expect(text).toBe(
    'email,integrationId,identity\nann@example.com,8,"Ann, ""the"" 100%"\nbob_b@example.com,7,Bob\nann@example.com,7,007\n',
  );
});

test('without the scope to read, the list is 403', async () => {
  const writer = await Client.of(stack, 'developer_records:write');
  expect((await writer.get(PATH)).status).toBe(403);
});

test('a page with its total uses one connection: the count starts after the page is read', async () => {
  const order: string[] = [];
  const kind = (sql: string) => (/count\(/i.test(sql) ? 'count' : 'page');
  const note =
    (what: string) =>
    ({ sql }: { sql: string }) => {
      if (/from `?identities/i.test(sql)) order.push(`${what} ${kind(sql)}`);
    };
  const [began, ended] = [note('began'), (_: unknown, query: { sql: string }) => note('ended')(query)];
  const database = await stack.api.reading.choose();
  database.on('query', began);
  database.on('query-response', ended);
  const { body } = await client.get(`${PATH}?includeTotal=true`);
  expect(body.page.total).toBe(4);
  expect(order).toEqual(['began page', 'ended page', 'began count', 'ended count']);
});
