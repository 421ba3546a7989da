import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type ApiResponse, Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

let stack: Stack;
let idle: Stack;
let client: Client;
let idleClient: Client;
beforeAll(async () => {
  [stack, idle] = await Promise.all([startStack(), startStack({ worker: false })]);
  [client, idleClient] = await Promise.all([Client.of(stack), Client.of(idle)]);
});
afterAll(() => Promise.all([stack.stop(), idle.stop()]));
beforeEach(() => Promise.all([stack, idle].map(({ database }) => database('idempotency_records').delete())));

const path = '/v2/developers/identities';
const header = 'email,integrationId,identity\n';
const ann = { email: 'ann@example.com', integrationId: 7, identity: 'ann' };
const bob = { ...ann, email: 'bob@example.com' };
const jobs = async (of = stack): Promise<number> => (await of.database('jobs').select('id')).length;
const under = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more });

/** Returns the part of a response that a repetition must have too. */
const essence = ({ status, body, headers }: ApiResponse) => ({
  status,
  body,
  location: headers.get('location'),
  retryAfter: headers.get('retry-after'),
});

function expectReplay(again: ApiResponse, first: ApiResponse): void {
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(essence(again)).toEqual(essence(first));
}

test.each([
  ['JSON', () => client.json('PATCH', path, [ann], under('k'))],
  ['a removal', () => client.json('DELETE', path, [ann], under('k'))],
  [
    'a file, with a different boundary each time',
    () => client.upload(`${header}ann@example.com,7,ann\n`, '', under('k')),
  ],
  ['one not awaited', () => client.json('PATCH', path, [ann], under('k', { prefer: 'respond-async' }))],
  ['a rejected file', () => client.upload('no csv', '', under('k'))],
  ['rejected records', () => client.json('PATCH', path, [{}], under('k'))],
  ['no JSON at all', () => client.json('PATCH', path, '[', under('k'))],
])('the same request again gets the same response, and is done once: %s', async (_, send) => {
  const first = await send();
  const made = await jobs();
  expectReplay(await send(), first);
  expectReplay(await send(), first);
  expect(await jobs()).toBe(made);
});

test('a repetition leaves no file', async () => {
  const files = async () => {
    const keys: string[] = [];
    for await (const key of stack.files.list()) keys.push(key);
    return keys.length;
  };
  await client.upload(`${header}ann@example.com,7,ann\n`, '', under('f'));
  const before = await files();
  await client.upload(`${header}ann@example.com,7,ann\n`, '', under('f'));
  expect(await files()).toBe(before);
});

test.each([
  ['another record', () => client.json('PATCH', path, [bob], under('k'))],
  ['another query', () => client.json('PATCH', `${path}?dryRun=true`, [ann], under('k'))],
])('rejects a different request under a used key: %s', async (_, send) => {
  await client.json('PATCH', path, [ann], under('k'));
  const made = await jobs();
  const response = await send();
  expect([response.status, response.body.code]).toEqual([422, 'idempotency_key_reused']);
  expect(await jobs()).toBe(made);
});

test('an Idempotency-Key is unique within one API key, method and path', async () => {
  const other = await Client.of(stack);
  const responses = [
    await client.json('PATCH', path, [ann], under('k')),
    await client.json('DELETE', path, [ann], under('k')),
    await other.json('PATCH', path, [bob], under('k')),
  ];
  for (const { status, headers } of responses)
    expect([status, headers.get('idempotency-replayed')]).toEqual([200, null]);
});

test.each(['', 'a b', 'é', 'x'.repeat(256)])('rejects an invalid Idempotency-Key: %j', async (key) => {
  const raw = await rawPatch(Buffer.from(key).toString('latin1'));
  if (key === '') expect(raw.status).toBe(200);
  else expect([raw.status, raw.code]).toEqual([400, 'invalid_idempotency_key']);
});

test('accepts keys of every allowed character and length, and distinguishes case', async () => {
  const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('');
  for (const key of [printable, 'x'.repeat(255), 'Key', 'key', '0']) {
    const response = await client.json('PATCH', path, [ann], under(key));
    expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([200, null]);
  }
});

