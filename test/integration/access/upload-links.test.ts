import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Route } from '../../../api/endpoint/route.js';
import { routes } from '../../../api/routes/index.js';
import { revokeApiKey } from '../../../db/access/api-keys.js';
import { type Author, authorsOf, LINK_CHECKS } from '../../../db/access/upload-links.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

const LINKS = '/v2/upload-links';
const IDENTITIES = '/v2/developers/identities';
const CSV = { 'content-type': 'text/csv' };
const GOOD = 'email,identity\nada@example.com,ada\n';
const SOME_ID = '0199a4c2-7b1e-7c3a-9d2f-3f5c8a1b6e70';

let stack: Stack;
let idle: Stack;
let maker: Client;
beforeAll(async () => {
  [stack, idle] = await Promise.all([startStack(), startStack({ worker: false })]);
  maker = await Client.of(stack, 'developer_records:write', 'developer_records:read');
});
afterAll(() => Promise.all([stack.stop(), idle.stop()]));

interface Made {
  id: string;
  token: string;
  client: Client;
}

async function makeLink(changes: object = {}, by = maker, of = stack): Promise<Made> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const link = { integrationId: 7, name: 'HR', uploads: 3, expiresAt, ...changes };
  const { status, body } = await by.json('POST', LINKS, link);
  expect([status, body.code]).toEqual([201, undefined]);
  const token = new URL(body.data.url).hash.slice(1);
  return { id: body.data.id, token, client: new Client(of.url, token) };
}

const upload = (client: Client, text: string, query = '', headers: Record<string, string> = {}) =>
  client.send('PATCH', IDENTITIES + query, { body: text, headers: { ...CSV, ...headers } });

const stored = (of = stack) =>
  of
    .database('identities')
    .orderBy('integration_id')
    .orderBy('identity')
    .select('integration_id', 'identity', 'email');

const usesOf = async ({ id }: Made, of = stack) =>
  of.database('upload_links').where({ id }).first('uploads_used', 'checks_used');

/** Expires a link by the clock of the database. */
const expire = ({ id }: Made, of = stack) =>
  of
    .database('upload_links')
    .where({ id })
    .update({ expires_at: of.database.raw('UTC_TIMESTAMP(3)') });

test('a link opens these operations and no other, whatever routes there are', async () => {
  const { token, client } = await makeLink();
  const own = (await upload(client, 'email,identity\nx,y\n', '?dryRun=true&onError=continue')).body.jobId;
  const open: string[] = [];
  for (const route of routes as Route[]) {
    if (route.scopes === 'public') continue;
    const path = route.path.replace('{id}', route.path.startsWith('/v2/jobs') ? own : SOME_ID);
    for (const authorization of [`ApiKey ${token}`, `bearer ${token}`]) {
      const filled = path.replaceAll(/\{\w+\}/g, '7');
      const response = await fetch(stack.url + filled, {
        method: route.method.toUpperCase(),
        headers: { authorization, 'content-type': 'text/csv' },
        ...(route.requestBody ? { body: '' } : {}),
      });
      const body = response.headers.get('content-type')?.includes('json')
        ? ((await response.json()) as { code?: string })
        : null;
      const isClosed = response.status === 403 && body?.code === 'not_for_upload_links';
      if (!isClosed) open.push(route.operationId);
    }
  }
  expect([...new Set(open)].sort()).toEqual([
    'downloadRejectedRows',
    'getCurrentUploadLink',
    'getJob',
    'previewUpload',
    'updateIdentities',
  ]);
  const board = await fetch(`${stack.url}/admin/queues/`, { headers: { authorization: `Bearer ${token}` } });
  expect(board.status).toBe(403);
});

test('a file without account systems is for that of the link; rows of another one are errors by line, before anything is written', async () => {
  const { client } = await makeLink();
  const before = await stored();
  const mixed = 'email,integrationId,identity\nada@example.com,7,ada\neve@example.com,8,eve\n';
  const refused = await upload(client, mixed);
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_rows',
      errors: [{ line: 3, field: 'integrationId', code: 'integration_id_not_allowed' }],
    },
  });
  expect(await stored()).toEqual(before);
  const some = await upload(client, mixed, '?onError=continue');
  expect(some.body.counts).toMatchObject({ total: 2, created: 1, rejected: 1 });
  const rejected = await client.get(some.body.links.rejected);
  expect(rejected.text).toContain('eve@example.com,8,,3,integration_id_not_allowed');
  // The rejected file has a column for the account system, and is corrected there.
  const fixed = await upload(client, rejected.text.replace('eve@example.com,8,,', 'eve@example.com,7,eve,'));
  expect(fixed.body.counts).toMatchObject({ total: 1, created: 1 });
  expect(await stored()).toEqual([
    { integration_id: 7, identity: 'ada', email: 'ada@example.com' },
    { integration_id: 7, identity: 'eve', email: 'eve@example.com' },
  ]);
  await stack.database('identities').delete();
});

