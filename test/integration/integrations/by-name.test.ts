import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack, 'webhooks:write');
});
afterAll(() => stack.stop());

const path = (name: string, query = '') => `/v2/by-name/integrations/${encodeURIComponent(name)}${query}`;
const put = (name: string, document: object, options: { query?: string; ifMatch?: string } = {}) =>
  client.json(
    'PUT',
    path(name, options.query),
    { name, ...document },
    options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch },
  );

const SECRET = '0123456789abcdef-secret';
const CPU = {
  description: 'Alarms of hosts',
  template: 'generic-alert',
  signature: { scheme: 'github', secret: SECRET },
  rateLimit: { eventsPerMinute: 600 },
  resolveAfterSeconds: 900,
  heartbeats: { nightly: { schedule: { cron: '0 3 * * *' } }, hourly: { schedule: { periodSeconds: 3600 } } },
  managedBy: 'https://git.example.com/alerts',
};

describe('a document', () => {
  test('creates an integration, is read back, and changes nothing when it is sent again', async () => {
    const name = 'Zürich / 50%';
    const tried = await put(name, CPU, { query: '?dryRun=true' });
    expect(tried.body.data).toMatchObject({ outcome: 'created', id: null, url: null });
    expect((await client.get(path(name))).status).toBe(404);

    const created = await put(name, CPU, { ifMatch: '"0"' });
    expect([created.status, created.headers.get('location')]).toEqual([201, path(name)]);
    expect(created.body.data.url).toContain('/api/v1/webhook/');
    expect(created.body.data.changes).toEqual(tried.body.data.changes);

    const read = await client.get(path(name));
    expect(read.body.data.document).toMatchObject({
      name,
      description: 'Alarms of hosts',
      rateLimit: { eventsPerMinute: 600, overLimitStatus: 503 },
      signature: { scheme: 'github', mode: 'enforce', parameters: {} },
      heartbeats: { nightly: { schedule: { cron: '0 3 * * *', timeZone: 'UTC' }, graceSeconds: 300 } },
      mapping: { fields: expect.any(Object) },
    });
    expect(read.text).not.toContain(SECRET);
    const etag = read.headers.get('etag') as string;
    expect(created.headers.get('etag')).toBe(etag);
    for (const document of [CPU, read.body.data.document]) {
      const again = await put(name, document, { ifMatch: '"0"' });
      expect([again.status, again.body.data.outcome, again.body.data.changes]).toEqual([
        200,
        'unchanged',
        [],
      ]);
      expect(again.headers.get('etag')).toBe(etag);
    }
    expect((await client.get(`/v2/webhooks/${read.body.data.id}`)).body.data.revision).toBe(1);
  });

  test('changes only what differs, says what, and keeps the URL', async () => {
    const first = await put('disk', CPU);
    const changed = {
      ...CPU,
      description: '',
      signature: { ...CPU.signature, secret: `${SECRET}-2` },
      heartbeats: {
        nightly: { schedule: { cron: '0 4 * * *' } },
        weekly: { schedule: { periodSeconds: 604_800 } },
      },
    };
    const expected = [
      { path: 'description', before: 'Alarms of hosts', after: '' },
      { path: 'signature.secret', before: '***', after: '***' },
      { path: 'heartbeats.nightly.schedule.cron', before: '0 3 * * *', after: '0 4 * * *' },
      { path: 'heartbeats.hourly', before: expect.any(Object), after: null },
      { path: 'heartbeats.weekly', before: null, after: expect.any(Object) },
    ];
    for (const query of ['?dryRun=true', '']) {
      const { body } = await put('disk', changed, { query });
      expect(body.data).toMatchObject({ outcome: 'changed', url: first.body.data.url });
      expect(body.data.changes).toHaveLength(expected.length);
      expect(body.data.changes).toEqual(expect.arrayContaining(expected));
    }
    const { id } = first.body.data;
    const { body } = await client.get(`/v2/webhooks/${id}`);
    expect(body.data.signature.secret).toBe(`${SECRET}-2`);
    expect(body.data.signature.previousSecretExpiresAt).not.toBeNull();
    const names = (await client.get(`/v2/webhooks/${id}/heartbeats`)).body.data.map(
      (one: { name: string }) => one.name,
    );
    expect(names).toEqual(['nightly', 'weekly']);
  });

  test('is refused if somebody has changed the integration since, but not if it says the same', async () => {
    const { headers, body } = await put('memory', { template: 'generic-alert' });
    const etag = headers.get('etag') as string;
    const { id } = body.data;
    await client.json('PATCH', `/v2/webhooks/${id}`, { resolveAfterSeconds: 600 });
    const refused = await put(
      'memory',
      { template: 'generic-alert', driftSeverity: null },
      { ifMatch: etag },
    );
    expect([refused.status, refused.body.code, refused.body.current.revision]).toEqual([
      412,
      'precondition_failed',
      2,
    ]);
    const current = (await client.get(path('memory'))).headers.get('etag') as string;
    expect(refused.headers.get('etag')).toBe(current);
    const same = { template: 'generic-alert', resolveAfterSeconds: 600 };
    expect((await put('memory', same, { ifMatch: etag })).body.data.outcome).toBe('unchanged');
    // A muted integration is the same integration.
    await client.json('PATCH', `/v2/webhooks/${id}`, { mutedUntil: '2099-01-01T00:00:00Z' });
    expect((await put('memory', { template: 'generic-alert' }, { ifMatch: current })).status).toBe(200);
    const gone = await client.send('DELETE', path('memory'), { headers: { 'if-match': current } });
    expect(gone.status).toBe(412);
    const last = (await client.get(path('memory'))).headers.get('etag') as string;
    expect((await client.send('DELETE', path('memory'), { headers: { 'if-match': last } })).status).toBe(204);
    expect((await client.get(path('memory'))).status).toBe(404);
  });

  test('renames an integration, unless the name is taken', async () => {
    const { id } = (await put('old name', {})).body.data;
    await put('taken', {});
    const taken = await put('old name', { name: 'taken' });
    expect([taken.status, taken.body.code]).toEqual([409, 'name_in_use']);
    const renamed = await put('old name', { name: 'new name' });
    expect(renamed.body.data).toMatchObject({ id, outcome: 'changed' });
    expect((await client.get(path('new name'))).body.data.id).toBe(id);
  });

  test('of a name that several integrations have changes none of them', async () => {
    for (const _ of [1, 2]) await client.json('POST', '/v2/webhooks', { name: 'twice' });
    for (const response of [
      await client.get(path('twice')),
      await put('twice', {}),
      await client.send('DELETE', path('twice')),
    ])
      expect([response.status, response.body.code]).toEqual([409, 'ambiguous_name']);
  });

  test('is written as a whole or not at all', async () => {
    const { headers } = await put('whole', { description: 'before' });
    const wrong = [
      [{ mapping: { fields: { title: { template: '{{' } } } }, 422, 'mapping'],
      [{ signature: { scheme: 'github', secret: 'short' } }, 400, 'signature.secret'],
      [{ signature: { scheme: 'github' } }, 400, 'signature.secret'],
      [{ heartbeats: { 'no name': { schedule: { periodSeconds: 60 } } } }, 400, 'heartbeats'],
      [{ heartbeats: { a: { schedule: { cron: 'x' } } } }, 400, 'heartbeats.a.schedule'],
      [{ template: 'no-such' }, 400, 'template'],
      [{ colour: 'red' }, 400, 'colour'],
    ] as const;
    for (const query of ['', '?dryRun=true'])
      for (const [document, status, field] of wrong) {
        const { status: got, text } = await put('whole', { description: 'after', ...document }, { query });
        expect([got, text]).toEqual([status, expect.stringContaining(field)]);
      }
    const read = await client.get(path('whole'));
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
    expect(read.body.data.document.description).toBe('before');
  });

  test('of a mapping takes another template, and leaves a mapping alone that it does not have', async () => {
    await put('mapped', { template: 'grafana' });
    const other = await put('mapped', { template: 'datadog' });
    expect(other.body.data.outcome).toBe('changed');
    const { document } = (await client.get(path('mapped'))).body.data;
    const { body } = await client.get('/v2/webhook-templates/datadog');
    expect([document.template, document.mapping]).toEqual(['datadog', body.data.mapping]);
    const blank = await put('mapped', { template: null });
    expect(blank.body.data.changes).toEqual([{ path: 'template', before: 'datadog', after: null }]);
    expect((await client.get(path('mapped'))).body.data.document.mapping).toEqual(document.mapping);
  });
});

