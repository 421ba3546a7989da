import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Client } from '../../support/api/client.js';
import { insertIdentities, type TestIdentity } from '../../support/api/identities.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack, 'developer_records:read');
});
afterAll(() => stack.stop());

const START = Date.UTC(2026, 0, 1);
/** Few different values, so that there are many ties. */
const rows: TestIdentity[] = Array.from({ length: 300 }, (_, i) => ({
  email: i % 11 === 0 ? null : `dev${i % 7}@example.com`,
  integrationId: 1 + (i % 5),
  identity: `${['Ä', 'a', '_', '用'][i % 4]}${i}`,
  updatedAt: new Date(START + (i % 13) * 1_000),
}));
const isChanging = (row: TestIdentity): boolean => Number(row.identity.slice(1)) % 3 === 0;

/** Removes, restores, moves and adds rows, but only those that are `isChanging`. */
async function disturb(turn: number): Promise<void> {
  const identities = stack.database('identities');
  const some = rows.filter(isChanging).filter((_, i) => i % 4 === turn % 4);
  const email = turn % 2 === 0 ? null : `dev${turn % 9}@example.com`;
  const names = some.map(({ identity }) => identity);
  await identities.whereIn('identity', names).update({ email, updated_at: new Date(START + turn * 777) });
  const added = { email: `new${turn}@example.com`, integrationId: 1 + (turn % 5), identity: `new-${turn}` };
  await insertIdentities(stack.database, [{ ...added, updatedAt: new Date(START + turn * 333) }]);
}

const filters = fc.record(
  {
    integrationIds: fc.constantFrom('1', '1,3', '2,4,5'),
    emails: fc.constantFrom('dev1@example.com', 'dev1@example.com,dev2@example.com,dev3@example.com'),
    updatedSince: fc.constantFrom('2026-01-01T00:00:04Z', '2026-01-01T00:00:09.001Z'),
    search: fc.constantFrom('a', '_', '1', 'ä'),
  },
  { requiredKeys: [] },
);
type Filters = typeof filters extends fc.Arbitrary<infer F> ? F : never;

const fits = (row: TestIdentity, given: Filters): boolean =>
  row.email !== null &&
  (given.integrationIds?.split(',').includes(String(row.integrationId)) ?? true) &&
  (given.emails?.split(',').includes(row.email) ?? true) &&
  (!given.updatedSince || (row.updatedAt as Date) >= new Date(given.updatedSince)) &&
  (!given.search || row.identity.toLowerCase().includes(given.search));

function queryOf(
  { search, ...given }: Filters,
  sort: { sortKey: string; sortOrder: string },
  pageSize: number,
) {
  const searched = search ? { searchKey: 'identity', searchValue: search } : {};
  return new URLSearchParams({ ...given, ...searched, ...sort, pageSize: String(pageSize) });
}

/** Then the changes stop: small pages sorted by `updatedAt` would otherwise follow the moving rows forever. */
const DISTURBED_TURNS = 40;

/** Reads all identities of a list page by page, with changes in between. */
async function walk(query: URLSearchParams): Promise<string[]> {
  const seen: string[] = [];
  let path: string | undefined = `/v2/developers/identities?${query}`;
  for (let turn = 0; path; turn++) {
    const { body, headers, status } = await client.get(path);
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(Number(query.get('pageSize')));
    seen.push(...body.data.map((row: TestIdentity) => row.identity));
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    if (path && turn < DISTURBED_TURNS) await disturb(turn);
  }
  return seen;
}

test('paging returns every unchanged row exactly once while other rows change', async () => {
  const sort = fc.record({
    sortKey: fc.constantFrom('email', 'integrationId', 'updatedAt'),
    sortOrder: fc.constantFrom('asc', 'desc'),
  });
  const property = fc.asyncProperty(
    filters,
    sort,
    fc.integer({ min: 1, max: 60 }),
    async (given, order, size) => {
      await stack.database('identities').truncate();
      await insertIdentities(stack.database, rows);
      const seen = await walk(queryOf(given, order, size));
      const steady = new Set(rows.filter((row) => !isChanging(row)).map(({ identity }) => identity));
      const expected = rows
        .filter((row) => !isChanging(row) && fits(row, given))
        .map(({ identity }) => identity);
      expect(seen.filter((identity) => steady.has(identity)).sort()).toEqual(expected.sort());
    },
  );
  const endless: [Filters, { sortKey: string; sortOrder: string }, number] = [
    {},
    { sortKey: 'updatedAt', sortOrder: 'asc' },
    1,
  ];
  await fc.assert(property, { numRuns: 30, endOnFailure: true, examples: [endless] });
}, 120_000);
