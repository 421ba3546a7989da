import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SCOPES, type Scope } from '../../../db/access/api-keys.js';
import { BUILT_IN_ROLES } from '../../../db/access/roles.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let admin: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  admin = await Client.of(stack, 'admin');
});
afterAll(() => stack.stop());

async function newKey(...scopes: Scope[]) {
  const { id, key } = (await admin.json('POST', '/v2/keys', { name: 'new', scopes })).body.data;
  return { id, client: new Client(stack.url, key) };
}

const grant = (id: string, role: string) =>
  admin.json('POST', '/v2/role-grants', { subject: { kind: 'key', id }, role });

test('a viewer reads everything but identities and the audit log, and changes nothing', () => {
  const read = SCOPES.filter((scope) => scope.endsWith(':read') && !/developer_records|audit/.test(scope));
  expect([...(BUILT_IN_ROLES.viewer ?? [])].sort()).toEqual(read.sort());
  expect(BUILT_IN_ROLES.admin).toEqual(SCOPES);
});

test('a granted role adds its scopes to those of a key, until the grant is taken back', async () => {
  const { id, client } = await newKey('tables:read');
  expect((await client.get('/v2/alerts')).status).toBe(403);
  const granted = await grant(id, 'responder');
  expect(granted.status).toBe(201);
  expect((await client.get('/v2/alerts')).status).toBe(200);
  const { scopes } = (await client.get('/v2/keys/current')).body.data;
  expect([...scopes].sort()).toEqual([...(BUILT_IN_ROLES.responder ?? [])].sort());
  // A responder may send messages again, and changes no destination.
  const nobody = '/v2/destinations/0199a4c2-7b1e-7c3a-9d2f-3f5c8a1b6e70';
  expect((await client.json('POST', `${nobody}/replay`, { from: '2026-01-01T00:00:00Z' })).status).toBe(404);
  expect((await client.send('DELETE', nobody)).status).toBe(403);

  const list = await admin.get(`/v2/role-grants?subjectId=${id}`);
  expect(list.body.data).toEqual([granted.body.data]);
  expect((await admin.send('DELETE', granted.headers.get('location') ?? '')).status).toBe(204);
  expect((await client.get('/v2/alerts')).status).toBe(403);
  expect((await client.get('/v2/tables')).status).toBe(200);
});

test('an own role can be changed, and deleted once it is not granted', async () => {
  const { id, client } = await newKey('tables:read');
  const role = { name: 'on-call', scopes: ['alerts:read'] };
  expect((await admin.json('POST', '/v2/roles', role)).status).toBe(201);
  expect((await admin.json('POST', '/v2/roles', role)).body.code).toBe('role_exists');
  const { headers } = await grant(id, 'on-call');
  expect((await client.get('/v2/webhooks')).status).toBe(403);
  const scopes = ['webhooks:read'];
  expect((await admin.json('PUT', '/v2/roles/on-call', { scopes })).body.data.scopes).toEqual(scopes);
  expect((await client.get('/v2/webhooks')).status).toBe(200);
  expect((await client.get('/v2/alerts')).status).toBe(403);
  expect((await admin.send('DELETE', '/v2/roles/on-call')).body.code).toBe('role_granted');
  await admin.send('DELETE', headers.get('location') ?? '');
  expect((await admin.send('DELETE', '/v2/roles/on-call')).status).toBe(204);
  expect((await admin.get('/v2/roles')).body.data.map(({ name }: { name: string }) => name)).toEqual(
    Object.keys(BUILT_IN_ROLES),
  );
});

test('a key that has leaked is found by the first characters of its text', async () => {
  const made = (await admin.json('POST', '/v2/keys', { name: 'leaked', scopes: ['alerts:read'] })).body.data;
  const prefix = made.key.slice(0, 11);
  expect(made.prefix).toBe(prefix);
  const found = (await admin.get(`/v2/keys?prefix=${prefix}`)).body.data;
  expect(found.map(({ id }: { id: string }) => id)).toEqual([made.id]);
  expect((await admin.get('/v2/keys?prefix=mstr_000000')).body.data).toEqual([]);
  // A whole key does not belong in a URL.
  expect((await admin.get(`/v2/keys?prefix=${made.key}`)).status).toBe(400);
});

test('a built-in role stays as it is, and a grant names a role and a key that exist', async () => {
  const { id } = await newKey('tables:read');
  expect((await admin.json('PUT', '/v2/roles/viewer', { scopes: ['admin'] })).body.code).toBe(
    'built_in_role',
  );
  expect((await admin.send('DELETE', '/v2/roles/admin')).body.code).toBe('built_in_role');
  expect((await grant(id, 'nothing')).body.code).toBe('unknown_role');
  const unknown = await grant('0199a4c2-7b1e-7c3a-9d2f-3f5c8a1b6e70', 'viewer');
  expect(unknown.body.code).toBe('unknown_subject');
});
