import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const AT = '/v2/webhook-templates';
const MAPPING = { fields: { title: { template: '{{webhook.name}}' }, severity: { template: 'error' } } };
const template = (name: string, sample: unknown = { name: 'x' }) => ({ name, mapping: MAPPING, sample });

let stack: Stack;
let owner: Client;
let other: Client;
let all: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  owner = await Client.of(stack, 'webhooks:write');
  other = await Client.of(stack, 'webhooks:write');
  all = await Client.of(stack, 'webhooks:write', 'webhooks:write:all');
});
afterAll(() => stack.stop());

const rename = (client: Client, name: string) => client.json('PATCH', `${AT}/${name}`, { title: 'New' });
const remove = (client: Client, name: string) => client.json('DELETE', `${AT}/${name}`, undefined);
const foreign = {
  status: 403,
  body: { code: 'missing_scope', message: expect.stringContaining('webhooks:write:all') },
};

test('a key changes and deletes its own templates only, unless it has webhooks:write:all', async () => {
  const made = await owner.json('POST', AT, template('mine'));
  expect(made.status).toBe(201);
  expect(await rename(other, 'mine')).toMatchObject(foreign);
  expect(await remove(other, 'mine')).toMatchObject(foreign);
  const { body } = await other.get(`${AT}/mine`);
  expect(body.data).toEqual(made.body.data);
  expect((await rename(all, 'mine')).body.data).toMatchObject({ title: 'New', ownerId: body.data.ownerId });
  expect((await rename(owner, 'mine')).status).toBe(200);
  expect((await remove(owner, 'mine')).status).toBe(204);
  expect((await rename(other, 'mine')).status).toBe(404);
});

test('a template from before owners were recorded belongs to the key that saved it last', async () => {
  await owner.json('POST', AT, template('old'));
  await stack.database('saved_templates').where({ name: 'old' }).update({ owner_id: null });
  expect(await rename(other, 'old')).toMatchObject(foreign);
  expect((await rename(all, 'old')).status).toBe(200);
  expect((await rename(owner, 'old')).status).toBe(200);
  expect((await remove(owner, 'old')).status).toBe(204);
});

test('a key has a share of the templates, and leaves room for those of others', async () => {
  const full = {
    status: 409,
    body: { code: 'too_many_templates', message: expect.stringContaining('API key') },
  };
  for (let number = 0; number < 25; number++)
    expect((await owner.json('POST', AT, template(`one-${number}`))).status).toBe(201);
  expect(await owner.json('POST', AT, template('one-more'))).toMatchObject(full);
  expect((await other.json('POST', AT, template('others'))).status).toBe(201);
  expect((await all.json('POST', AT, template('anybody'))).status).toBe(201);
  const sample = { text: 'x'.repeat(60_000) };
  const statuses: number[] = [];
  for (let number = 0; number < 20; number++)
    statuses.push((await owner.json('PATCH', `${AT}/one-${number}`, { sample })).status);
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
  expect(statuses.indexOf(409)).toBe(17);
});
