import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { type FeedPlace, readFeedPage } from '../../../api/change-feed/feed-page.js';
import type { Database } from '../../../db/client/connect.js';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { ageFeed, FEED, Follower, linesOf, storedOwners } from '../../support/api/follower.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { IMPORT_CHUNK_ROWS: '3000' } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

jest.setTimeout(60_000);

const path = '/v2/developers/identities';
const put = (...records: object[]) => client.json('PATCH', path, records);
const remove = (...keys: object[]) => client.json('DELETE', path, keys);
const record = (email: string, identity: string, integrationId = 7) => ({ email, integrationId, identity });
const worker = () => stack.worker as WorkerServices;
const now = async (query = ''): Promise<string> =>
  (await client.get(`${FEED}?since=now${query}`)).body.page.nextCursor;

test('a change has the owner before and after, its job and its time, and the cursor leads on', async () => {
  const start = await now();
  const created = await put(record('ann@example.com', 'a'));
  const updated = await put(record('bob@example.com', 'a'), record('ann@example.com', 'b', 8));
  await put(record('bob@example.com', 'a'));
  const removed = await remove(
    { integrationId: 7, identity: 'a' },
    { integrationId: 7, identity: 'unknown' },
  );
  await client.json('PATCH', `${path}?dryRun=true`, [record('eve@example.com', 'a')]);
  const reverted = await client.send('POST', `/v2/jobs/${removed.body.jobId}/revert`, {
    headers: { prefer: 'wait=20' },
  });
  const { body } = await client.get(`${FEED}?since=${start}`);
  const change = (identity: string, before: string | null, after: string | null, jobId: string) => ({
    integrationId: identity === 'b' ? 8 : 7,
    identity,
    outcome: before === null ? 'created' : after === null ? 'removed' : 'updated',
    before,
    after,
    jobId,
    changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  });
  expect(body).toEqual({
    status: 'success',
    data: [
      change('a', null, 'ann@example.com', created.body.jobId),
      change('a', 'ann@example.com', 'bob@example.com', updated.body.jobId),
      change('b', null, 'ann@example.com', updated.body.jobId),
      change('a', 'bob@example.com', null, removed.body.jobId),
      change('a', null, 'bob@example.com', reverted.body.jobId),
    ],
    page: { pageSize: 1_000, nextCursor: expect.any(String), hasMore: false },
  });
  const times = body.data.map(({ changedAt }: { changedAt: string }) => changedAt);
  expect(times).toEqual([...times].sort());
  expect(Math.abs(Date.parse(times[0]) - Date.now())).toBeLessThan(60_000);

  const end = await client.get(`${FEED}?since=${body.page.nextCursor}`);
  expect(end.body).toMatchObject({
    data: [],
    page: { nextCursor: body.page.nextCursor, hasMore: false },
  });
  expect([end.headers.get('muster-next-cursor'), end.headers.get('link')]).toEqual([
    body.page.nextCursor,
    null,
  ]);
});