test('a saved template is a document too, which only its key may change', async () => {
  const own = '/v2/by-name/templates/agents';
  const { mapping } = (await client.get('/v2/webhook-templates/generic-alert')).body.data;
  const document = { name: 'agents', mapping, sample: { alert: 1 }, managedBy: 'repo' };
  const tried = await client.json('PUT', `${own}?dryRun=true`, document);
  expect(tried.body.data.outcome).toBe('created');
  expect((await client.get(own)).status).toBe(404);
  expect((await client.json('PUT', own, document, { 'if-match': '"0"' })).status).toBe(201);
  const read = await client.get(own);
  expect(read.body.data.document).toEqual({ ...document, title: 'agents', description: '' });
  const etag = read.headers.get('etag') as string;
  const again = await client.json('PUT', own, read.body.data.document, { 'if-match': '"0"' });
  expect(again.body.data).toEqual({ outcome: 'unchanged', changes: [] });
  const changed = await client.json('PUT', own, { ...document, title: 'Agents' }, { 'if-match': etag });
  expect(changed.body.data.changes).toEqual([{ path: 'title', before: 'agents', after: 'Agents' }]);
  const refused = await client.json('PUT', own, document, { 'if-match': etag });
  expect([refused.status, refused.body.current.revision]).toEqual([412, 2]);

  const other = await Client.of(stack, 'webhooks:write');
  for (const query of ['', '?dryRun=true'])
    expect((await other.json('PUT', own + query, document)).body.code).toBe('missing_scope');
  expect((await other.send('DELETE', own)).status).toBe(403);
  const renamed = await client.json('PUT', own, { ...document, name: 'others' });
  expect([renamed.status, renamed.body.code]).toEqual([400, 'invalid_name']);
  const known = '/v2/by-name/templates/grafana';
  expect((await client.json('PUT', known, { ...document, name: 'grafana' })).body.code).toBe('name_taken');
  expect((await client.send('DELETE', known)).status).toBe(404);
  const broken = { ...document, mapping: { fields: { title: { template: '{{' } } } };
  expect((await client.json('PUT', own, broken)).status).toBe(422);
  expect((await client.get(`/v2/webhook-templates/agents`)).body.data).toMatchObject({
    title: 'Agents',
    managedBy: 'repo',
  });
  const last = (await client.get(own)).headers.get('etag') as string;
  expect((await client.send('DELETE', own, { headers: { 'if-match': etag } })).status).toBe(412);
  expect((await client.send('DELETE', own, { headers: { 'if-match': last } })).status).toBe(204);
});

