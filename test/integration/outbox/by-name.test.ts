import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { Receiver } from '../../support/outbox/receiver.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let receiver: Receiver;
let other: Receiver;
beforeAll(async () => {
  [receiver, other] = await Promise.all([Receiver.start(), Receiver.start()]);
  const env = { OUTBOUND_ALLOW: `${receiver.host},${other.host}` };
  stack = await startStack({ env, worker: false });
  client = await Client.of(stack);
});
beforeEach(() => receiver.clear());
afterAll(async () => {
  await stack.stop();
  await Promise.all([receiver.stop(), other.stop()]);
});

const path = (name: string, query = '') => `/v2/by-name/destinations/${encodeURIComponent(name)}${query}`;
const put = (name: string, document: object, options: { query?: string; ifMatch?: string } = {}) =>
  client.json(
    'PUT',
    path(name, options.query),
    { name, preset: 'webhook', ...document },
    options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch },
  );
const [SECRET, NEXT] = ['a', 'b'].map((letter) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`);
const hook = (to: Receiver, place = 'hook') => `${to.url}/${place}`;

/** Returns the headers of a message that the destination sends now. */
async function sentHeaders(name: string, to = receiver) {
  const { id } = (await client.get(path(name))).body.data;
  await client.send('POST', `/v2/destinations/${id}/test`);
  return to.all.at(-1)?.headers ?? {};
}

test('a document creates a destination, is read back without secrets, and changes nothing when it is sent again', async () => {
  for (const name of ['Shop', 'Bank']) await client.json('PUT', `/v2/by-name/integrations/${name}`, { name });
  const document = {
    url: hook(receiver),
    secret: SECRET,
    headers: { 'X-Team': 'secret value' },
    integrations: ['Shop', 'Muster', 'Bank'],
    severityAtLeast: 'error',
    managedBy: 'https://git.example.com/alerts',
  };
  const tried = await put('On call', document, { query: '?dryRun=true' });
  expect(tried.body.data).toMatchObject({ outcome: 'created', id: null, secret: null, missing: [] });
  expect((await client.get(path('On call'))).status).toBe(404);

  const created = await put('On call', document, { ifMatch: '"0"' });
  expect([created.status, created.headers.get('location')]).toEqual([201, path('On call')]);
  expect(created.body.data.changes).toEqual(tried.body.data.changes);
  expect(created.body.data.changes).toEqual(
    expect.arrayContaining([
      { path: 'url', before: null, after: '***' },
      { path: 'secret', before: null, after: '***' },
      { path: 'headers.x-team', before: null, after: '***' },
    ]),
  );
  const read = await client.get(path('On call'));
  expect(read.body.data.document).toMatchObject({
    integrations: ['Shop', 'Muster', 'Bank'],
    headers: { 'x-team': null },
    mode: 'every',
    digestAbove: null,
    paused: false,
    managedBy: 'https://git.example.com/alerts',
  });
  for (const { text } of [tried, created, read])
    for (const secret of [SECRET, 'secret value', receiver.url]) expect(text).not.toContain(secret);
  const etag = read.headers.get('etag') as string;
  expect(created.headers.get('etag')).toBe(etag);
  for (const same of [document, read.body.data.document]) {
    const again = await put('On call', same, { ifMatch: '"0"' });
    expect([again.body.data.outcome, again.headers.get('etag')]).toEqual(['unchanged', etag]);
  }
  expect(await sentHeaders('On call')).toMatchObject({ 'x-team': 'secret value' });
  const byId = await client.get(`/v2/destinations/${read.body.data.id}`);
  expect([byId.body.data.revision, byId.body.data.managedBy]).toEqual([1, document.managedBy]);
});

test('only what differs is changed; a new secret signs besides the old one, and what is not named stays', async () => {
  const first = { url: hook(receiver), secret: SECRET, headers: { 'x-a': '1', 'x-b': '2' } };
  const { headers } = await put('changed', first);
  const etag = headers.get('etag') as string;
  const second = { secret: NEXT, headers: { 'x-a': null, 'x-c': '3' }, ratePerMinute: 60, paused: true };
  const changes = [
    { path: 'ratePerMinute', before: 600, after: 60 },
    { path: 'paused', before: false, after: true },
    { path: 'secret', before: '***', after: '***' },
    { path: 'headers.x-b', before: '***', after: null },
    { path: 'headers.x-c', before: null, after: '***' },
  ];
  const { ratePerMinute } = (await client.get(path('changed'))).body.data.document;
  if (changes[0]) changes[0].before = ratePerMinute;
  for (const query of ['?dryRun=true', '']) {
    const { body } = await put('changed', second, { query, ifMatch: etag });
    expect(body.data).toMatchObject({ outcome: 'changed', changes });
  }
  const sent = await sentHeaders('changed');
  expect(sent).toMatchObject({ 'x-a': '1', 'x-c': '3' });
  expect(sent).not.toHaveProperty('x-b');
  expect(String(sent['webhook-signature']).split(' ')).toHaveLength(2);

  const refused = await put('changed', { paused: false }, { ifMatch: etag });
  expect([refused.status, refused.body.current.revision]).toEqual([412, 2]);
  const gone = await client.send('DELETE', path('changed'), { headers: { 'if-match': etag } });
  expect(gone.status).toBe(412);
  const current = (await client.get(path('changed'))).headers.get('etag') as string;
  const deleted = await client.send('DELETE', path('changed'), { headers: { 'if-match': current } });
  expect(deleted.status).toBe(204);
  expect((await client.get(path('changed'))).status).toBe(404);
});

test('a URL on another host gets no stored header and no stored routing key', async () => {
  await put('moved', { url: hook(receiver), headers: { authorization: 'Bearer x' } });
  const stays = await put('moved', { url: hook(other), headers: { authorization: null } });
  expect([stays.status, stays.text]).toEqual([400, expect.stringContaining('another host')]);
  const moved = await put('moved', { url: hook(other), headers: { authorization: 'Bearer y' } });
  expect(moved.body.data.outcome).toBe('changed');
  expect(await sentHeaders('moved', other)).toMatchObject({ authorization: 'Bearer y' });
  const pager = { preset: 'pagerduty', secret: 'r'.repeat(32) };
  expect((await put('pager', { ...pager, url: hook(receiver) })).status).toBe(201);
  const without = await put('pager', { preset: 'pagerduty', url: hook(other) });
  expect([without.status, without.text]).toEqual([400, expect.stringContaining('another host')]);
});

test('Muster makes the secret of a signature, and shows it once', async () => {
  const { body, status } = await put('made', { url: hook(receiver) });
  expect([status, body.data.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  const again = await put('made', { url: hook(receiver, 'elsewhere') });
  expect(again.body.data).toMatchObject({
    outcome: 'changed',
    secret: null,
    changes: [{ path: 'url', before: '***', after: '***' }],
  });
});

test('integrations are named: one that does not exist is missing, and a deleted one stays for its alerts', async () => {
  const document = { url: hook(receiver), integrations: ['Later', 'Old'] };
  const { id } = (await client.json('PUT', '/v2/by-name/integrations/Old', { name: 'Old' })).body.data;
  const tried = await put('named', document, { query: '?dryRun=true' });
  expect(tried.body.data.missing).toEqual(['Later']);
  const refused = await put('named', document);
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [expect.objectContaining({ field: 'integrations.0', code: 'unknown_integration' })],
  ]);
  await client.json('PUT', '/v2/by-name/integrations/Later', { name: 'Later' });
  expect((await put('named', document)).status).toBe(201);
  await client.send('DELETE', '/v2/by-name/integrations/Old');
  expect((await client.get(path('named'))).body.data.document.integrations).toEqual(['Later']);
  const changed = await put('named', { integrations: [], description: 'told of nothing' });
  const byId = await client.get(`/v2/destinations/${changed.body.data.id}`);
  expect(byId.body.data.webhookIds).toEqual([id]);
  for (const _ of [1, 2]) await client.json('POST', '/v2/webhooks', { name: 'twice' });
  const twice = await put('named', { integrations: ['twice'] });
  expect([twice.status, twice.body.code]).toEqual([409, 'ambiguous_name']);
});

test('a document that does not fit changes nothing', async () => {
  await put('taken', { url: hook(receiver) });
  const { headers } = await put('whole', { url: hook(receiver) });
  const wrong = [
    [{ url: 'http://127.0.0.1:1/' }, 400, 'url'],
    [{ filter: 'alert.' }, 400, 'filter'],
    [{ headers: { 'x-new': null } }, 400, 'none is stored'],
    [{ preset: 'slack' }, 400, 'must stay webhook'],
    [{ types: [], digestAbove: 3 }, 400, 'digestAbove'],
    [{ recipients: ['ada@example.com'] }, 400, 'recipients'],
    [{ colour: 'red' }, 400, 'colour'],
    [{ name: 'taken' }, 409, 'Another destination'],
  ] as const;
  for (const query of ['', '?dryRun=true'])
    for (const [document, status, text] of wrong) {
      const got = await put('whole', { description: 'after', ...document }, { query });
      expect([got.status, got.text]).toEqual([status, expect.stringContaining(text)]);
    }
  expect((await client.get(path('whole'))).headers.get('etag')).toBe(headers.get('etag'));
  const missing = await put('no url', {});
  expect([missing.status, missing.body.code]).toEqual([400, 'invalid_url']);
  const renamed = await put('whole', { name: 'new name' });
  expect(renamed.body.data.outcome).toBe('changed');
  expect((await client.get(path('new name'))).status).toBe(200);
  const reader = await Client.of(stack, 'destinations:read');
  expect((await reader.get(path('new name'))).status).toBe(200);
  expect((await reader.json('PUT', path('new name'), { name: 'x', preset: 'webhook' })).status).toBe(403);
});
