import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Route } from '../../../api/endpoint/route.js';
import { routes } from '../../../api/routes/index.js';
import { finishJob } from '../../../db/jobs/job-lifecycle.js';
import { fillAlerts, webhookNumber } from '../../support/api/alerts.js';
import { type ApiResponse, Client } from '../../support/api/client.js';
import { finishedExport } from '../../support/api/finished-export.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { onTheWire } from '../../support/api/wire.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = new Client(stack.url, null);
});
afterAll(() => stack.stop());

test('the OpenAPI document has every route, and every reference resolves', async () => {
  const { body, status } = await client.get('/openapi.json');
  expect(status).toBe(200);
  expect(body.openapi).toMatch(/^3\.1\./);
  for (const route of routes) expect(body.paths[route.path]?.[route.method]?.summary).toBe(route.summary);
  for (const [, name] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(body.components.schemas[name as string]).toBeDefined();
  }
});

test('builds the document once, however many clients request it', async () => {
  const [route] = routes as [Route];
  const { summary } = route;
  let builds = 0;
  Object.defineProperty(route, 'summary', {
    get: () => {
      builds++;
      return summary;
    },
    configurable: true,
  });
  const responses = await Promise.all(Array.from({ length: 40 }, () => client.get('/openapi.json')));
  Object.defineProperty(route, 'summary', { value: summary });
  expect(new Set(responses.map(({ status, text }) => `${status} ${text.length}`)).size).toBe(1);
  expect(builds).toBeLessThanOrEqual(1);
});

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

