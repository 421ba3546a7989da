import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { onTheWire } from '../../support/api/wire.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let key: string;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key();
  client = new Client(stack.url, key);
});
afterAll(() => stack.stop());

const titled = (title: string) => ({ fields: { title: { template: title } } });
const put = (id: string, title: string, headers = {}) =>
  client.json('PUT', `/v2/webhooks/${id}/mapping`, titled(title), headers);
const rename = (id: string, name: string, headers = {}) =>
  client.json('PATCH', `/v2/webhooks/${id}`, { name }, headers);
const tagOf = async (path: string) => (await client.get(path)).headers.get('etag') as string;

test('a mapping is not overwritten if somebody else has saved a newer revision', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const none = await put(id, 'first', { 'if-match': '"0"' });
  expect([none.status, none.headers.get('etag')]).toEqual([201, '"1"']);
  const read = await tagOf(`/v2/webhooks/${id}/mapping`);
  expect(read).toBe('"1"');
  expect((await put(id, 'second', { 'if-match': read })).status).toBe(201);
  const late = await put(id, 'late', { 'if-match': read });
  const author = { id: expect.any(String), name: expect.any(String) };
  expect([late.status, late.body.code, late.headers.get('etag')]).toEqual([
    412,
    'precondition_failed',
    '"2"',
  ]);
  expect(late.body.current).toEqual({ revision: 2, savedBy: author });
  expect(late.body.message).toContain(`revision 2, saved by the key "${late.body.current.savedBy.name}"`);
  expect((await client.get(`/v2/webhooks/${id}/mapping`)).body.data.revision).toBe(2);
  // A request that was already applied succeeds, because nothing is overwritten: its response may have been lost.
  expect((await put(id, 'second', { 'if-match': read })).status).toBe(200);
  for (const tag of ['"9", "2"', 'W/"2"', '*']) {
    const { revision } = (await client.get(`/v2/webhooks/${id}/mapping`)).body.data;
    const sent = tag.replace('2', String(revision));
    expect((await put(id, `over ${sent}`, { 'if-match': sent })).status).toBe(201);
  }
  expect((await put(id, 'without the header')).status).toBe(201);
});

test('`*` requires a mapping, a rollback checks too, and an invalid header is an error', async () => {
  const { id } = await makeWebhook(client, { template: null });
  expect((await put(id, 'first', { 'if-match': '*' })).body).toMatchObject({
    code: 'precondition_failed',
    current: { revision: 0, savedBy: null },
  });
  await put(id, 'first');
  await put(id, 'second');
  const back = await client.json('PUT', `/v2/webhooks/${id}/mapping`, { revision: 1 }, { 'if-match': '"1"' });
  expect(back.status).toBe(412);
  for (const header of ['2', '"2', '', '"2" "3"', '*, "2"', `"${'x'.repeat(2_000)}"`]) {
    const invalid = await put(id, 'x', { 'if-match': header });
    expect([header, invalid.status, invalid.body.code]).toEqual([header, 400, 'invalid_if_match']);
  }
});

test('of concurrent saves of the same revision one succeeds, and the others change nothing', async () => {
  const { id } = await makeWebhook(client);
  const titles = Array.from({ length: 12 }, (_, number) => `number ${number}`);
  const saves = await Promise.all(titles.map((title) => put(id, title, { 'if-match': '"1"' })));
  const won = saves.filter(({ status }) => status === 201);
  expect([won.length, saves.filter(({ status }) => status === 412).length]).toEqual([1, 11]);
  const { warnings, ...saved } = won[0]?.body.data ?? {};
  expect(warnings).toEqual([]);
  expect((await client.get(`/v2/webhooks/${id}/mapping`)).body.data).toEqual(saved);
  const tag = await tagOf(`/v2/webhooks/${id}`);
  const renames = await Promise.all(titles.map((name) => rename(id, name, { 'if-match': tag })));
  const named = renames.filter(({ status }) => status === 200);
  expect([named.length, renames.filter(({ status }) => status === 412).length]).toEqual([1, 11]);
  expect((await client.get(`/v2/webhooks/${id}`)).body.data.name).toBe(named[0]?.body.data.name);
});

