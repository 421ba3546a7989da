import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashToken } from '../../../api/intake/token.js';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let reader: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  reader = await Client.of(stack, 'webhooks:read');
});
afterAll(() => stack.stop());

const statusOf = async (path: string) => (await sendEvent(stack.url, path, ALERT)).status;

test('creates, lists, reads, updates and deletes an integration', async () => {
  const made = await client.json('POST', '/v2/webhooks', { name: ' Pager ', template: 'generic-alert' });
  expect(made.status).toBe(201);
  const { id, url } = made.body.data;
  expect(made.headers.get('location')).toBe(`/v2/webhooks/${id}`);
  expect(made.headers.get('cache-control')).toBe('no-store');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/api\/v1\/webhook\/[0-9A-Za-z]{32}$/);
  expect(made.body.data).toMatchObject({
    name: 'Pager',
    description: '',
    template: 'generic-alert',
    mappingRevision: 1,
    urls: [{ url, expiresAt: null, lastUsedAt: null }],
    signature: null,
    rateLimit: null,
  });
  const changed = await client.json('PATCH', `/v2/webhooks/${id}`, {
    description: 'night shift',
    rateLimit: { eventsPerMinute: 5 },
  });
  expect(changed.body.data).toMatchObject({
    name: 'Pager',
    description: 'night shift',
    rateLimit: { eventsPerMinute: 5, overLimitStatus: 503 },
  });
  expect((await client.get(`/v2/webhooks/${id}`)).body.data).toEqual(changed.body.data);
  expect((await client.get('/v2/webhooks')).body.data).toEqual([changed.body.data]);
  expect((await client.send('DELETE', `/v2/webhooks/${id}`)).status).toBe(204);
  for (const response of [
    await client.get(`/v2/webhooks/${id}`),
    await client.json('PATCH', `/v2/webhooks/${id}`, { name: 'x' }),
    await client.send('DELETE', `/v2/webhooks/${id}`),
    await client.json('POST', `/v2/webhooks/${id}/rotate`, {}),
  ]) {
    expect([response.status, response.body.code]).toEqual([404, 'not_found']);
  }
  expect((await client.get('/v2/webhooks')).body.data).toEqual([]);
});

test('masks secrets for keys without the scope webhooks:write', async () => {
  const { id } = await makeWebhook(client, {
    signature: { scheme: 'github', secret: 'a shared secret 123' },
  });
  const { url, urls, signature } = (await reader.get(`/v2/webhooks/${id}`)).body.data;
  expect(url).toMatch(/\/api\/v1\/webhook\/\*{8}$/);
  expect(urls[0].url).toBe(url);
  expect(signature).toMatchObject({ scheme: 'github', secret: null });
  const owner = (await client.get(`/v2/webhooks/${id}`)).body.data;
  expect(owner.signature.secret).toBe('a shared secret 123');
  expect((await reader.json('POST', '/v2/webhooks', { name: 'x' })).status).toBe(403);
});

test('encrypts secrets in the database', async () => {
  const { id, path } = await makeWebhook(client, {
    signature: { scheme: 'github', secret: 'find me if you can' },
  });
  const token = path.split('/').at(-1) as string;
  const [tokens] = await stack.database.raw('SELECT * FROM webhook_tokens WHERE webhook_id = ?', [id]);
  const [webhooks] = await stack.database.raw('SELECT * FROM webhooks WHERE id = ?', [id]);
  const stored = Buffer.concat([tokens[0].sealed, tokens[0].token_hash, webhooks[0].signature_secret]);
  expect(stored.includes(token)).toBe(false);
  expect(stored.includes('find me')).toBe(false);
});

