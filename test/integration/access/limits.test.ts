import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false, env: { MAX_INTEGRATIONS: '2', MAX_API_KEYS: '3' } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

test('the number of integrations has a limit, and deleting one makes room', async () => {
  const create = () => client.json('POST', '/v2/webhooks', { name: 'one' });
  const [first, second] = [await create(), await create()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(await create()).toMatchObject({
    status: 409,
    body: {
      code: 'too_many_integrations',
      message:
        'There are 2 integrations, which is the limit. Nothing was created. Delete those that are no longer used, or raise MAX_INTEGRATIONS.',
    },
  });
  expect((await client.json('DELETE', `/v2/webhooks/${first.body.data.id}`, undefined)).status).toBe(204);
  expect((await create()).status).toBe(201);
});

test('the number of API keys has a limit, and a revoked or expired key does not count', async () => {
  await stack.database('api_keys').insert({
    id: '00000000-0000-7000-8000-000000000000',
    name: 'expired',
    key_hash: Buffer.alloc(32),
    scopes: 'admin',
    created_at: new Date(),
    expires_at: new Date(Date.now() - 1_000),
  });
  const create = () => client.json('POST', '/v2/keys', { name: 'one', scopes: ['alerts:read'] });
  const made = [await create(), await create()];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  expect(await create()).toMatchObject({ status: 409, body: { code: 'too_many_keys' } });
  expect((await client.json('DELETE', `/v2/keys/${made[0]?.body.data.id}`, undefined)).status).toBe(204);
  expect((await create()).status).toBe(201);
});