test('the settings of an integration have a revision of their own', async () => {
  const { id } = await makeWebhook(client);
  const path = `/v2/webhooks/${id}`;
  const tag = await tagOf(path);
  expect(tag).toMatch(/^"1\.[\w-]{22}"$/);
  await put(id, 'another mapping');
  await client.json('POST', `${path}/rotate`, { graceSeconds: 60 });
  expect(await tagOf(path)).not.toBe(tag);
  const renamed = await rename(id, 'one', { 'if-match': tag });
  expect([renamed.status, renamed.body.data.revision, renamed.headers.get('etag')]).toEqual([200, 2, '"2"']);
  const late = await rename(id, 'two', { 'if-match': tag });
  expect([late.status, late.body.current.revision]).toEqual([412, 2]);
  expect((await rename(id, 'two', { 'if-match': '"2"' })).status).toBe(200);
  expect((await rename('01a1f89d-7a9c-710a-951d-f86812498000', 'x', { 'if-match': '*' })).status).toBe(404);
});

test('a repetition under the same Idempotency-Key gets its first response, also if the revision is newer now', async () => {
  const { id } = await makeWebhook(client);
  const headers = { 'if-match': '"1"', 'idempotency-key': 'if-match-1' };
  const first = await put(id, 'once', headers);
  const again = await put(id, 'once', headers);
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
});

test('each revision records the key that saved it, and old revisions have none', async () => {
  const { id } = await makeWebhook(client);
  const created = await client.json('POST', '/v2/keys', { name: 'deploy', scopes: ['webhooks:write'] });
  const { id: keyId, key: text } = created.body.data;
  const deploy = new Client(stack.url, text);
  await deploy.json('PUT', `/v2/webhooks/${id}/mapping`, titled('by deploy'));
  const savedBy = { id: keyId, name: 'deploy' };
  const at = `/v2/webhooks/${id}/mapping`;
  expect((await client.get(at)).body.data.savedBy).toEqual(savedBy);
  expect((await client.get(`${at}/revisions/2`)).body.data.savedBy).toEqual(savedBy);
  await deploy.json('PATCH', `/v2/webhooks/${id}`, { name: 'by deploy' });
  expect((await client.get(`/v2/webhooks/${id}`)).body.data).toMatchObject({ revision: 2, savedBy });
  await client.send('DELETE', `/v2/keys/${keyId}`);
  await stack
    .database('mapping_revisions')
    .where({ webhook_id: id, revision: 1 })
    .update({ saved_by_id: null });
  const [newest, oldest] = (await client.get(`${at}/revisions`)).body.data;
  expect([newest.savedBy, oldest.savedBy]).toEqual([savedBy, null]);
});

test('a resource with a strong ETag is not compressed', async () => {
  const { id } = await makeWebhook(client, { template: 'grafana' });
  const headers = { authorization: `ApiKey ${key}`, 'accept-encoding': 'gzip' };
  const mapping = await onTheWire(`${stack.url}/v2/webhooks/${id}/mapping`, headers);
  expect([mapping.headers['content-encoding'], mapping.headers.etag]).toEqual([undefined, '"1"']);
  expect(mapping.bytes.length).toBeGreaterThan(1_024);
});

test('a saved template is not overwritten if somebody else has changed it', async () => {
  const path = '/v2/webhook-templates/raced';
  const made = await client.json('POST', '/v2/webhook-templates', {
    name: 'raced',
    mapping: { fields: {} },
    sample: { a: 1 },
  });
  expect([made.status, made.body.data.revision]).toEqual([201, 1]);
  const patch = (title: string, tag: string) => client.json('PATCH', path, { title }, { 'if-match': tag });
  const read = await tagOf(path);
  expect(read).toMatch(/^"1\./);
  const both = await Promise.all(['one', 'other'].map((title) => patch(title, read)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const late = both.find(({ status }) => status === 412);
  expect(late?.body).toMatchObject({ code: 'precondition_failed', current: { revision: 2 } });
  expect(late?.body.message).toContain('The template is now at revision 2, saved by the key');
  const won = both.find(({ status }) => status === 200);
  expect([won?.headers.get('etag'), won?.body.data.revision]).toEqual(['"2"', 2]);
  expect((await client.get(path)).body.data).toEqual(won?.body.data);
  expect((await patch('next', await tagOf(path))).status).toBe(200);
  expect((await patch('any', '*')).status).toBe(200);
  expect((await patch('bad', 'x')).body.code).toBe('invalid_if_match');
  expect((await client.json('PATCH', path, { title: 'without' })).body.data.revision).toBe(5);
  expect(await tagOf('/v2/webhook-templates/grafana')).toMatch(/^"0\./);
  await client.send('DELETE', path);
});