test('a key that may only read gets no URL, and cannot save', async () => {
  await put('read only', {});
  const reader = await Client.of(stack, 'webhooks:read');
  const read = await reader.get(path('read only'));
  expect(read.body.data.url).toMatch(/\*{8}$/);
  expect((await reader.json('PUT', path('read only'), { name: 'read only' })).status).toBe(403);
});

test('a name that a URL cannot have is an error that names it', async () => {
  const all = await Client.of(stack, 'webhooks:write', 'destinations:write');
  const { id } = (await all.json('POST', '/v2/webhooks', { name: 'dots' })).body.data;
  const destination = { preset: 'webhook', url: 'https://example.com/' };
  for (const name of ['.', '..', ' .. '])
    for (const [method, path, body] of [
      ['POST', '/v2/webhooks', { name }],
      ['PATCH', `/v2/webhooks/${id}`, { name }],
      ['PUT', '/v2/by-name/integrations/dots', { name }],
      ['POST', '/v2/destinations', { name, ...destination }],
      ['PUT', '/v2/by-name/destinations/dots', { name, ...destination }],
    ] as const) {
      const { status, body: error } = await all.json(method, path, body);
      expect([path, status, error.errors?.[0]]).toEqual([
        path,
        400,
        expect.objectContaining({ field: 'name', message: expect.stringContaining('no URL can contain') }),
      ]);
    }
});
