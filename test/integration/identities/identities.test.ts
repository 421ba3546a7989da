import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const ann = { email: 'ann@example.com', integrationId: 7, identity: '007' };
const bob = { email: 'bob@example.com', integrationId: 7, identity: 'Bob' };

test('records sent as JSON are written, counted and read back', async () => {
  const sent = await client.json('PATCH', '/v2/developers/identities', [ann, bob]);
  expect(sent.body).toMatchObject({
    status: 'success',
    message: 'Developer identities updated successfully.',
    counts: { total: 2, created: 2, updated: 0, unchanged: 0, superseded: 0, rejected: 0 },
  });
  expect(sent.status).toBe(200);
  const read = await client.get('/v2/developers/identities');
  expect(read.body.data).toMatchObject([ann, bob]);
  expect(read.body.page).toEqual({ pageSize: 50, nextCursor: null });
  const again = await client.json('PATCH', '/v2/developers/identities', [
    ann,
    { ...bob, email: 'eve@example.com' },
  ]);
  expect(again.body.counts).toMatchObject({ total: 2, updated: 1, unchanged: 1 });
  const csv = await client.get('/v2/developers/identities', { accept: 'text/csv' });
  expect(csv.text).toBe('email,integrationId,identity\nann@example.com,7,007\neve@example.com,7,Bob\n');
});
