import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { finishJob } from '../../../db/jobs/job-lifecycle.js';
import { insertJob } from '../../../db/jobs/jobs.js';
import { listJobs } from '../../../db/jobs/list-jobs.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
/** Oldest first. */
const ids: string[] = [];
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack, 'developer_records:read');
  for (let i = 0; i < 7; i++) {
    const id = uuidv7();
    const type = i % 2 === 0 ? 'identity-export' : 'identity-import';
    await insertJob(stack.database, {
      id,
      type,
      queue: type,
      apiKeyId: uuidv7(),
      requestId: 'r',
      params: {},
    });
    if (i < 3) await finishJob(stack.database, id, { state: 'failed' });
    ids.push(id);
  }
});
afterAll(() => stack.stop());

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

test('jobs are listed newest first, page by page, none twice', async () => {
  const seen: string[] = [];
  let path: string | undefined = '/v2/jobs?pageSize=3';
  while (path) {
    const { body, headers } = await client.get(path);
    seen.push(...idsOf(body));
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual([...ids].reverse());
});

test('jobs are filtered by type and state', async () => {
  const { body } = await client.get('/v2/jobs?type=identity-export&state=failed');
  expect(idsOf(body)).toEqual([ids[2], ids[0]]);
  expect(body.data[0]).toMatchObject({
    type: 'identity-export',
    state: 'failed',
    links: { self: `/v2/jobs/${ids[2]}` },
  });
  expect(body.page).toEqual({ pageSize: 50, nextCursor: null });
});

test('jobs are filtered by several values, and by when they were created', async () => {
  const several = await client.get('/v2/jobs?state=failed&state=queued&type=identity-import&pageSize=2');
  expect(idsOf(several.body)).toEqual([ids[5], ids[3]]);
  const next = await client.get(/<([^>]+)>/.exec(several.headers.get('link') ?? '')?.[1] ?? '');
  expect(idsOf(next.body)).toEqual([ids[1]]);
  const { createdAt } = (await client.get(`/v2/jobs/${ids[3]}`)).body.data;
  const { createdAt: end } = (await client.get(`/v2/jobs/${ids[5]}`)).body.data;
  const { body } = await client.get(`/v2/jobs?from=${createdAt}&to=${end}`);
  const created = await stack.database('jobs').whereIn('id', ids).orderBy('id', 'desc');
  const inRange = created.filter(
    ({ created_at }) => created_at >= new Date(createdAt) && created_at < new Date(end),
  );
  expect(idsOf(body)).toEqual(inRange.map(({ id }) => id));
  const outside = await client.get('/v2/jobs?from=0001-01-01T00:00:00Z&to=1970-01-01T00:00:00Z');
  expect(outside.body.data).toEqual([]);
});

test('jobs are counted by type and state; a filter does not apply to its own values', async () => {
  const all = await client.get('/v2/jobs/facets');
  expect(all.body.data).toEqual({
    jobs: 7,
    countedFrom: null,
    type: [
      { value: 'identity-export', jobs: 4 },
      { value: 'identity-import', jobs: 3 },
    ],
    state: [
      { value: 'queued', jobs: 4 },
      { value: 'failed', jobs: 3 },
    ],
  });
  const { body } = await client.get('/v2/jobs/facets?type=identity-import&state=failed');
  expect(body.data).toMatchObject({
    jobs: 1,
    type: [
      { value: 'identity-export', jobs: 2 },
      { value: 'identity-import', jobs: 1 },
    ],
    state: [
      { value: 'queued', jobs: 2 },
      { value: 'failed', jobs: 1 },
    ],
  });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  expect((await client.get(`/v2/jobs/facets?from=${later}`)).body.data).toMatchObject({ jobs: 0, type: [] });
  const stranger = await Client.of(stack, 'alerts:read');
  expect((await stranger.get('/v2/jobs/facets')).body.data).toMatchObject({ jobs: 0, state: [] });
  expect((await client.get('/v2/jobs/facets?revertOf=x')).body.errors[0].field).toBe('revertOf');
});

test('only the newest 20,000 jobs are counted, and the response says since when', async () => {
  const at = new Date('2020-01-01T00:00:00Z');
  const row = {
    type: 'alert-remap',
    queue: 'q',
    state: 'completed' as const,
    api_key_id: uuidv7(),
    request_id: 'r',
  };
  // Older than the others: their ids are below any of today.
  const old = (n: number) => ({
    ...row,
    id: `01000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    params: '{}',
    created_at: at,
  });
  for (let first = 0; first < 20_000; first += 5_000)
    await stack.database('jobs').insert(Array.from({ length: 5_000 }, (_, n) => old(first + n)));
  const admin = await Client.of(stack);
  const { body } = await admin.get('/v2/jobs/facets');
  expect(body.data).toMatchObject({ jobs: 20_000, countedFrom: at.toISOString() });
  expect(body.data.type[0]).toEqual({ value: 'alert-remap', jobs: 19_993 });
  await stack.database('jobs').where({ type: 'alert-remap' }).delete();
});

test('unknown parameters and cursors of other lists are rejected by name', async () => {
  const unknown = await client.get('/v2/jobs?state=done&typ=x');
  expect(unknown.body.errors).toEqual([
    expect.objectContaining({ field: 'state', message: expect.stringContaining('completed') }),
    expect.objectContaining({ field: 'typ', message: 'unknown parameter; did you mean type?' }),
  ]);
  const { body } = await client.get('/v2/jobs?pageSize=1');
  const other = await client.get(`/v2/jobs?state=failed&cursor=${body.page.nextCursor}`);
  expect(other.body.code).toBe('invalid_cursor');
});

test('a key without the scope to read sees only its own jobs', async () => {
  const writer = await Client.of(stack, 'developer_records:write');
  expect((await writer.get('/v2/jobs')).body.data).toEqual([]);
  const record = { email: 'a@example.com', integrationId: 1, identity: 'a' };
  const sent = await writer.json('PATCH', '/v2/developers/identities', [record], { prefer: 'respond-async' });
  expect(idsOf((await writer.get('/v2/jobs')).body)).toEqual([sent.body.jobId]);
  expect((await writer.get('/v2/jobs/facets')).body.data).toMatchObject({ jobs: 1 });
});

test('jobs of visible types and own jobs make one list, page by page, each once', async () => {
  const apiKeyId = uuidv7();
  const own: string[] = [];
  for (const type of ['identity-import', 'alert-remap', 'identity-import', 'alert-remap']) {
    const id = uuidv7();
    await insertJob(stack.database, { id, type, queue: type, apiKeyId, requestId: 'r', params: {} });
    own.push(id);
  }
  const visible = { types: ['identity-import', 'identity-export'], apiKeyId };
  const rows = await stack.database('jobs').orderBy('id', 'desc').select('id', 'type', 'state');
  const expected = (types: string[]) =>
    rows.filter(({ id, type }) => types.includes(type) && (visible.types.includes(type) || own.includes(id)));
  const seen: string[] = [];
  for (let before: string | undefined, page: { id: string }[] = []; ; before = page.at(-1)?.id) {
    page = await listJobs(stack.database, { visible }, { limit: 3, before });
    if (page.length === 0) break;
    seen.push(...page.map(({ id }) => id));
  }
  expect(seen).toEqual(expected([...visible.types, 'alert-remap']).map(({ id }) => id));
  const remaps = { visible, type: 'alert-remap', state: 'queued' };
  const found = await listJobs(stack.database, remaps, { limit: 10 });
  expect(found.map(({ id }) => id)).toEqual([own[3], own[1]]);
});
