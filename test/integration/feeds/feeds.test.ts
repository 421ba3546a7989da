import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { noteStep } from '../../../db/feeds/feed-runs.js';
import { type Feed, findFeed } from '../../../db/feeds/feeds.js';
import { findJob, type Job } from '../../../db/jobs/jobs.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { fetchFile } from '../../../workers/feeds/fetch-file.js';
import { storedSettings } from '../../../workers/feeds/rules/feed-settings.js';
import { runFeed } from '../../../workers/jobs/feed-run.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { startFeeds } from '../../../workers/upkeep/start-feeds.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
let folder: string;
/** Of a web server that feeds may reach. */
let port: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-feeds-'));
  port = await freePort();
  stack = await startStack({ env: { FEED_DIRECTORY: folder, OUTBOUND_ALLOW: `127.0.0.1:${port}` } });
  client = await Client.of(stack);
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => stack.database('identities').delete());

jest.setTimeout(60_000);

let feeds = 0;
const write = (name: string, text: string, at?: Date) => {
  writeFileSync(join(folder, name), text);
  if (at) utimesSync(join(folder, name), at, at);
};
const file = (...rows: string[]) => `email,integrationId,identity\n${rows.map((row) => `${row}\n`).join('')}`;
// biome-ignore lint/suspicious/noExplicitAny: a body as received; the tests check its properties.
async function feedOf(name: string, more: object = {}): Promise<any> {
  const source = { kind: 'directory', path: name };
  const made = await client.json('POST', '/v2/feeds', { name: `${name} ${++feeds}`, source, ...more });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const start = (id: string, query = '') =>
  client.send('POST', `/v2/feeds/${id}/runs${query}`, { headers: { prefer: 'wait=30' } });
// biome-ignore lint/suspicious/noExplicitAny: a body as received; the tests check its properties.
async function run(id: string, query = ''): Promise<any> {
  const started = await start(id, query);
  const jobId = started.body.data?.id ?? started.body.jobId;
  const found = await client.get(`/v2/feeds/${id}/runs/${jobId}`);
  if (found.status !== 200) throw new Error(started.text);
  return found.body.data;
}
const owners = async () =>
  Object.fromEntries(
    (await client.get('/v2/developers/identities?pageSize=100')).body.data.map(
      (row: Record<string, string>) => [row.identity, row.email],
    ),
  );
const apply = (planId: string) =>
  client.send('POST', `/v2/jobs/${planId}/apply`, { headers: { prefer: 'wait=30' } });
const alerts = async (feedId: string) =>
  (await client.get('/v2/alerts?source=Muster&pageSize=100')).body.data
    .filter(({ dedupKey }: { dedupKey: string }) => dedupKey === `muster:feed:${feedId}`)
    .map(({ status, title }: { status: string; title: string }) => `${status} ${title}`);

test('a feed writes what its file says, once, and the history names feed, file and line', async () => {
  write('people.csv', file('ann@example.com,7,a', 'bob@example.com,7,b'));
  const { id, name } = await feedOf('people.csv');
  const first = await run(id);
  expect(first).toMatchObject({
    state: 'applied',
    startedBy: 'request',
    tripped: [],
    error: null,
    file: { name: 'people.csv', columns: ['email', 'integrationId', 'identity'] },
    facts: { rows: 2, created: 2, updated: 0, removed: 0, unchanged: 0, rowsBefore: null },
  });
  expect(first.file.sample[0]).toEqual({
    line: 2,
    row: { email: 'ann@example.com', integrationId: '7', identity: 'a' },
    identity: { email: 'ann@example.com', integrationId: 7, identity: 'a' },
    errors: [],
  });
  expect(await owners()).toEqual({ a: 'ann@example.com', b: 'bob@example.com' });
  const history = await client.get('/v2/developers/identities/history?integrationId=7&identity=b');
  expect(history.body.data[0]).toMatchObject({
    jobId: first.applyId,
    fileName: 'people.csv',
    plan: { jobId: first.planId, feed: { id, name } },
  });
  expect((await client.get(`/v2/jobs/${first.applyId}/changes`)).text).toContain(
    '7,b,,bob@example.com,created,3',
  );
  // The same file, also with another time, is not read again.
  expect(await run(id)).toMatchObject({ state: 'unchanged', planId: null, file: null });
  write('people.csv', file('ann@example.com,7,a', 'bob@example.com,7,b'), new Date('2026-01-01'));
  expect(await run(id)).toMatchObject({ state: 'unchanged', planId: null });
  const listed = (await client.get(`/v2/feeds/${id}/runs?unchanged=false`)).body.data;
  expect(listed.map(({ id: runId }: { id: string }) => runId)).toEqual([first.id]);
});

test('a guard that trips writes nothing, raises an alert, and leaves a plan that somebody applies', async () => {
  const all = ['a', 'b', 'c', 'd'].map((identity) => `ann@example.com,7,${identity}`);
  write('mirror.csv', file(...all));
  const { id } = await feedOf('mirror.csv', {
    mirror: [7],
    guards: { maxRemovals: 1, maxRemovalShare: null },
  });
  expect(await run(id)).toMatchObject({ state: 'applied', facts: { created: 4 } });
  write('mirror.csv', file(...all.slice(0, 2)));
  const held = await run(id);
  expect(held).toMatchObject({
    state: 'held',
    applyId: null,
    facts: { removed: 2, unchanged: 2, rowsBefore: 4 },
    tripped: [{ guard: 'maxRemovals', message: 'it would remove 2 accounts, and at most 1 are allowed' }],
  });
  expect(Object.keys(await owners())).toHaveLength(4);
  expect((await client.get(`/v2/feeds/${id}`)).body.data.problem).toBe('held');
  expect(await alerts(id)).toEqual([expect.stringMatching(/^firing Feed .* is held by its guards$/)]);
  // The same file again is the same plan: it waits, and no second one is made.
  expect(await run(id)).toMatchObject({ state: 'unchanged', planId: null });
  expect((await client.get(`/v2/feeds/${id}`)).body.data.problem).toBe('held');
  expect((await apply(held.planId)).body.data.counts).toMatchObject({ removed: 2, conflicts: 0 });
  expect(await owners()).toEqual({ a: 'ann@example.com', b: 'ann@example.com' });
  const after = (await client.get(`/v2/feeds/${id}/runs/${held.id}`)).body.data;
  expect([after.state, typeof after.applyId]).toEqual(['held', 'string']);
  // A run that passes ends the alert.
  write('mirror.csv', file(...all.slice(0, 2), 'eve@example.com,7,e'));
  expect(await run(id)).toMatchObject({ state: 'applied', facts: { created: 1, rowsBefore: 2 } });
  expect(await alerts(id)).toEqual([expect.stringMatching(/^resolved /)]);
});

test('an older plan is not applied after a newer file was read, and the last one that is applied ends the hold', async () => {
  const many = Array.from({ length: 20 }, (_, at) => `a${at}@example.com,7,a${at}`);
  write('older.csv', file(...many));
  const feed = await feedOf('older.csv', { mirror: [7] });
  expect((await run(feed.id)).state).toBe('applied');
  write('older.csv', file(...many.slice(0, 10)));
  const old = await run(feed.id);
  expect(old.state).toBe('held');
  write('older.csv', file(...many.slice(1)));
  expect((await run(feed.id)).state).toBe('applied');
  expect((await apply(old.planId)).body.code).toBe('plan_outdated');
  expect(Object.keys(await owners())).toHaveLength(19);

  write('older.csv', file(...many.slice(1, 12)));
  const held = await run(feed.id);
  await client.json('PATCH', '/v2/developers/identities', [
    { email: 'eve@example.com', integrationId: 7, identity: 'a15' },
  ]);
  expect((await apply(held.planId)).body.data.counts).toMatchObject({ removed: 7, conflicts: 1 });
  await runTurn([startFeeds], stack.worker!);
  expect((await client.get(`/v2/feeds/${feed.id}`)).body.data.problem).toBe(null);
  expect((await alerts(feed.id)).map((alert: string) => alert.split(' ')[0])).toEqual([
    'resolved',
    'resolved',
  ]);
  // The account with the conflict is planned again, although the file is the same.
  const again = await run(feed.id);
  expect([again.state, again.facts.removed]).toEqual(['applied', 1]);
  expect((await run(feed.id)).state).toBe('unchanged');
});

test('rows that repeat accounts do not hide from the guards how many accounts change', async () => {
  const many = Array.from({ length: 20 }, (_, at) => `a${at}@example.com,7,a${at}`);
  write('repeats.csv', file(...many));
  const feed = await feedOf('repeats.csv', { mirror: [7], guards: { maxRowsChange: null } });
  expect((await run(feed.id)).state).toBe('applied');
  write('repeats.csv', file(...many.slice(3), ...many.slice(3, 16)));
  const held = await run(feed.id);
  expect(held).toMatchObject({ state: 'held', facts: { rows: 30, removed: 3, unchanged: 17, updated: 0 } });
  expect(held.tripped.map(({ guard }: { guard: string }) => guard)).toEqual(['maxRemovalShare']);
  write('repeats.csv', file(...many, 'x@example.com,7,dup', 'y@example.com,7,dup', 'x@example.com,7,dup'));
  expect(await run(feed.id)).toMatchObject({
    state: 'applied',
    facts: { created: 1, updated: 0, unchanged: 20 },
  });
});

test('rules make identities of any columns, and leave rows out', async () => {
  write(
    'hr.csv',
    'Login,Work mail,Kind\nAnn-L, ANN@example.com,employee\nbot-1,none,machine\nBob,bob@example.com,employee\n',
  );
  const recipe = {
    columns: { email: 'Work mail' },
    integrationId: 9,
    rules: { identity: 'row.Login.lowerAscii()' },
    keep: 'row.Kind != "machine"',
  };
  const { id } = await feedOf('hr.csv', { recipe, mirror: [9] });
  const applied = await run(id);
  expect(applied).toMatchObject({ state: 'applied', facts: { rows: 2, created: 2 } });
  expect(applied.file.sample).toEqual([
    {
      line: 2,
      row: { Login: 'Ann-L', 'Work mail': 'ANN@example.com', Kind: 'employee' },
      identity: { email: 'ann@example.com', integrationId: 9, identity: 'ann-l' },
      errors: [],
    },
    expect.objectContaining({ line: 4 }),
  ]);
  expect(await owners()).toEqual({ 'ann-l': 'ann@example.com', bob: 'bob@example.com' });
  // What a rule makes is checked like a cell, and a row without what a rule reads is an error of its line.
  write('hr.csv', 'Login,Work mail,Kind\n"",x@example.com,employee\nBob,not a mail,employee\n');
  const failed = await run(id);
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'invalid_rows' } });
  const { errors } = (await client.get(`/v2/jobs/${failed.planId}`)).body.data.error;
  expect(errors).toEqual([
    expect.objectContaining({ line: 2, field: 'identity', code: 'identity_missing' }),
    expect.objectContaining({ line: 3, field: 'email', code: 'email_invalid' }),
  ]);
  const rejected = (await client.get(`/v2/jobs/${failed.planId}/rejected`)).text;
  expect(rejected).toContain('Login,Work mail,Kind,line,code,message');
  expect(rejected).toContain('Bob,not a mail,employee,3,email_invalid');
  // A file without a column that a rule reads.
  write('hr.csv', 'User,Work mail,Kind\nBob,bob@example.com,employee\n');
  expect(await run(id)).toMatchObject({
    state: 'failed',
    error: { code: 'column_missing', message: expect.stringContaining('"Login"') },
  });
  expect(Object.keys(await owners())).toHaveLength(2);
});