test('a rotated URL works until its grace period ends, and both URLs show when they were last used', async () => {
  const { id, path } = await makeWebhook(client);
  const rotated = await client.json('POST', `/v2/webhooks/${id}/rotate`, { graceSeconds: 600 });
  expect(rotated.body.data.urls).toHaveLength(2);
  const fresh = new URL(rotated.body.data.url).pathname;
  expect(fresh).not.toBe(path);
  expect([await statusOf(path), await statusOf(fresh)]).toEqual([202, 202]);
  await stack.api.intake.directory.stop();
  stack.api.intake.directory.start();
  const { urls } = (await client.get(`/v2/webhooks/${id}`)).body.data;
  expect(urls.map(({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt !== null)).toEqual([
    true,
    true,
  ]);
  expect(urls.map(({ expiresAt }: { expiresAt: string | null }) => expiresAt !== null)).toEqual([
    false,
    true,
  ]);
  await client.json('POST', `/v2/webhooks/${id}/rotate`, {});
  expect([await statusOf(path), await statusOf(fresh)]).toEqual([404, 404]);
});

test('a token of another product works at every door until it is revoked, and is shown nowhere', async () => {
  const { id, path } = await makeWebhook(client, { template: 'opsgenie-api' });
  const tokens = `/v2/webhooks/${id}/imported-tokens`;
  await client.json('PUT', `/v2/webhooks/${id}/heartbeats/backup`, { schedule: { periodSeconds: 60 } });
  const [genie, routing] = [randomUUID(), randomBytes(16).toString('hex')];
  const made = await client.json('POST', tokens, { token: ` ${genie} `, source: 'Opsgenie: Datadog' });
  await client.json('POST', tokens, { token: routing, source: 'PagerDuty' });
  expect([made.status, made.body.data]).toEqual([
    201,
    expect.objectContaining({ source: 'Opsgenie: Datadog', ending: genie.slice(-4), lastUsedAt: null }),
  ]);

  const send = async (address: string, body: object, headers = {}) => {
    const json = { 'content-type': 'application/json', ...headers };
    const sent = { method: 'POST', headers: json, body: JSON.stringify(body) };
    return (await fetch(stack.url + address, sent)).status;
  };
  const door = `/api/v1/webhook/${genie}`;
  const basic = Buffer.from(`alerting-of-the-office:${genie}`).toString('base64');
  const alert = { message: 'm', alias: 'a' };
  const doors = () =>
    Promise.all([
      send(door, ALERT),
      send(`${door}/heartbeat/backup`, {}),
      send(`${door}/v2/alerts`, alert),
      send('/v2/alerts', alert, { authorization: `GenieKey ${genie}` }),
      send('/v2/alerts', alert, { authorization: `Basic ${basic}` }),
      send(`/v1/json/datadog?apiKey=${genie}`, alert),
      send('/api/v2/alerts', [{ labels: { alertname: 'a' } }], { authorization: `Bearer ${genie}` }),
    ]);
  expect(await doors()).toEqual([202, 202, 202, 202, 202, 202, 200]);
  const trigger = { routing_key: routing, event_action: 'resolve', dedup_key: 'k' };
  expect(await send('/v2/enqueue', trigger)).toBe(202);

  await client.json('POST', `/v2/webhooks/${id}/rotate`, {});
  expect([await statusOf(path), await statusOf(door)]).toEqual([404, 202]);
  const { data } = (await reader.get(tokens)).body;
  expect(data.map(({ source }: { source: string }) => source)).toEqual(['PagerDuty', 'Opsgenie: Datadog']);
  const [rows] = await stack.database.raw('SELECT * FROM webhook_tokens WHERE webhook_id = ?', [id]);
  const shown = [JSON.stringify(data), (await client.get(`/v2/webhooks/${id}`)).text, JSON.stringify(rows)];
  for (const text of [...shown, ...stack.lines])
    expect([text.includes(genie), text.includes(routing)]).toEqual([false, false]);
  expect((await client.get(`/v2/webhooks/${id}`)).body.data.urls).toHaveLength(1);

  const other = await makeWebhook(client);
  const again = await client.json('POST', `/v2/webhooks/${other.id}/imported-tokens`, {
    ...{ token: genie, source: 'x' },
  });
  expect([again.status, again.body.code]).toEqual([409, 'token_in_use']);
  const weak = await client.json('POST', tokens, { token: 'my-opsgenie-token-for-alerts', source: 'x' });
  expect([weak.status, weak.body.errors[0].code, weak.text.includes('my-')]).toEqual([
    400,
    'weak_token',
    false,
  ]);

  const address = `${tokens}/${made.body.data.id}`;
  expect((await client.send('DELETE', address)).status).toBe(204);
  expect(await doors()).toEqual([404, 404, 401, 401, 401, 401, 401]);
  const [{ id: imported }] = data;
  expect((await client.send('DELETE', `${tokens}/${imported}`)).status).toBe(204);
  expect(await send('/v2/enqueue', trigger)).toBe(400);
  expect(await send(`${path}/v2/alerts`, alert)).toBe(401);
  expect((await client.send('DELETE', address)).status).toBe(404);
});

test('lists what sends to each token, by path, host and User-Agent', async () => {
  const { id, path } = await makeWebhook(client, { template: 'opsgenie-api' });
  const genie = randomUUID();
  const token = { token: genie, source: 'Opsgenie' };
  const { body: imported } = await client.json('POST', `/v2/webhooks/${id}/imported-tokens`, token);
  await client.json('POST', `/v2/webhooks/${id}/rotate`, { graceSeconds: 600 });
  const send = async (address: string, agent: string, headers: Record<string, string> = {}) => {
    const named = { 'content-type': 'application/json', 'user-agent': agent, ...headers };
    const body = JSON.stringify({ message: 'm', alias: 'a' });
    await fetch(stack.url + address, { method: 'POST', headers: named, body });
  };
  const senders = async () => {
    await stack.api.intake.senders.flush();
    return (await reader.get(`/v2/webhooks/${id}/senders`)).body.data;
  };
  const sender = (at: string, userAgent: string, requests: number, atRoot = false) =>
    expect.objectContaining({ path: at, atRoot, host: '127.0.0.1', userAgent, requests });

  for (const agent of ['Grafana', 'Grafana', 'curl/8.5']) await send(path, agent);
  const authorization = `GenieKey ${genie}`;
  await send('/v2/alerts', 'opsgenie-go-sdk', { authorization });
  await send('/v2/alerts/a/close?identifierType=alias', 'opsgenie-go-sdk', { authorization });
  await senders();
  await send(path, 'Grafana');
  // Rejected, but sent all the same.
  await send(`${path}/v2/enqueue`, 'Alertmanager/0.27.0');
  const { id: tokenId, ending } = imported.data;
  expect(await senders()).toEqual([
    expect.objectContaining({ kind: 'current', imported: null, expiresAt: null, senders: [] }),
    expect.objectContaining({
      ...{ kind: 'previous', expiresAt: expect.any(String) },
      senders: expect.arrayContaining([
        sender('', 'Grafana', 3),
        sender('', 'curl/8.5', 1),
        sender('/v2/enqueue', 'Alertmanager/0.27.0', 1),
      ]),
    }),
    expect.objectContaining({
      ...{ kind: 'imported', imported: { id: tokenId, source: 'Opsgenie', ending } },
      senders: [sender('/v2/alerts', 'opsgenie-go-sdk', 2, true)],
    }),
  ]);

  // However many User-Agents a sender makes up, only so many are stored.
  const target = { tokenHash: hashToken(genie) };
  for (const [round, agents] of [30, 55].entries()) {
    for (let i = 0; i < agents; i++)
      stack.api.intake.senders.count(
        target,
        { path: '', atRoot: false },
        { host: 'a', 'user-agent': `${round}-${i} (+https://a/${genie})` },
      );
    await senders();
  }
  const [, , crowded] = await senders();
  expect(crowded.senders.length).toBe(51);
  const sum = crowded.senders.reduce((all: number, { requests }: { requests: number }) => all + requests, 0);
  expect(sum).toBe(87);
  expect(JSON.stringify(crowded)).not.toContain(genie);
  expect(crowded.senders.filter(({ path: at }: { path: string | null }) => at === null)).toHaveLength(1);
});

test('integrations of Opsgenie and Grafana OnCall are imported once, with their tokens', async () => {
  const [genie, onCall] = [randomUUID(), randomBytes(15).toString('hex')];
  const list = {
    data: [
      { id: 'o1', name: 'Alerts', enabled: true, type: 'API' },
      { id: 'o2', name: 'Sciences', enabled: true, type: 'SignalSciences' },
      { id: 'o3', name: 'Mail', enabled: true, type: 'Email' },
      { id: 'o4', name: 'Old', enabled: false, type: 'Datadog' },
      { id: '', name: 'x'.repeat(99), enabled: true, type: 'API', apiKey: 'secret' },
      { id: 'o6', name: '', enabled: true, type: 'API' },
      { id: 'o\n7', name: 'x', enabled: true, type: 'API\u0000' },
    ],
  };
  const link = `https://oncall.example.com/integrations/v1/alertmanager/${onCall}/`;
  const page = { count: 1, results: [{ id: 'C1', name: 'Prometheus', type: 'alertmanager', link }] };
  const send = async (document: unknown, query = '') => {
    const { status, body } = await client.json('POST', `/v2/webhook-imports${query}`, document);
    expect(status).toBe(200);
    return body.data.rows as {
      action: string;
      webhookId: string;
      errors: { field: string; code: string }[];
    }[];
  };
  const actions = (rows: { action: string }[]) => rows.map(({ action }) => action);
  const count = async () => (await client.get('/v2/webhooks?pageSize=1000')).body.data.length;
  const before = await count();

  const planned = await send([list, page], '?dryRun=true');
  expect(actions(planned)).toEqual([
    ...['create', 'create', 'skip', 'skip', 'reject', 'reject', 'reject', 'create'],
  ]);
  expect(planned.flatMap(({ errors }) => errors.map(({ field, code }) => [field, code]))).toEqual([
    ['id', 'missing'],
    ['apiKey', 'weak_token'],
    ['name', 'invalid_value'],
    ['id', 'invalid_value'],
    ['type', 'invalid_value'],
  ]);
  expect(await count()).toBe(before);

  const done = await send([list, page]);
  expect(actions(done)).toEqual(actions(planned));
  expect(await count()).toBe(before + 3);
  const made = (await client.get(`/v2/webhooks/${done[7]?.webhookId}`)).body.data;
  expect(made).toMatchObject({ name: 'Prometheus', template: 'alertmanager', mappingRevision: 1 });
  expect(await statusOf(`/api/v1/webhook/${onCall}`)).toBe(202);
  expect(actions(await send([list, page]))).toEqual([
    'none',
    'none',
    'skip',
    'skip',
    'reject',
    'reject',
    'reject',
    'none',
  ]);

  // The list has no keys. What the API returns of each has.
  const one = { data: { ...list.data[0], apiKey: genie } };
  expect(actions(await send(one))).toEqual(['add_token']);
  expect(actions(await send([one, { ...one.data, id: 'o9' }]))).toEqual(['none', 'none']);
  expect(await statusOf(`/api/v1/webhook/${genie}`)).toBe(202);
  const fresh = { ...page.results[0], id: 'C2', link: link.replace(onCall, randomUUID()) };
  expect(actions(await send([fresh, { ...fresh, id: 'C3' }]))).toEqual(['create', 'reject']);
  const owner = {
    webhook_id: done[1]?.webhookId ?? '',
    sealed: Buffer.alloc(0),
    created_at: new Date(),
    imported_from: 'x',
  };
  await stack.database('webhook_tokens').insert(
    Array.from({ length: 100 }, () => ({
      ...owner,
      ...{ token_hash: randomBytes(32), imported_id: randomUUID(), ending: 'abcd' },
    })),
  );
  const [crowded] = await send({ data: { ...list.data[1], apiKey: randomUUID() } });
  expect(crowded?.errors).toMatchObject([{ field: 'apiKey', code: 'too_many_tokens' }]);

  // One that was deleted is imported again.
  await client.send('DELETE', `/v2/webhooks/${done[0]?.webhookId}`);
  const [again] = await send(one);
  expect([again?.action, again?.webhookId === done[0]?.webhookId]).toEqual(['create', false]);
  const nothing = await client.json('POST', '/v2/webhook-imports', { services: [] });
  expect([nothing.status, nothing.body.code]).toEqual([400, 'no_integrations']);
  for (const line of stack.lines)
    expect([line.includes(genie), line.includes(onCall)]).toEqual([false, false]);
});

test('lists the templates, and rejects an unknown one', async () => {
  const { body } = await reader.get('/v2/webhook-templates');
  const names = body.data.map(({ name }: { name: string }) => name);
  expect(names.length).toBeGreaterThanOrEqual(35);
  expect(names).toEqual(expect.arrayContaining(['alertmanager', 'generic-alert', 'generic-monitor']));
  const response = await client.json('POST', '/v2/webhooks', { name: 'x', template: 'nothing' });
  expect([response.status, response.body.code]).toEqual([400, 'unknown_template']);
});

test('lists the errors of an invalid integration field by field', async () => {
  const response = await client.json('POST', '/v2/webhooks', {
    name: '',
    signature: { scheme: 'md5', secret: 'short' },
    descripton: 'x',
  });
  expect(response.status).toBe(400);
  const fields = response.body.errors.map(({ field }: { field: string }) => field).sort();
  expect(fields).toEqual(['descripton', 'name', 'signature.scheme', 'signature.secret']);
});

test('rejects a masked or truncated secret, because its key could be guessed', async () => {
  for (const secret of ['whsec_!!!!!!!!!!!!!!!!', 'whsec_AAAAAAAAAAA=', 'whsec_••••••••••••••••']) {
    const signature = { scheme: 'standard-webhooks', secret };
    const response = await client.json('POST', '/v2/webhooks', { name: 'x', signature });
    expect([response.status, response.body.errors[0].field]).toEqual([400, 'signature.secret']);
  }
});

test('creates one integration per Idempotency-Key, and keeps its token out of the stored response', async () => {
  const key = { 'idempotency-key': 'make-it-once' };
  const first = await client.json('POST', '/v2/webhooks', { name: 'once' }, key);
  const again = await client.json('POST', '/v2/webhooks', { name: 'once' }, key);
  expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
  expect(again.body).toEqual(first.body);
  const token = first.body.data.url.split('/').at(-1);
  const records = await stack.database('idempotency_records');
  expect(JSON.stringify(records)).not.toContain(token);
});