test('a preview says the same, and shows nothing but the file', async () => {
  await maker.json('PATCH', IDENTITIES, [{ email: 'secret@example.com', integrationId: 7, identity: 'ada' }]);
  const { client } = await makeLink();
  const preview = (text: string, query = '') =>
    client.send('POST', `${IDENTITIES}/preview${query}`, { body: text, headers: CSV });
  const { body } = await preview(
    'email,integrationId,identity\nada@example.com,8,ada\nada@example.com,7,ada\n',
  );
  expect(body.data).toMatchObject({
    checkedRows: 2,
    rejectedRows: 1,
    rowErrors: [{ line: 2, code: 'integration_id_not_allowed' }],
  });
  expect((await preview(GOOD)).body.data.rows).toMatchObject([{ integrationId: '7', errors: [] }]);
  const dryRun = await upload(client, GOOD, '?dryRun=true');
  expect(dryRun.body.counts).toMatchObject({ updated: 1 });
  const job = await client.get(`/v2/jobs/${dryRun.body.jobId}`);
  expect(job.body.data.uploadLink).toBeUndefined();
  for (const { text } of [dryRun, job, await preview(GOOD)]) expect(text).not.toContain('secret@');
  for (const path of [`${dryRun.body.links.self}/changes`, `${dryRun.body.links.self}/file`])
    expect((await client.get(path)).status).toBe(403);
  expect((await client.json('POST', `/v2/jobs/${dryRun.body.jobId}/apply`, {})).status).toBe(403);
  await stack.database('identities').delete();
});

test.each([
  '?mode=mirror&integrationIds=7&maxRemovals=9',
  '?mode=merge',
  '?integrationId=8',
  `?callback=${SOME_ID}`,
])('a link cannot use %s', async (query) => {
  const { client } = await makeLink();
  const refused = await upload(client, GOOD, query);
  expect([refused.status, refused.body.code]).toEqual([403, 'not_for_upload_links']);
  expect(await stored()).toEqual([]);
});

test('a link takes no JSON, and no preview of a removal', async () => {
  const { client } = await makeLink();
  const record = { email: 'ada@example.com', integrationId: 8, identity: 'ada' };
  for (const type of ['application/json', 'application/json; charset=utf-8', 'application/problem+json'])
    expect((await client.json('PATCH', IDENTITIES, [record], { 'content-type': type })).status).toBe(415);
  const removal = await client.send('POST', `${IDENTITIES}/preview?action=remove`, {
    body: GOOD,
    headers: CSV,
  });
  expect(removal.status).toBe(403);
  expect(await stored()).toEqual([]);
});

test('the last upload is accepted once, of 20 at the same time', async () => {
  const key = await Client.of(idle);
  const link = await makeLink({ uploads: 1 }, key, idle);
  const sent = await Promise.all(
    Array.from({ length: 20 }, () => upload(link.client, GOOD, '', { prefer: 'respond-async' })),
  );
  expect(sent.filter(({ status }) => status === 202)).toHaveLength(1);
  for (const { status, body } of sent.filter(({ status }) => status !== 202))
    expect([status, body.code]).toEqual([403, 'upload_link_used_up']);
  expect(await idle.database('jobs').where({ api_key_id: link.id }).count({ n: '*' })).toEqual([{ n: 1 }]);
  expect(await usesOf(link, idle)).toEqual({ uploads_used: 1, checks_used: 0 });
  const files = [];
  for await (const file of idle.files.list()) files.push(file);
  expect(files).toHaveLength(1);
});

test('dry runs and previews take no upload; dry runs have a limit of their own, and repeated requests take nothing', async () => {
  const link = await makeLink({ uploads: 2 });
  const once = { 'idempotency-key': 'a' };
  await upload(link.client, GOOD, '?dryRun=true');
  await link.client.send('POST', `${IDENTITIES}/preview`, { body: GOOD, headers: CSV });
  expect(await usesOf(link)).toEqual({ uploads_used: 0, checks_used: 1 });
  const first = await upload(link.client, GOOD, '', once);
  const again = await upload(link.client, GOOD, '', once);
  expect(again.body.jobId).toBe(first.body.jobId);
  expect(await usesOf(link)).toEqual({ uploads_used: 1, checks_used: 1 });
  await stack.database('upload_links').where({ id: link.id }).update({ checks_used: LINK_CHECKS });
  const refused = await upload(link.client, GOOD, '?dryRun=true');
  expect([refused.status, refused.body.code]).toEqual([403, 'too_many_checks']);
  await upload(link.client, GOOD);
  // Used up: what it has done can be read, and nothing more uploaded.
  expect((await link.client.get(`${LINKS}/current`)).body.data).toMatchObject({
    state: 'used_up',
    uploadsLeft: 0,
  });
  expect((await link.client.get(`/v2/jobs/${first.body.jobId}`)).status).toBe(200);
  expect((await upload(link.client, GOOD)).body.code).toBe('upload_link_used_up');
  await stack.database('identities').delete();
});