test('with onError=continue invalid rows are left out and counted, and a mirror removes nothing', async () => {
  write('rough.csv', file('ann@example.com,7,a', 'bob@example.com,7,b'));
  const { id } = await feedOf('rough.csv', { mirror: [7], onError: 'continue' });
  await run(id);
  write('rough.csv', file('ann@example.com,7,c', 'nobody,7,d'));
  expect(await run(id)).toMatchObject({
    state: 'applied',
    facts: { rows: 2, created: 1, removed: 0, rejected: 1 },
  });
  expect(Object.keys(await owners()).sort()).toEqual(['a', 'b', 'c']);
});

test('a file of a web server is fetched with and without a token, and not again while its ETag is the same', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { authorization = 'nobody', 'if-none-match': known = 'nothing' } = request.headers;
    asked.push(`${authorization} has ${known}`);
    if (known === '"1"') return response.writeHead(304).end();
    return response
      .writeHead(200, { etag: '"1"', 'content-type': 'text/csv' })
      .end(file('ann@example.com,7,a'));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  try {
    for (const headers of [{}, { authorization: 'Bearer t0ken' }]) {
      const source = { kind: 'https', url: `http://127.0.0.1:${port}/people.csv`, headers };
      const { id } = await feedOf('web', { source });
      expect(await run(id)).toMatchObject({ state: 'applied', file: { name: 'people.csv', version: '"1"' } });
      expect(await run(id)).toMatchObject({ state: 'unchanged' });
    }
  } finally {
    server.close();
  }
  expect(asked).toEqual([
    'nobody has nothing',
    'nobody has "1"',
    'Bearer t0ken has nothing',
    'Bearer t0ken has "1"',
  ]);
});

