import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { bytes, finishedExport } from '../../support/api/finished-export.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { onTheWire } from '../../support/api/wire.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let key: string;
let client: Client;
let resources: Record<string, string>;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key();
  client = new Client(stack.url, key);
  const webhook = await makeWebhook(client);
  const accepted = await sendEvent(stack.url, webhook.path, ALERT);
  const { eventId } = (await accepted.json()) as { eventId: string };
  const receipt = await receiptOf(client, eventId);
  const upload = await client.json('PATCH', '/v2/developers/identities', [
    { email: 'ada@example.com', integrationId: 7, identity: 'ada' },
  ]);
  resources = {
    job: `/v2/jobs/${upload.body.jobId}`,
    event: `/v2/events/${eventId}`,
    alert: `/v2/alerts/${receipt.alertIds[0]}`,
    webhook: `/v2/webhooks/${webhook.id}`,
    mapping: `/v2/webhooks/${webhook.id}/mapping`,
    revision: `/v2/webhooks/${webhook.id}/mapping/revisions/1`,
    catalogue: '/v2/webhook-templates',
  };
});
afterAll(() => stack.stop());

const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  onTheWire(stack.url + path, { authorization: `ApiKey ${key}`, ...headers }, method);

/** Their tags are used in `If-Match`. */
const STRONG = new Set(['webhook', 'mapping']);

test.each(['job', 'event', 'alert', 'webhook', 'mapping', 'revision', 'catalogue'])(
  'responds with 304 to a client that has the %s, in every form of If-None-Match',
  async (name) => {
    const path = resources[name] as string;
    const first = await client.get(path);
    const etag = first.headers.get('etag') as string;
    expect(etag).toMatch(STRONG.has(name) ? /^"[\w.-]+"$/ : /^W\/"[\w-]{22}"$/);
    for (const tag of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      // fetch sends Cache-Control: no-cache with If-None-Match; other clients do not.
      const fetched = await client.get(path, { 'if-none-match': tag });
      expect([fetched.status, fetched.text, fetched.headers.get('etag')]).toEqual([304, '', etag]);
      const plain = await raw(path, { 'if-none-match': tag });
      expect([plain.status, plain.bytes.length, plain.headers.etag]).toEqual([304, 0, etag]);
    }
    expect((await client.get(path, { 'if-none-match': '"other"' })).body).toEqual(first.body);
    expect((await raw(path, { 'if-none-match': etag }, 'HEAD')).status).toBe(304);
  },
);

test('a change changes the ETag of a resource', async () => {
  const path = resources.webhook as string;
  const before = (await client.get(path)).headers.get('etag') as string;
  await client.json('PATCH', path, { name: 'renamed' });
  const after = await client.get(path, { 'if-none-match': before });
  expect([after.status, after.body.data.name]).toEqual([200, 'renamed']);
  expect(after.headers.get('etag')).not.toBe(before);
});

test('the ETag depends on the key only if the content does', async () => {
  const reader = new Client(stack.url, await stack.key('webhooks:read'));
  const etagOf = async (who: Client, name: string) =>
    (await who.get(resources[name] as string)).headers.get('etag');
  expect(await etagOf(reader, 'mapping')).toBe(await etagOf(client, 'mapping'));
  expect(await etagOf(reader, 'webhook')).not.toBe(await etagOf(client, 'webhook'));
});

test('compresses JSON over 1 KiB for clients that accept gzip, with the same weak ETag', async () => {
  const path = resources.catalogue as string;
  const plain = await raw(path);
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
  for (const coding of ['gzip', 'gzip, deflate, br, zstd']) {
    const { headers, bytes: body } = await raw(path, { 'accept-encoding': coding });
    expect(headers['content-encoding']).toBe('gzip');
    expect(headers.etag).toBe(plain.headers.etag);
    expect(body.length).toBeLessThan(plain.bytes.length / 4);
    expect(gunzipSync(body).equals(plain.bytes)).toBe(true);
  }
});

test('an error over 1 KiB is compressed too', async () => {
  const records = JSON.stringify(Array.from({ length: 100 }, () => ({})));
  const init = { body: records, headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' } };
  const { status, headers, body } = await client.send('PATCH', '/v2/developers/identities', init);
  expect([status, headers.get('content-encoding'), body.errorCount]).toEqual([400, 'gzip', 300]);
});

test('short JSON is not compressed', async () => {
  const { headers } = await raw('/healthz', { 'accept-encoding': 'gzip' });
  expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, '20']);
});

test('never compresses a download, so that it can be resumed', async () => {
  const path = `/v2/jobs/${await finishedExport(stack)}/file`;
  const { headers, bytes: body } = await raw(path, { 'accept-encoding': 'gzip' });
  expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, String(bytes)]);
  expect(body.length).toBe(bytes);
  expect(headers['cache-control']).toBe('no-store, no-transform');
});

test('caches store neither errors nor responses to an API key', async () => {
  const lists = ['identities?format=json', 'jobs', 'events', 'alerts', 'webhooks', 'keys', 'keys/current'];
  const paths = lists.map((path) =>
    path.startsWith('identities') ? `/v2/developers/${path}` : `/v2/${path}`,
  );
  const { catalogue, ...others } = resources;
  for (const path of [...paths, ...Object.values(others)]) {
    expect([path, (await client.get(path)).headers.get('cache-control')]).toEqual([path, 'no-store']);
  }
  expect((await client.get(catalogue as string)).headers.get('cache-control')).toBe('private, no-cache');
  const stranger = new Client(stack.url, null);
  for (const path of ['/v2/jobs', '/nowhere', '/v2/cloud-ids', '/healthz?a=1']) {
    const { status, headers } = await stranger.get(path);
    expect([path, status >= 400, headers.get('cache-control')]).toEqual([path, true, 'no-store']);
  }
});

test('pages of other origins may not call the API', async () => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' };
  const responses = [
    await raw('/v2/jobs', { ...headers, 'access-control-request-headers': 'authorization' }, 'OPTIONS'),
    await raw('/v2/jobs', headers),
  ];
  for (const { headers: given } of responses) {
    expect(Object.keys(given).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(given['cross-origin-resource-policy']).toBe('same-origin');
  }
});

test.each(['br;q=1.0, *;q=0', 'br, identity;q=0', '*;q=0'])(
  'a client that accepts none of our encodings gets JSON unencoded: %s',
  async (accepted) => {
    const {
      status,
      headers,
      bytes: body,
    } = await raw(resources.catalogue as string, { 'accept-encoding': accepted });
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    expect(JSON.parse(body.toString()).status).toBe('success');
  },
);

test('HEAD announces a length only if GET has it', async () => {
  const head = (encoding: string) =>
    raw(resources.catalogue as string, { 'accept-encoding': encoding }, 'HEAD');
  expect((await head('gzip')).headers['content-length']).toBeUndefined();
  const plain = await raw(resources.catalogue as string, { 'accept-encoding': 'identity' });
  expect((await head('identity')).headers['content-length']).toBe(String(plain.bytes.length));
});
