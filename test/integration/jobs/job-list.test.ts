import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { finishJob } from '../../../db/jobs/job-lifecycle.js';
import { insertJob } from '../../../db/jobs/jobs.js';
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
});