test('a file that a web server cuts off is a failure of the source', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '2000' });
    response.write('email,integrationId,identity\n');
    setTimeout(() => response.destroy(), 50);
  }).listen(port, '127.0.0.1');
  try {
    const source = { kind: 'https', url: `http://127.0.0.1:${port}/people.csv` };
    const feed = (await findFeed(stack.database, (await feedOf('cut', { source })).id)) as Feed;
    const fetching = fetchFile(feed, storedSettings(feed.settings), stack.worker as WorkerServices);
    await expect(fetching).rejects.toMatchObject({ name: 'SourceError', code: 'incomplete' });
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

test('a source that fails is told and over with its next success', async () => {
  const { id } = await feedOf('later.csv');
  expect(await run(id)).toMatchObject({ state: 'failed', error: { code: 'not_found' }, planId: null });
  expect(await alerts(id)).toEqual([expect.stringMatching(/^firing Feed .* failed$/)]);
  write('later.csv', file('ann@example.com,7,a'));
  expect((await run(id)).state).toBe('applied');
  expect(await alerts(id)).toEqual([expect.stringMatching(/^resolved /)]);
  expect((await client.get(`/v2/feeds/${id}`)).body.data.problem).toBeNull();
});

test('a dry run plans only, also if a guard would trip, and its plan can be applied', async () => {
  write('plan.csv', file('ann@example.com,7,a'));
  const { id } = await feedOf('plan.csv', { guards: { minRows: 2 } });
  const planned = await run(id, '?dryRun=true');
  expect(planned).toMatchObject({ state: 'planned', dryRun: true, tripped: [{ guard: 'minRows' }] });
  expect(await owners()).toEqual({});
  expect(await alerts(id)).toEqual([]);
  expect((await apply(planned.planId)).status).toBe(200);
  expect(await owners()).toEqual({ a: 'ann@example.com' });
});

test('upkeep starts a feed once when it is due, by the clock of the database, and a paused one never', async () => {
  if (!stack.worker) throw new Error('there is a worker');
  write('nightly.csv', file('ann@example.com,7,a'));
  const schedule = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
  const { id, nextRunAt } = await feedOf('nightly.csv', { schedule });
  const [hour, minute] = new Date(nextRunAt)
    .toLocaleTimeString('de', { timeZone: 'Europe/Berlin' })
    .split(':');
  expect([hour, minute]).toEqual(['02', '30']);
  const turn = () => runTurn([startFeeds], stack.worker!);
  expect(await turn()).toEqual({ 'start-feeds': 0 });
  const due = () =>
    stack
      .database('feeds')
      .where({ id })
      .update({ next_run_at: new Date(Date.now() - 1_000) });
  await due();
  await Promise.all([turn(), turn(), turn()]);
  const runs = async () => (await client.get(`/v2/feeds/${id}/runs`)).body.data;
  await until('the run has ended', async () => (await runs())[0]?.state === 'applied');
  expect(await runs()).toHaveLength(1);
  expect((await runs())[0].startedBy).toBe('schedule');
  expect((await client.get(`/v2/feeds/${id}`)).body.data.nextRunAt).toBe(nextRunAt);
  const paused = await client.json('PATCH', `/v2/feeds/${id}`, { paused: true });
  expect(paused.body.data).toMatchObject({ paused: true, nextRunAt: null, schedule });
});

test('a feed has one run at a time, and one that is changed meanwhile writes nothing', async () => {
  write('busy.csv', file('ann@example.com,7,a'));
  const { id } = await feedOf('busy.csv');
  const started = await Promise.all([1, 2, 3, 4].map(() => start(id)));
  expect(started.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of started.filter(({ status: one }) => one !== 200))
    expect([status, body.code]).toEqual([409, 'feed_runs']);

  // The worker takes the run up again after the plan: by then the feed has other settings.
  write('busy.csv', file('bob@example.com,7,a'));
  const changed = await start(id, '?dryRun=true');
  const jobId = changed.body.data.id;
  const job = (await findJob(stack.database, jobId)) as Job;
  await stack
    .database('feed_runs')
    .where({ job_id: jobId })
    .update({ state: 'running', is_dry_run: 0, ended_at: null });
  const saved = await client.json('PATCH', `/v2/feeds/${id}`, { mirror: [7] });
  expect([saved.status, saved.text]).toEqual([200, expect.any(String)]);
  await expect(runFeed(job, stack.worker as WorkerServices)).rejects.toMatchObject({
    error: { code: 'feed_changed' },
  });
  expect(await owners()).toEqual({ a: 'ann@example.com' });
});

test('a job that runs again after its run has ended, and a worker that thaws late, start nothing again', async () => {
  if (!stack.worker) throw new Error('there is a worker');
  write('again.csv', file('ann@example.com,7,a'));
  const { id } = await feedOf('again.csv');
  const first = await run(id);
  const unchanged = await run(id);
  const jobs = () => stack.database('jobs').count({ count: '*' }).first();
  const before = await jobs();
  write('again.csv', file('bob@example.com,7,b'));
  for (const { id: jobId } of [first, unchanged]) {
    const job = await findJob(stack.database, jobId);
    if (job) await runFeed({ ...job, cancelRequestedAt: null }, stack.worker);
  }
  expect(await jobs()).toEqual(before);
  // Another worker has planned the run.
  await stack.database('feed_runs').where({ job_id: first.id }).update({ state: 'running', ended_at: null });
  const step = { file: first.file, planId: unchanged.id };
  expect(await noteStep(stack.database, first.id, step)).toBe(false);
  expect(await noteStep(stack.database, first.id, { facts: first.facts, applyId: unchanged.id })).toBe(false);
  const row = await stack.database('feed_runs').where({ job_id: first.id }).first('plan_id', 'apply_id');
  expect(row).toEqual({ plan_id: first.planId, apply_id: first.applyId });
});

test('secrets are never shown, and everything that is wrong with a feed is said at once', async () => {
  const source = {
    kind: 'https',
    url: 'https://hr.example.com/people.csv',
    headers: { Authorization: 'Bearer very-secret' },
  };
  const { id, ...made } = (await client.json('POST', '/v2/feeds', { name: 'HR', source })).body.data;
  expect(made.source).toMatchObject({ url: source.url, secrets: ['headers.Authorization'] });
  const changed = await client.json('PATCH', `/v2/feeds/${id}`, { guards: { minRows: 10 } });
  expect(changed.body.data).toMatchObject({ guards: { minRows: 10 }, source: made.source });
  const stored = await stack.database('feeds').where({ id }).first();
  expect(`${stored?.settings}${stored?.secrets}${changed.text}`).not.toContain('very-secret');
  const wrong = await client.json('POST', '/v2/feeds', {
    name: 'x',
    source: { kind: 'directory', path: 'a.csv' },
    recipe: { rules: { email: 'row.a +', identity: 'webhook.b' }, keep: '"yes"', integrationId: 3 },
    mirror: [4],
  });
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors.map(({ field }: { field: string }) => field)).toEqual([
    'recipe.rules.email',
    'recipe.rules.identity',
    'recipe.keep',
    'mirror',
  ]);
  const schedule = { cron: '61 * * * *', timeZone: 'Mars/Olympus' };
  const invalid = await client.json('POST', '/v2/feeds', {
    name: 'x',
    source: { kind: 'directory', path: '../a' },
    schedule,
  });
  expect(invalid.status).toBe(400);
  expect(await client.json('POST', '/v2/feeds', { name: 'HR', source })).toMatchObject({ status: 409 });
  expect((await client.send('DELETE', `/v2/feeds/${id}`)).status).toBe(204);
  expect((await client.get(`/v2/feeds/${id}`)).status).toBe(404);
  expect((await stack.database('feeds').where({ id }).first())?.secrets).toBeNull();
});
