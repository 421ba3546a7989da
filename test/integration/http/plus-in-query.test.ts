import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { insertIdentities } from '../../support/api/identities.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  await insertIdentities(stack.database, [
    { email: 'ada+test@example.com', integrationId: 7, identity: 'ada+l@example.com' },
    { email: 'ada@example.com', integrationId: 7, identity: 'Ada L' },
  ]);
});
afterAll(() => stack.stop());

const LIST = '/v2/developers/identities';

test.each([
  [`${LIST}?updatedSince=2026-11-25T00:00:00+10:00`, 'updatedSince'],
  [`${LIST}?emails=ada+test@example.com`, 'emails'],
  [`${LIST}?emails=x@example.com,ada+test@example.com`, 'emails'],
  [`${LIST}?emails=x@example.com&emails=ada+test@example.com`, 'emails'],
  [`${LIST}?identities=ada+l@example.com`, 'identities'],
  [`${LIST}?searchKey=email&searchValue=ada+test`, 'searchValue'],
  [`${LIST}?searchKey=identity&searchValue=ada+l@example.com`, 'searchValue'],
  [`${LIST}?integrationIds=7+8`, 'integrationIds'],
  [`${LIST}?pageSize=+5`, 'pageSize'],
  [`${LIST}?cursor=ab+cd`, 'cursor'],
  [`${LIST}?sortOrder=+asc`, 'sortOrder'],
  [`${LIST}/history?integrationId=7&identity=ada+l@example.com`, 'identity'],
  ['/v2/alerts?from=2026-11-25T00:00:00+10:00', 'from'],
  ['/v2/alerts?webhookId=+1', 'webhookId'],
  ['/v2/events?to=2026-11-25T00:00:00+00:00', 'to'],
  ['/v2/jobs?from=2026-11-25T00:00:00+10:00', 'from'],
  ['/v2/jobs?cursor=ab+cd', 'cursor'],
])('GET %s names the + that was not escaped', async (path, field) => {
  const { status, body } = await client.get(path);
  expect(status).toBe(400);
  const named = body.errors.find((error: { field: string }) => error.field.split('.')[0] === field);
  expect(named?.message ?? body.errors).toContain('write + as %2B');
  expect(body.message).toContain('write + as %2B');
});

test('what is escaped, and a + that can mean a space, is accepted', async () => {
  const count = async (query: string) => (await client.get(`${LIST}?${query}`)).body.data?.length;
  expect(await count('emails=ada%2Btest@example.com')).toBe(1);
  expect(await count('identities=ada%2Bl@example.com')).toBe(1);
  expect(await count('identities=Ada+L')).toBe(1);
  expect(await count('searchKey=identity&searchValue=da+L')).toBe(1);
  expect(await count('updatedSince=2000-01-01T00:00:00%2B10:00')).toBe(2);
  expect(await count('identities=ada%20l@example.com')).toBe(0);
});

test('an error without a + in its value has no such hint', async () => {
  const { body } = await client.get(`${LIST}?updatedSince=yesterday&identities=Ada+L`);
  expect(body.message).not.toContain('%2B');
});
