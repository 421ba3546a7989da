import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type ApiResponse, Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() => stack.database('idempotency_records').delete());

const under = { 'idempotency-key': 'k' };
const record = () => stack.database('idempotency_records').first();
const count = async (table: string) => (await stack.database(table)).length;
const newWebhook = () => client.json('POST', '/v2/webhooks', { name: 'w' }, under);
const newKey = () => client.json('POST', '/v2/keys', { name: 'k', scopes: ['alerts:read'] }, under);

async function rotation(): Promise<() => Promise<ApiResponse>> {
  const { body } = await client.json('POST', '/v2/webhooks', { name: 'w' });
  return () => client.json('POST', `/v2/webhooks/${body.data.id}/rotate`, { graceSeconds: 60 }, under);
}

const changes = [
  ['create a webhook', 'webhook_tokens', async () => newWebhook],
  ['rotate a webhook', 'webhook_tokens', rotation],
  ['create an API key', 'api_keys', async () => newKey],
] as const;

test.each(changes)(
  '%s: a repetition gets the same secret, and only one is created',
  async (_, table, prepare) => {
    const send = await prepare();
    const before = await count(table);
    const first = await send();
    const again = await send();
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect([again.status, again.body, again.headers.get('location')]).toEqual([
      first.status,
      first.body,
      first.headers.get('location'),
    ]);
    expect(await count(table)).toBe(before + 1);
    // The stored response does not contain the secret in plain text.
    const secret = first.body.data.key ?? first.body.data.url.split('/').at(-1);
    expect(JSON.stringify(await record())).not.toContain(secret);
  },
);

test.each(changes)(
  '%s: change and response are committed together, or neither is',
  async (_, table, prepare) => {
    const send = await prepare();
    const before = await count(table);
    // Simulates a request that pauses for longer than its lease, just before its change.
    await stack.database.raw(`CREATE TRIGGER lapse BEFORE INSERT ON ${table} FOR EACH ROW
      UPDATE idempotency_records SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND`);
    const lapsed = await send();
    await stack.database.raw('DROP TRIGGER lapse');
    expect([lapsed.status, lapsed.body.code]).toEqual([409, 'idempotency_in_flight']);
    expect(await count(table)).toBe(before);
    await until('the key is free', async () => (await record()) === undefined);
    expect((await send()).headers.get('idempotency-replayed')).toBeNull();
    expect(await count(table)).toBe(before + 1);
  },
);

test('rejects a different body under a used Idempotency-Key', async () => {
  await newKey();
  const response = await client.json('POST', '/v2/keys', { name: 'k', scopes: ['admin'] }, under);
  expect([response.status, response.body.code]).toEqual([422, 'idempotency_key_reused']);
});