test.each([
  '/openapi.json',
  '/schemas/integration.json',
  '/docs',
  '/docs/start.js',
  '/docs/assets/swagger-ui-bundle.js',
])('%s is compressed, may be cached, and is not sent again to a client that has it', async (path) => {
  const plain = await client.get(path, { 'accept-encoding': 'identity' });
  expect(plain.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  const etags = new Set([plain.headers.get('etag')]);
  for (const coding of ['br', 'gzip'] as const) {
    const { headers, bytes } = await onTheWire(stack.url + path, { 'accept-encoding': coding });
    expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'Accept-Encoding']);
    expect(decoders[coding](bytes).toString() === plain.text).toBe(true);
    etags.add(headers.etag as string);
  }
  // One ETag for each coding: the bytes differ.
  expect(etags.size).toBe(3);
  for (const etag of etags) {
    const coding = /-(br|gzip)"$/.exec(etag as string)?.[1] ?? 'identity';
    const again = await onTheWire(stack.url + path, {
      'accept-encoding': coding,
      'if-none-match': etag as string,
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect([again.headers.etag, again.headers['content-encoding']]).toEqual([etag, undefined]);
  }
});

test('the document describes the validation rules of a record', async () => {
  const { body } = await client.get('/openapi.json');
  const upload = body.paths['/v2/developers/identities'].patch.requestBody.content['application/json'].schema;
  expect(upload).toMatchObject({ type: 'array', minItems: 1, maxItems: 10_000 });
  expect(body.components.schemas.IdentityRecord).toMatchObject({
    required: ['email', 'integrationId', 'identity'],
    properties: {
      email: { type: 'string', format: 'email', maxLength: 254 },
      integrationId: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      identity: { type: 'string', minLength: 1, maxLength: 255 },
    },
  });
  expect(body.components.schemas.Job.properties.id).toMatchObject({ type: 'string', format: 'uuid' });
});

/** Returns the operations whose description lists a header. */
async function takers(header: string): Promise<string[]> {
  const { paths } = (await client.get('/openapi.json')).body;
  const found: string[] = [];
  for (const [path, methods] of Object.entries<Record<string, { parameters: object[] }>>(paths)) {
    for (const [method, { parameters }] of Object.entries(methods)) {
      const given = { name: header, in: 'header', required: false, schema: { type: 'string' } };
      const named = parameters.filter((one) => 'name' in one && one.name === header);
      if (named.length > 0) expect(named).toMatchObject([given]);
      if (named.length > 0) found.push(`${method} ${path}`);
    }
  }
  return found.sort();
}

test('the document lists the headers that a route uses', async () => {
  const idempotent = routes
    .filter((route) => route.idempotent)
    .map(({ method, path }) => `${method} ${path}`);
  expect(idempotent.length).toBeGreaterThan(8);
  const event = 'post /api/v1/webhook/{webhook_id}';
  expect(await takers('Idempotency-Key')).toEqual([...idempotent, event].sort());
  for (const header of ['svix-id', 'X-GitHub-Delivery', 'x-amz-sns-message-id']) {
    expect(await takers(header)).toEqual([event]);
  }
  const files = ['changes', 'conflicts', 'file', 'rejected', 'skipped'].map(
    (name) => `get /v2/jobs/{id}/${name}`,
  );
  for (const header of ['Range', 'If-Range']) expect(await takers(header)).toEqual(files);
  const tagged = routes.filter(({ etag }) => etag).map(({ method, path }) => `${method} ${path}`);
  expect(await takers('If-None-Match')).toEqual([...files, ...tagged].sort());
});

test('the document lists Prefer for exactly the routes that support it', async () => {
  const documented = await takers('Prefer');
  const webhooks = new Client(stack.url, await stack.key());
  const { id } = await makeWebhook(webhooks);
  const failed = await finishedExport(stack, { state: 'failed' });
  const records = JSON.stringify([{ email: 'a@example.com', integrationId: 1, identity: 'a' }]);
  const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
  const uploaded = await webhooks.send('PATCH', '/v2/developers/identities', { headers, body: records });
  const changed = uploaded.body.jobId;
  await finishJob(stack.database, changed, { state: 'completed', changesBytes: 1 });
  const dry = await webhooks.send('PATCH', '/v2/developers/identities?dryRun=true', {
    headers,
    body: records,
  });
  const planned = dry.body.jobId;
  await finishJob(stack.database, planned, { state: 'completed', changesBytes: 1 });
  const accounts = JSON.stringify({ accounts: [{ identity: 'a' }] });
  const keys = JSON.stringify([{ integrationId: 1, identity: 'a' }]);
  const source = { kind: 'directory', path: 'people.csv' };
  const feed = (await webhooks.json('POST', '/v2/feeds', { name: 'feed', source })).body.data;
  const listed = (
    await webhooks.json('POST', '/v2/integrations/1/worklists', { accounts: [{ identity: 'a' }] })
  ).body.jobId;
  const found =
    'identity,candidate1,score1,reason1,score2\nx,a@example.com,94,known alias in account system 2,\n';
  await stack.files.write(`uploads/${listed}`, Readable.from([Buffer.from(found)]));
  await finishJob(stack.database, listed, { state: 'completed', resultKey: `uploads/${listed}` });
  const receiver = { name: 'Receiver', preset: 'webhook', url: 'https://receiver.example.com/hook' };
  const destination = (await webhooks.json('POST', '/v2/destinations', receiver)).body.data;
  await stack.database('messages').insert({
    destination_id: destination.id,
    transition_id: 1,
    key_id: Buffer.alloc(16),
    state: 'expired',
    is_filtered: 0,
    attempts: 0,
    due_at: new Date(),
  });
  const [table_id = 0] = await stack
    .database('lookup_tables')
    .insert({ name: 't', revision: 1, updated_at: new Date() });
  await stack.database('lookup_revisions').insert({
    ...{ table_id, revision: 1, state: 'ready', matching: 'exact', key_columns: '["k"]', columns: '["k"]' },
    ...{ row_count: 1, digest: Buffer.alloc(32), job_id: webhookNumber(1), created_at: new Date() },
  });
  const rows = JSON.stringify([{ k: 'a' }]);
  const requests: [string, string, string | null][] = [
    ['put', '/v2/tables/t', rows],
    ['patch', '/v2/tables/t', rows],
    ['get', '/v2/tables/t?format=csv', null],
    ['patch', '/v2/developers/identities', records],
    ['delete', '/v2/developers/identities', keys],
    ['post', '/v2/developers/identities/imports', records],
    ['post', '/v2/developers/identities/removals', keys],
    ['get', '/v2/developers/identities?format=csv', null],
    ['post', '/v2/developers/identities/exports', '{}'],
    ['get', '/v2/alerts?format=csv', null],
    ['get', '/v2/events?format=csv', null],
    ['post', `/v2/webhooks/${id}/remap`, '{}'],
    ['post', `/v2/jobs/${failed}/retry`, null],
    ['post', `/v2/jobs/${changed}/revert`, null],
    ['post', `/v2/jobs/${planned}/apply`, null],
    ['post', `/v2/jobs/${listed}/accept?rules=known_alias`, null],
    ['post', '/v2/integrations/7/worklists', accounts],
    ['post', `/v2/feeds/${feed.id}/runs`, null],
    ['post', `/v2/alerts/${webhookNumber(1)}/resolve`, '{}'],
    ['post', '/v2/alerts/resolve', JSON.stringify({ ids: [webhookNumber(1)] })],
    ['post', '/v2/alerts/refold', '{}'],
    ['post', `/v2/destinations/${destination.id}/replay`, '{}'],
    ['post', `/v2/destinations/${destination.id}/messages/1/replay`, '{}'],
  ];
  // Its first alert has the same id as the first integration.
  await fillAlerts(stack.database, 1);
  await stack.database('alerts').update({ dedup_key: 'key' });
  for (const [method, path, body] of requests) {
    const response = await webhooks.send(method.toUpperCase(), path, { headers, body });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
  }
  const lists = [
    '/v2/developers/identities/changes',
    '/v2/developers/identities/history?integrationId=1&identity=a',
    '/v2/integrations/coverage',
    '/v2/integrations/7/coverage',
    '/v2/jobs/facets',
    '/v2/audit',
    '/v2/audit/facets',
    '/v2/alerts/facets',
    '/v2/alerts/histogram',
    `/v2/alerts/${webhookNumber(1)}/events`,
  ];
  for (const path of lists) {
    const response = await webhooks.get(path, { prefer: 'read=primary' });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, 'read=primary']);
    requests.push(['get', path, null]);
  }
  const followed = requests.map(([method, path]) => {
    const noIds = path
      .replace(/\?.*/, '')
      .replace(/[\w-]{36}/, '{id}')
      .replace('/1/', '/{sequence}/')
      .replace(/tables\/t$/, 'tables/{name}');
    return `${method} ${noIds.replace('integrations/7', 'integrations/{integrationId}')}`;
  });
  expect(documented).toEqual(followed.sort());
});

test('serves the page at /docs and its assets; scripts come only from this server', async () => {
  const page = await client.get('/docs');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const parts = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string);
  expect(parts.length).toBe(3);
  const responses: ApiResponse[] = await Promise.all(parts.map((path) => client.get(path)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await client.get('/docs/assets/package.json')).status).toBe(404);
});
