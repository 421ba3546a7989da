import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createApiKey,
  ensureApiKey,
  generateKeyText,
  isKeyText,
  revokeApiKey,
  SCOPES,
} from '../../../db/access/api-keys.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let admin: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  admin = await Client.of(stack);
});
afterAll(() => stack.stop());

const list = '/v2/developers/identities';
const mistyped = (key: string) => key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

test('rejects a request without a key, and explains how to send one', async () => {
  const response = await new Client(stack.url, null).get(list);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('ApiKey, Bearer');
  expect(response.body).toMatchObject({
    status: 'error',
    code: 'missing_api_key',
    errors: [],
    errorCount: 0,
  });
  expect(response.body.requestId).toBe(response.headers.get('x-request-id'));
});

test('takes a key as a Bearer token too', async () => {
  const anyone = new Client(stack.url, null);
  const key = await stack.key();
  for (const scheme of ['ApiKey', 'Bearer', 'bearer'])
    expect((await anyone.get(list, { authorization: `${scheme} ${key}` })).status).toBe(200);
  expect((await anyone.get(list, { authorization: `Token ${key}` })).status).toBe(401);
});

test('rejects a mistyped key without a query', async () => {
  const queries: string[] = [];
  const listen = ({ sql }: { sql: string }) => void queries.push(sql);
  stack.database.on('query', listen);
  const response = await new Client(stack.url, mistyped(await stack.key())).get(list);
  stack.database.off('query', listen);
  expect([response.status, response.body.code]).toEqual([401, 'malformed_api_key']);
  expect(queries.filter((sql) => sql.startsWith('select'))).toEqual([]);
});

test('rejects an unknown key', async () => {
  const response = await new Client(stack.url, generateKeyText()).get(list);
  expect([response.status, response.body.code]).toEqual([401, 'invalid_api_key']);
});

/** Counts the queries for API keys: the total, and the maximum at the same time. */
function countKeyQueries() {
  const counts = { total: 0, running: 0, most: 0 };
  const isForKey = (sql: string) => /^select .*api_keys.*key_hash/i.test(sql);
  const began = ({ sql }: { sql: string }) => {
    if (!isForKey(sql)) return;
    counts.total += 1;
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
  };
  const ended = (_: unknown, { sql }: { sql: string }) => {
    if (isForKey(sql)) counts.running -= 1;
  };
  stack.database.on('query', began);
  stack.database.on('query-response', ended);
  const stop = () => {
    stack.database.off('query', began);
    stack.database.off('query-response', ended);
    return counts;
  };
  return { counts, stop };
}

test('an unknown key costs one query, however many requests have it', async () => {
  const client = new Client(stack.url, generateKeyText());
  const queries = countKeyQueries();
  const responses = await Promise.all(Array.from({ length: 40 }, () => client.get(list)));
  responses.push(await client.get(list));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
  // A second one if the requests took longer than an unknown key is cached.
  expect(queries.stop().total).toBeLessThanOrEqual(2);
});

test('requests with the same valid key share a query', async () => {
  const client = await Client.of(stack, 'developer_records:read');
  const queries = countKeyQueries();
  const responses = await Promise.all(Array.from({ length: 40 }, () => client.get('/v2/keys/current')));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(queries.stop().total).toBe(1);
});

/** Runs `during` while every query for an API key waits. */
async function whileKeysAreLocked(during: () => Promise<void>): Promise<void> {
  const connection = await stack.database.client.acquireConnection();
  const run = (sql: string) => stack.database.raw(sql).connection(connection);
  await run('LOCK TABLES api_keys WRITE');
  try {
    await during();
  } finally {
    await run('UNLOCK TABLES');
    await stack.database.client.releaseConnection(connection);
  }
}

test('checks two unknown keys at a time, and responds with 503 when the queue is full', async () => {
  await admin.get('/v2/keys/current');
  stack.api.authenticator.forget();
  const queries = countKeyQueries();
  const rejected: Awaited<ReturnType<Client['get']>>[] = [];
  const flood: Promise<void>[] = [];
  await whileKeysAreLocked(async () => {
    const strangers = Array.from({ length: 70 }, async () => {
      const response = await new Client(stack.url, generateKeyText()).get(list);
      if (response.status === 503) rejected.push(response);
      else expect(response.status).toBe(401);
    });
    flood.push(...strangers);
    await until('the queue is full', () => rejected.length > 0 && queries.counts.running === 2);
    const known = admin.get('/v2/keys/current');
    await until('a key that was valid before is looked up past the line', () => queries.counts.running === 3);
    flood.push(known.then(({ status }) => expect(status).toBe(200)));
  });
  await Promise.all(flood);
  expect(queries.stop().most).toBe(3);
  for (const { body, headers } of rejected) {
    expect(body.code).toBe('overloaded');
    expect(headers.get('retry-after')).toBe('1');
  }
});