/** `fetch` rejects some header values that clients may send. */
function rawPatch(key: string): Promise<{ status: number; code: string }> {
  return stack.key().then(
    (apiKey) =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: `ApiKey ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        };
        request(`${stack.url}${path}`, { method: 'PATCH', headers }, (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).code }),
          );
        })
          .on('error', reject)
          .end(JSON.stringify([ann]));
      }),
  );
}

const send = (key: string, body: object[] = [ann]) =>
  idleClient.json('PATCH', path, body, under(key, { prefer: 'wait=30' }));
const record = () => idle.database('idempotency_records').first();

test('rejects the same key while the first request is in progress, and replays its response afterwards', async () => {
  const before = await jobs(idle);
  const first = send('k');
  await until('the first is under way', async () => (await jobs(idle)) > before);
  for (const body of [[ann], [bob]]) {
    const response = await send('k', body);
    expect([response.status, response.body.code]).toEqual([409, 'idempotency_in_flight']);
    expect(response.headers.get('retry-after')).toBe('2');
  }
  expect(await jobs(idle)).toBe(before + 1);
  const counts = { total: 1, created: 1, updated: 0, unchanged: 0, superseded: 0, rejected: 0 };
  await idle
    .database('jobs')
    .where({ state: 'queued' })
    .update({ state: 'completed', counts: JSON.stringify(counts), finished_at: new Date() });
  const done = await first;
  expect(done.status).toBe(200);
  expectReplay(await send('k'), done);
});

test('carries out one of many simultaneous requests', async () => {
  const before = await jobs();
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => client.json('PATCH', path, [ann], under('many'))),
  );
  expect(await jobs()).toBe(before + 1);
  for (const { status } of responses) expect([200, 409]).toContain(status);
});

test('a killed API blocks a key only until its lease expires', async () => {
  const before = await jobs(idle);
  const lost = send('k').catch(() => null);
  await until('it is under way', async () => (await jobs(idle)) > before);
  // The state after a kill: a record whose holder no longer exists, and whose lease is not renewed.
  const past = new Date(Date.now() - 1);
  await idle.database('idempotency_records').update({ lease_until: past, lease_holder: 'killed' });
  const again = await idleClient.json('PATCH', path, [ann], under('k', { prefer: 'respond-async' }));
  // The work of the killed process continues: there is one job.
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
  expect(await jobs(idle)).toBe(before + 1);
  const counts = { total: 1, created: 1, updated: 0, unchanged: 0, superseded: 0, rejected: 0 };
  await idle
    .database('jobs')
    .where({ state: 'queued' })
    .update({ state: 'completed', counts: JSON.stringify(counts), finished_at: new Date() });
  await lost;
  // The holder that was considered dead no longer holds the key, and records nothing.
  expect((await theRow(record())).status).toBeNull();
});

test('does not record a response that asks for a retry', async () => {
  const { redis } = idle.api;
  redis.disconnect();
  await until('Redis is unavailable', async () => redis.status === 'end');
  const unavailable = await send('k');
  expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await record()).toBeUndefined();
  await redis.connect();
  const again = await idleClient.json('PATCH', path, [ann], under('k', { prefer: 'respond-async' }));
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, null]);
});

test('does not record an incomplete body; the complete one is carried out', async () => {
  const apiKey = await stack.key();
  const headers = {
    authorization: `ApiKey ${apiKey}`,
    'content-type': 'application/json',
    'content-length': '1000',
    'idempotency-key': 'half',
  };
  const isTaken = async () => (await stack.database('idempotency_records')).length === 1;
  await new Promise<void>((resolve) => {
    const half = request(`${stack.url}${path}`, { method: 'PATCH', headers }).on('error', () => resolve());
    half.write('[');
    half.on('close', () => resolve());
    void until('the key is taken', isTaken).then(() => half.destroy());
  });
  await until('the key is free', async () => (await stack.database('idempotency_records')).length === 0);
  const whole = await new Client(stack.url, apiKey).json('PATCH', path, [ann], under('half'));
  expect([whole.status, whole.headers.get('idempotency-replayed')]).toEqual([200, null]);
});