test('an upload that cannot reach its queue takes nothing', async () => {
  const link = await makeLink({}, await Client.of(idle), idle);
  const { producer, redis } = idle.api;
  const enqueue = producer.enqueue.bind(producer);
  producer.enqueue = async (...job: Parameters<typeof enqueue>) => {
    producer.enqueue = enqueue;
    redis.disconnect();
    await until('Redis is gone', () => redis.status === 'end');
    return enqueue(...job);
  };
  const response = await upload(link.client, GOOD);
  await redis.connect();
  expect(response.status).toBe(503);
  expect(await usesOf(link, idle)).toEqual({ uploads_used: 0, checks_used: 0 });
});

test('jobs of keys and of other links do not exist for a link', async () => {
  const [one, other] = [await makeLink(), await makeLink()];
  const text = 'email,identity\nbad,x\n';
  const ofKey = (await upload(maker, text, '?integrationId=7&onError=continue')).body.jobId;
  const ofOther = (await upload(other.client, text, '?onError=continue')).body.jobId;
  for (const id of [ofKey, ofOther, SOME_ID])
    for (const path of [`/v2/jobs/${id}`, `/v2/jobs/${id}/rejected`])
      expect((await one.client.get(path)).status).toBe(404);
  expect((await other.client.get(`/v2/jobs/${ofOther}/rejected`)).status).toBe(200);
});

test('a repeated Idempotency-Key of another principal replays nothing', async () => {
  const [one, other] = [await makeLink(), await makeLink()];
  const headers = { 'idempotency-key': 'shared' };
  const ofKey = await upload(maker, GOOD, '?integrationId=7', headers);
  const first = await upload(one.client, GOOD, '?integrationId=7', headers);
  const second = await upload(other.client, GOOD, '?integrationId=7', headers);
  expect(new Set([ofKey, first, second].map(({ body }) => body.jobId)).size).toBe(3);
  await stack.database('identities').delete();
});

test('an expired or revoked link, and a link whose key has ended, open nothing', async () => {
  const key = await Client.of(stack, 'developer_records:write');
  const links = await Promise.all([makeLink(), makeLink(), makeLink({}, key)]);
  const [late, revoked, orphan] = links as [Made, Made, Made];
  const job = (await upload(late.client, GOOD)).body.jobId;
  await expire(late);
  expect((await maker.json('DELETE', `${LINKS}/${revoked.id}`, undefined)).status).toBe(204);
  const { api_key_id } = await theRow(stack.database('upload_links').where({ id: orphan.id }).first());
  await revokeApiKey(stack.database, api_key_id);
  for (const [{ client }, code] of [
    [late, 'upload_link_expired'],
    [revoked, 'upload_link_revoked'],
    [orphan, 'upload_link_revoked'],
  ] as const)
    for (const response of [
      await client.get(`${LINKS}/current`),
      await client.get(`/v2/jobs/${job}`),
      await upload(client, GOOD),
      await client.send('POST', `${IDENTITIES}/preview`, { body: GOOD, headers: CSV }),
    ])
      expect([response.status, response.body.code]).toEqual([401, code]);
  const listed = (await maker.get(`${LINKS}?integrationId=7`)).body.data;
  expect(listed.find(({ id }: Made) => id === orphan.id).state).toBe('revoked');
  await stack.database('identities').delete();
});