test('a key that another host creates after this host rejected it works within 5 s', async () => {
  const text = generateKeyText();
  const client = new Client(stack.url, text);
  expect((await client.get('/v2/keys/current')).status).toBe(401);
  await ensureApiKey(stack.database, { name: 'late', scopes: SCOPES }, text);
  const madeAt = performance.now();
  await until('the key works', async () => (await client.get('/v2/keys/current')).status === 200);
  expect(performance.now() - madeAt).toBeLessThan(5_000);
});

test('a key that another host revokes is rejected within 5 s', async () => {
  const { apiKey, text } = await createApiKey(stack.database, { name: 'leaked', scopes: SCOPES });
  const client = new Client(stack.url, text);
  expect((await client.get('/v2/keys/current')).status).toBe(200);
  // The other host tells this one nothing.
  await revokeApiKey(stack.database, apiKey.id);
  const revokedAt = performance.now();
  let acceptedAt = revokedAt;
  await until('the key is rejected', async () => {
    const sentAt = performance.now();
    const { status } = await client.get('/v2/keys/current');
    if (status === 200) acceptedAt = sentAt;
    return status === 401;
  });
  expect(acceptedAt - revokedAt).toBeLessThan(5_000);
});

test('a key is created, shown once, used, listed, revoked, and then rejected', async () => {
  const made = await admin.json('POST', '/v2/keys', { name: 'reader', scopes: ['developer_records:read'] });
  expect(made.status).toBe(201);
  const { key, id } = made.body.data;
  expect(isKeyText(key)).toBe(true);
  const reader = new Client(stack.url, key);
  expect((await reader.get(list)).status).toBe(200);
  const listed = await admin.get('/v2/keys');
  const shown = listed.body.data.find((one: { id: string }) => one.id === id);
  expect(shown).toMatchObject({ name: 'reader', scopes: ['developer_records:read'], revokedAt: null });
  expect(listed.text).not.toContain(key);
  expect((await admin.send('DELETE', `/v2/keys/${id}`)).status).toBe(204);
  const rejected = await reader.get(list);
  expect([rejected.status, rejected.body.code]).toEqual([401, 'invalid_api_key']);
});

test('the text of a key is not stored in the database', async () => {
  const text = await stack.key();
  const rows = await stack.database('api_keys');
  expect(JSON.stringify(rows)).not.toContain(text.slice(5, 37));
});

test('rejects an expired key', async () => {
  const text = await stack.key();
  await stack
    .database('api_keys')
    .update({ expires_at: new Date(Date.now() - 1_000) })
    .orderBy('id', 'desc')
    .limit(1);
  expect((await new Client(stack.url, text).get(list)).status).toBe(401);
});

test('a valid key without the scope gets 403 and the name of the scope', async () => {
  const reader = await Client.of(stack, 'developer_records:read');
  const response = await reader.json('PATCH', list, []);
  expect([response.status, response.body.code]).toEqual([403, 'missing_scope']);
  expect(response.body.message).toContain('developer_records:write');
  expect((await reader.get('/v2/keys')).status).toBe(403);
});

test('any key may read its own properties, whatever its scopes', async () => {
  for (const scope of SCOPES) {
    const own = await (await Client.of(stack, scope)).get('/v2/keys/current');
    expect(own.status).toBe(200);
    const listed = (await admin.get('/v2/keys?pageSize=1')).body.data[0];
    expect(own.body).toEqual({ status: 'success', data: { ...listed, scopes: [scope], lastUsedAt: null } });
  }
  expect((await new Client(stack.url, null).get('/v2/keys/current')).status).toBe(401);
  expect((await admin.get('/v2/keys/current?pageSize=1')).body.code).toBe('invalid_query');
  expect((await admin.send('DELETE', '/v2/keys/current')).status).toBe(404);
});

test('reports all errors of a new key together', async () => {
  const response = await admin.json('POST', '/v2/keys', { name: '', scopes: ['everything'], nmae: 1 });
  expect(response.status).toBe(400);
  expect(response.body.errors.map((error: { field: string }) => error.field).sort()).toEqual([
    'name',
    'nmae',
    'scopes.0',
  ]);
  expect(response.body.errors.find((error: { field: string }) => error.field === 'nmae').message).toContain(
    'name',
  );
});

test('lists every key once, page by page', async () => {
  for (let i = 0; i < 5; i++) await stack.key();
  const seen: string[] = [];
  let path: string | null = '/v2/keys?pageSize=2';
  while (path) {
    const { body, headers } = await admin.get(path);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  const [[{ count }]] = await stack.database.raw('SELECT COUNT(*) AS count FROM api_keys');
  expect([seen.length, new Set(seen).size]).toEqual([Number(count), Number(count)]);
});