/** Returns the pages from a cursor to the end, as the links lead. */
async function pagesFrom(query: string, headers = {}) {
  const pages = [];
  let next: string | null = `${FEED}?${query}`;
  while (next) {
    const page = await client.get(next, headers);
    pages.push(page);
    next = /<(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
  }
  return pages;
}

test('pages of any size, in JSON, CSV and NDJSON, have the same changes, each once', async () => {
  const start = await now();
  const many = Array.from({ length: 7_000 }, (_, at) => record(`owner${at}@example.com`, `=account-${at}`));
  await put(...many);
  await put(record('"o.hara"@example.com', 'quoted "x", y'));
  const pages = await pagesFrom(`since=${start}`);
  const whole = pages.flatMap(({ body }) => body.data);
  expect(whole).toHaveLength(many.length + 1);
  expect(pages.map(({ body }) => body.page.hasMore)).toEqual(pages.map((_, at) => at < pages.length - 1));
  for (const pageSize of [1, 997]) {
    const from = pageSize === 1 ? pages.at(-2)?.body.page.nextCursor : start;
    const paged = await pagesFrom(`since=${from}&pageSize=${pageSize}`);
    for (const { body } of paged) expect(body.data.length).toBeLessThanOrEqual(pageSize);
    const changes = paged.flatMap(({ body }) => body.data);
    expect(changes).toEqual(whole.slice(-changes.length));
    expect(changes).toHaveLength(pageSize === 1 ? (pages.at(-1)?.body.data.length ?? 0) : whole.length);
  }
  const ndjson = await pagesFrom(`since=${start}`, { accept: 'application/x-ndjson' });
  expect(ndjson[0]?.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const lines = ndjson.flatMap(({ text }) => text.trimEnd().split('\n'));
  expect(lines.map((line) => JSON.parse(line))).toEqual(whole);
  expect(ndjson.at(-1)?.headers.get('muster-next-cursor')).toBe(pages.at(-1)?.body.page.nextCursor);

  const csv = await pagesFrom(`since=${start}&format=csv`);
  expect(csv[0]?.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const rows = csv.flatMap(({ text }) => parse(text, { columns: true }) as Record<string, string>[]);
  expect(rows).toEqual(
    whole.map((row: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
    ),
  );
  const escaped = await client.get(`${FEED}?since=${start}&format=csv&escapeFormulas=true&pageSize=1`);
  expect(escaped.text.split('\n')[0]).toBe(
    'integrationId,identityEscaped,beforeEscaped,afterEscaped,outcome,jobId,changedAt',
  );
  expect(escaped.text).toContain("7,'=account-");
  const misplaced = await client.get(`${FEED}?escapeFormulas=true`);
  expect([misplaced.status, misplaced.body.errors[0].code]).toEqual([400, 'not_in_this_format']);
  expect((await client.get(FEED, { accept: 'image/png' })).status).toBe(406);
});

test('a filter selects an account system, and its cursor is valid for it alone', async () => {
  const start = await now('&integrationId=21');
  await put(record('ann@example.com', 'x', 20), record('ann@example.com', 'x', 21));
  await put(record('bob@example.com', 'x', 20));
  const { body } = await client.get(`${FEED}?since=${start}&integrationId=21`);
  expect(body.data).toMatchObject([{ integrationId: 21, identity: 'x' }]);
  const other = await client.get(`${FEED}?since=${start}`);
  expect([other.status, other.body.code, other.body.errors[0].field]).toEqual([
    400,
    'invalid_cursor',
    'since',
  ]);
  const malformed = await client.get(`${FEED}?since=abc`);
  expect([malformed.status, malformed.body.code]).toEqual([400, 'invalid_cursor']);
  for (const { body } of [other, malformed]) expect(body.message).toContain('download all identities');
});

test('a request at the end waits for a change, and a filtered one for a change in its account system', async () => {
  const [all, filtered] = [await now(), await now('&integrationId=31')];
  const wait = (query: string, seconds: number) =>
    client.get(`${FEED}?${query}`, { prefer: `wait=${seconds}` });
  const startedAt = performance.now();
  const empty = await wait(`since=${all}`, 1);
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  expect([empty.body.data, empty.body.page.nextCursor, empty.headers.get('preference-applied')]).toEqual([
    [],
    all,
    'wait=1',
  ]);
  const [waiting, waitingFor31] = [wait(`since=${all}`, 30), wait(`since=${filtered}&integrationId=31`, 30)];
  let has31 = false;
  void waitingFor31.then(() => {
    has31 = true;
  });
  await put(record('ann@example.com', 'w', 30));
  expect((await waiting).body.data).toMatchObject([{ integrationId: 30, identity: 'w' }]);
  expect(has31).toBe(false);
  await put(record('ann@example.com', 'w', 31));
  expect((await waitingFor31).body.data).toMatchObject([{ integrationId: 31, identity: 'w' }]);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

test('a client that goes away ends its wait, and only so many requests of a key may wait', async () => {
  const since = await now();
  const gone = new AbortController();
  const headers = { authorization: `ApiKey ${await stack.key('developer_records:read')}`, prefer: 'wait=30' };
  const url = `${stack.url}${FEED}?since=${since}`;
  /** On a busy machine, some of them are rejected before they wait, because the key has too many lookups running. */
  const waitUntilGone = async (): Promise<void> => {
    while (!gone.signal.aborted) await fetch(url, { headers, signal: gone.signal }).catch(() => null);
  };
  const waits = Array.from({ length: 50 }, waitUntilGone);
  let message = '';
  while (!message.includes('50 requests of this API key wait for changes')) {
    const refused = await fetch(url, { headers: { ...headers, prefer: 'wait=1' } });
    const body = (await refused.json()) as { code?: string; message?: string };
    message = body.message ?? '';
    expect([refused.status, body.code]).toEqual(refused.ok ? [200, undefined] : [503, 'overloaded']);
  }
  gone.abort();
  const goneAt = performance.now();
  await Promise.all(waits);
  let free: Response | undefined;
  while (free?.status !== 200) free = await fetch(url, { headers: { ...headers, prefer: 'wait=1' } });
  expect(performance.now() - goneAt).toBeLessThan(15_000);
});

test('a key that may only write does not see the feed', async () => {
  const writer = await Client.of(stack, 'developer_records:write');
  expect((await writer.get(FEED)).status).toBe(403);
});

test('shutdown ends all waits with the cursor of the end', async () => {
  const own = await startStack({ worker: false });
  try {
    const reader = await Client.of(own);
    const since = (await reader.get(`${FEED}?since=now`)).body.page.nextCursor;
    const waiting = reader.get(`${FEED}?since=${since}`, { prefer: 'wait=60' });
    await reader.get(`${FEED}?since=${since}`, { prefer: 'wait=1' });
    own.api.feedWaiter.stop();
    const ended = await waiting;
    expect([ended.status, ended.body.data, ended.body.page.nextCursor]).toEqual([200, [], since]);
  } finally {
    await own.stop();
  }
});

test('a worker that does not record changes expires the cursors of before, and those of after go on', async () => {
  const plan = await client.json('PATCH', `${path}?dryRun=true`, [record('bob@example.com', 'planned')]);
  await put(record('eve@example.com', 'planned'));
  const before = await now();
  await put(record('ann@example.com', 'silent'));
  const settings = worker().settings as { importChanges: boolean };
  settings.importChanges = false;
  const dry = await client.json('PATCH', `${path}?dryRun=true`, [record('bob@example.com', 'silent')]);
  expect(dry.status).toBe(200);
  await put(record('ann@example.com', 'silent'));
  const applied = await client.send('POST', `/v2/jobs/${plan.body.jobId}/apply`, {
    headers: { prefer: 'wait=20' },
  });
  expect(applied.body.data.counts).toMatchObject({ conflicts: 1, created: 0 });
  expect((await client.get(`${FEED}?since=${before}`)).body).toMatchObject({
    data: [{ identity: 'silent' }],
    page: { hasMore: false },
  });
  await put(record('bob@example.com', 'silent'));
  settings.importChanges = true;
  const after = await now();
  await put(record('cyd@example.com', 'silent'));
  const page = await client.get(`${FEED}?since=${before}`);
  // What was recorded before the gap is still complete.
  expect([page.status, page.body.data.length, page.body.page.hasMore]).toEqual([200, 1, true]);
  const expired = await client.get(`${FEED}?since=${page.body.page.nextCursor}`, { prefer: 'wait=5' });
  expect([expired.status, expired.body.code]).toEqual([410, 'cursor_expired']);
  for (const since of [`?since=${after}`, '']) {
    const { body } = await client.get(`${FEED}${since}`);
    expect(body.data).toMatchObject([{ before: 'bob@example.com', after: 'cyd@example.com' }]);
  }
});

test('a cursor from before a restore of the database is rejected if it has seen what was lost, also once its place is taken again', async () => {
  const { database } = stack;
  await put(record('ann@example.com', 'restored'));
  const kept = await now();
  const lost = await put(
    ...['x', 'y', 'z'].map((identity) => record('ann@example.com', `restored-${identity}`)),
  );
  const [inside, after] = [
    (await client.get(`${FEED}?since=${kept}&pageSize=1`)).body.page.nextCursor,
    await now(),
  ];
  const [row] = await database('import_changes').where({ job_id: lost.body.jobId });
  await database('import_changes').where({ job_id: lost.body.jobId }).delete();
  await database('identity_feed').update({ last: Number(row?.position) - 1 });
  const codeOf = async (since: string) => (await client.get(`${FEED}?since=${since}`)).body.code;
  expect(await codeOf(kept)).toBe(undefined);
  expect([await codeOf(inside), await codeOf(after)]).toEqual(['cursor_expired', 'cursor_expired']);
  await put(record('bob@example.com', 'restored'));
  expect([await codeOf(inside), await codeOf(after)]).toEqual(['cursor_expired', 'cursor_expired']);
  await put(record('cyd@example.com', 'restored'));
  expect([await codeOf(inside), await codeOf(after)]).toEqual(['cursor_expired', 'cursor_expired']);
  const { body } = await client.get(`${FEED}?since=${kept}`);
  expect(body.data).toMatchObject([{ after: 'bob@example.com' }, { after: 'cyd@example.com' }]);
});

test('a place that a late replica does not have yet is the end of its feed', async () => {
  const replica = await startStack({ worker: false });
  try {
    const read = (database: Database, from: FeedPlace | 'now') =>
      readFeedPage(database, { from, limit: 10, primary: stack.database, withinMs: 10_000 });
    const { next } = await read(stack.database, 'now');
    expect(await read(replica.database, next)).toEqual({ changes: [], next, hasMore: false });
    const beyond = { ...next, position: next.position + 1 };
    for (const database of [replica.database, stack.database])
      await expect(read(database, beyond)).rejects.toMatchObject({ status: 410, code: 'cursor_expired' });
  } finally {
    await replica.stop();
  }
});

test('changes of a worker of the previous release expire the cursors of before, and its dry runs do not', async () => {
  const { database } = stack;
  const insert = (jobId: string) =>
    database.raw(
      `INSERT INTO import_changes (job_id, kind, chunk, part, text_bytes, gzip_bytes, escapes, content)
       SELECT job_id, kind, 900, part, text_bytes, gzip_bytes, escapes, content FROM import_changes WHERE job_id = ?`,
      [jobId],
    );
  const dry = await client.json('PATCH', `${path}?dryRun=true`, [record('bob@example.com', 'old')]);
  const real = await put(record('bob@example.com', 'old'));
  const before = await now();
  await insert(dry.body.jobId);
  await doUpkeep(worker());
  expect((await client.get(`${FEED}?since=${before}`)).status).toBe(200);
  await insert(real.body.jobId);
  await doUpkeep(worker());
  expect((await client.get(`${FEED}?since=${before}`)).body.code).toBe('cursor_expired');
  expect(await database('import_changes').where({ position: 0 })).toEqual([]);
  expect((await client.get(`${FEED}?since=${await now()}`)).status).toBe(200);
});

test('the feed outlives changes files and reverts, expires by age, and a cursor that needs what is deleted gets 410', async () => {
  const { database } = stack;
  const follower = new Follower(await now());
  for (const [account, owner] of Object.entries(await storedOwners(database).then(Object.fromEntries)))
    follower.owners.set(account, owner as string);
  const start = follower.cursor;
  const old = await put(record('ann@example.com', 'aged'), record('ann@example.com', 'aged2'));
  const dry = await client.json('PATCH', `${path}?dryRun=true`, [record('bob@example.com', 'aged')]);
  await follower.step(client);
  const middle = follower.cursor;
  const young = await put(record('bob@example.com', 'aged'));
  const age = async (jobIds: string[], days: number) => {
    await database('import_changes')
      .whereIn('job_id', jobIds)
      .update({ changed_at: database.raw('changed_at - INTERVAL ? DAY', [days]) as never });
    await database('jobs')
      .whereIn('id', jobIds)
      .update({ expires_at: database.raw('UTC_TIMESTAMP(3) - INTERVAL 1 HOUR') as never });
  };
  const partsOf = (job: { body: { jobId: string } }) =>
    database('import_changes').where({ job_id: job.body.jobId });
  await age([old.body.jobId, dry.body.jobId], 10);
  await doUpkeep(worker());
  expect((await client.get(`/v2/jobs/${old.body.jobId}/changes`)).status).toBe(410);
  expect((await client.send('POST', `/v2/jobs/${old.body.jobId}/revert`)).status).toBe(410);
  expect(await partsOf(dry)).toEqual([]);
  expect(await partsOf(old)).toHaveLength(1);
  const stored = await database('jobs').where({ id: old.body.jobId }).first('changes_bytes', 'result_bytes');
  expect(stored).toEqual({ changes_bytes: null, result_bytes: null });
  const replay = new Follower(start);
  for (const [account, owner] of follower.owners) replay.owners.set(account, owner);
  for (const account of ['7 aged', '7 aged2']) replay.owners.delete(account);
  await replay.toEnd(client, 1);
  expect(linesOf(replay.owners)).toBe(linesOf(await storedOwners(database)));

  await database('import_changes')
    .where('position', '<=', (await partsOf(old))[0]?.position ?? 0)
    .update({ changed_at: database.raw('UTC_TIMESTAMP(6) - INTERVAL 31 DAY') as never });
  await doUpkeep(worker());
  expect(await partsOf(old)).toEqual([]);
  expect(await partsOf(young)).toHaveLength(1);
  expect((await client.get(`${FEED}?since=${start}`)).body.code).toBe('cursor_expired');
  await follower.toEnd(client);
  expect(linesOf(follower.owners)).toBe(linesOf(await storedOwners(database)));
  expect((await client.get(`${FEED}?since=${middle}`)).body.data).toMatchObject([{ identity: 'aged' }]);
  expect((await client.get(FEED)).body.data).toMatchObject([{ identity: 'aged' }]);
});

test('changes of a job that can still be reverted stay when the feed no longer needs them', async () => {
  const { database } = stack;
  const job = await put(record('ann@example.com', 'kept'));
  await ageFeed(database);
  await doUpkeep(worker());
  expect((await client.get(`/v2/jobs/${job.body.jobId}/changes`)).text).toContain('7,kept,,ann@example.com');
  const reverted = await client.send('POST', `/v2/jobs/${job.body.jobId}/revert`, {
    headers: { prefer: 'wait=20' },
  });
  expect(reverted.body.data.counts.restored).toBe(1);
  await database('jobs').update({ expires_at: database.raw('UTC_TIMESTAMP(3) - INTERVAL 1 HOUR') as never });
  await doUpkeep(worker());
  expect(await database('import_changes').where({ job_id: job.body.jobId })).toEqual([]);
});