test.each(['expired', 'revoked'])('a file that arrives after its link has %s is refused', async (state) => {
  const link = await makeLink();
  const before = (await link.client.get(`${LINKS}/current`)).status;
  const slow = new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${link.token}`, ...CSV };
    const sending = request(stack.url + IDENTITIES, { method: 'PATCH', headers }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sending.on('error', reject);
    sending.write('email,identity\n');
    setTimeout(async () => {
      if (state === 'expired') await expire(link);
      else await maker.json('DELETE', `${LINKS}/${link.id}`, undefined);
      sending.end('late@example.com,late\n');
    }, 300);
  });
  const { status, text } = await slow;
  expect([before, status, JSON.parse(text).code]).toEqual([200, 403, `upload_link_${state}`]);
  expect(await usesOf(link)).toEqual({ uploads_used: 0, checks_used: 0 });
  expect(await stored()).toEqual([]);
});

test('forged, cut and misplaced tokens open nothing', async () => {
  const { token } = await makeLink();
  const last = token.at(-1) === 'a' ? 'b' : 'a';
  const forged = [
    token.slice(0, -1),
    `${token}x`,
    token.slice(0, -1) + last,
    'mlink_',
    `mlink_${'a'.repeat(38)}`,
  ];
  for (const text of [...forged, token.toUpperCase(), token.replace('mlink_', 'mstr_')]) {
    const { status, body } = await new Client(stack.url, text).get(`${LINKS}/current`);
    expect([text, status]).toEqual([text, 401]);
    if (text.startsWith('mlink_')) expect(body.code).toBe('invalid_upload_link');
  }
  const nobody = new Client(stack.url, null);
  expect((await nobody.get(`${LINKS}/current?token=${token}`)).status).toBe(401);
  expect(
    (await nobody.get(`${LINKS}/current`, { 'x-upload-link': token, cookie: `key=${token}` })).status,
  ).toBe(401);
  const two = await new Client(stack.url, token).get('/v2/jobs', { 'x-http-method-override': 'PATCH' });
  expect(two.status).toBe(403);
  const basic = Buffer.from(`x:${token}`).toString('base64');
  expect((await nobody.get('/v2/keys', { authorization: `Basic ${basic}` })).status).toBe(401);
});

test('the table, the log and the list have no text of a link', async () => {
  const { token } = await makeLink();
  const [rows] = await stack.database.raw('SELECT * FROM upload_links');
  expect(JSON.stringify(rows)).not.toContain(token);
  expect((await maker.get(LINKS)).text).not.toContain(token);
  expect(stack.lines.join('')).not.toContain(token);
});

test('every use is in the history, in the job and in the list of jobs', async () => {
  const link = await makeLink({ name: 'HR, platform team' });
  const { jobId } = (await upload(link.client, GOOD)).body;
  const { api_key_id } = await theRow(stack.database('upload_links').where({ id: link.id }).first());
  const author: Author = {
    apiKey: { id: api_key_id, name: 'test' },
    uploadLink: { id: link.id, name: 'HR, platform team' },
  };
  const [entry] = (await maker.get(`${IDENTITIES}/history?integrationId=7&identity=ada`)).body.data;
  expect(entry).toMatchObject({ jobId, outcome: 'created', ...author });
  const ofJob = { id: link.id, name: 'HR, platform team', apiKey: author.apiKey };
  expect((await maker.get(`/v2/jobs/${jobId}`)).body.data.uploadLink).toEqual(ofJob);
  const jobs = (await maker.get(`/v2/jobs?uploadLink=${link.id}`)).body.data;
  expect(jobs.map(({ id }: { id: string }) => id)).toEqual([jobId]);
  expect((await maker.get('/v2/integrations/7/coverage')).body.data.lastUpload).toMatchObject(author);
  const [listed] = (await maker.get(LINKS)).body.data;
  expect(listed).toMatchObject({ id: link.id, uploadsUsed: 1, uploadsAllowed: 3, apiKey: author.apiKey });
  expect(listed.lastUsedAt).not.toBeNull();
  expect((await authorsOf(stack.database, [link.id]))(link.id)).toEqual(author);
  await stack.database('identities').delete();
});

test('a link has small limits of its own', async () => {
  const key = await Client.of(idle);
  const { client } = await makeLink({ uploads: 100 }, key, idle);
  const sent = [];
  for (let i = 0; i < 6; i++) sent.push(await upload(client, GOOD, '', { prefer: 'respond-async' }));
  expect(sent.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
  expect(sent.at(-1)?.body).toMatchObject({
    code: 'too_many_open_jobs',
    message: expect.stringContaining('upload link'),
  });
});

test('a new link needs the scope, an end within a year and before that of its key', async () => {
  const expiresAt = (ms: number) => new Date(Date.now() + ms).toISOString();
  const DAY = 86_400_000;
  const link = { integrationId: 7, name: 'x', uploads: 1, expiresAt: expiresAt(DAY) };
  const reader = await Client.of(stack, 'developer_records:read');
  expect((await reader.json('POST', LINKS, link)).status).toBe(403);
  for (const end of [-1_000, 400 * DAY])
    expect(await maker.json('POST', LINKS, { ...link, expiresAt: expiresAt(end) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', errors: [{ field: 'expiresAt' }] },
    });
  const admin = await Client.of(stack);
  const shortLived = { name: 'short', scopes: ['developer_records:write'], expiresAt: expiresAt(3_600_000) };
  const key = new Client(stack.url, (await admin.json('POST', '/v2/keys', shortLived)).body.data.key);
  expect((await key.json('POST', LINKS, link)).status).toBe(400);
  for (const uploads of [0, 1.5, 1_001, null])
    expect((await maker.json('POST', LINKS, { ...link, uploads })).status).toBe(400);
});
