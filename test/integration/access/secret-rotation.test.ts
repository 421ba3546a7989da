import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { checkSecretKey, WrongSecretKey } from '../../../api/access/secret-check.js';
import { resealSecrets } from '../../../api/access/secret-keeper.js';
import { SecretBox } from '../../../workers/process/secret-box.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
let oldKey: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
  oldKey = stack.env.SECRET_KEY;
});
afterAll(() => stack.stop());

const newKey = randomBytes(32).toString('base64');
const check = (...keys: [string, string?]) => checkSecretKey(stack.database, new SecretBox(...keys));
const secret = `whsec_${randomBytes(24).toString('base64')}`;

beforeEach(async () => {
  for (const table of ['secret_canary', 'webhook_tokens', 'webhooks']) await stack.database(table).delete();
});

test('the first start sets the key; another key is rejected unless the first is set as the old key', async () => {
  await check(oldKey);
  await check(oldKey);
  await expect(check(newKey)).rejects.toThrow(WrongSecretKey);
  await check(oldKey, newKey);
  await check(newKey, oldKey);
  await check(newKey);
  await expect(check(oldKey)).rejects.toThrow(/SECRET_KEY is not the key/);
});

test('of hosts that start at the same time with different keys, only one key is accepted', async () => {
  const outcomes = await Promise.allSettled([check(oldKey), check(newKey), check(oldKey), check(newKey)]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
});

test('secrets that are older than the canary must be decryptable, until their key is declared lost', async () => {
  await makeWebhook(client);
  await expect(check(newKey)).rejects.toThrow(WrongSecretKey);
  await stack.database.raw('REPLACE INTO secret_canary (id, sealed) VALUES (1, NULL)');
  await check(newKey);
  await expect(check(oldKey)).rejects.toThrow(WrongSecretKey);
});

test('a rotation re-encrypts all secrets, on several hosts at the same time; then the old key is not needed', async () => {
  const webhooks = [];
  for (let i = 0; i < 3; i++) {
    webhooks.push(await makeWebhook(client, { signature: { scheme: 'standard-webhooks', secret } }));
  }
  const changed = await client.json('PATCH', `/v2/webhooks/${webhooks[0]?.id}`, {
    signature: { secret: `whsec_${randomBytes(24).toString('base64')}` },
  });
  expect(changed.status).toBe(200);
  const { id: damaged } = await makeWebhook(client);
  await stack
    .database('webhook_tokens')
    .where({ webhook_id: damaged })
    .update({ sealed: Buffer.alloc(60, 2) });
  const box = new SecretBox(newKey, oldKey);
  await Promise.all([resealSecrets(stack.database, box), resealSecrets(stack.database, box)]);
  expect(await resealSecrets(stack.database, box)).toEqual({ current: 7, old: 0, unreadable: 1 });
  const after = new SecretBox(newKey);
  for (const { id, path } of webhooks) {
    const token = await theRow(stack.database('webhook_tokens').where({ webhook_id: id }).first('sealed'));
    expect(`/api/v1/webhook/${after.open(token.sealed, id)}`).toBe(path);
    const row = await theRow(stack.database('webhooks').where({ id }).first());
    expect(after.open((row.previous_secret ?? row.signature_secret) as Buffer, id)).toBe(secret);
    expect(after.open(row.signature_secret as Buffer, id)).not.toBeNull();
  }
});

test('a service with both keys counts the secrets of each key', async () => {
  await makeWebhook(client, { signature: { scheme: 'standard-webhooks', secret } });
  const { secrets } = stack.api.intake;
  await secrets.start(() => {});
  await until('they are counted', () => secrets.counts.current > 0);
  expect(secrets.counts).toEqual({ current: 2, old: 0, unreadable: 0 });
  const metrics = await client.get('/metrics');
  expect(metrics.text).toContain('muster_sealed_secrets{key="current"} 2');
  expect(metrics.text).toContain('muster_sealed_secrets{key="unreadable"} 0');
});

test('an API with the wrong key does not start, and explains why in one message', async () => {
  await check(oldKey);
  const env = { ...process.env, NODE_OPTIONS: '', ...stack.env, SECRET_KEY: newKey, PORT: '0' };
  const api = spawn(process.execPath, ['dist/api/main.js'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [message, [code]] = await Promise.all([text(api.stderr), once(api, 'exit')]);
  expect(code).toBe(1);
  expect(message.trim().split('\n')).toEqual([
    expect.stringMatching(/^SECRET_KEY is not the key .* SECRET_KEY_OLD/),
  ]);
});
