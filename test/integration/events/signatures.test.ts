import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const BODY = JSON.stringify(ALERT);
const newSecret = () => randomBytes(16).toString('hex');
const github = (secret: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(BODY).digest('hex')}`,
});
const statusOf = async (path: string, headers: Record<string, string> = {}) =>
  (await sendEvent(stack.url, path, BODY, headers)).status;
const signatureOf = async (id: string) => (await client.get(`/v2/webhooks/${id}`)).body.data.signature;
const patch = (id: string, signature: unknown) => client.json('PATCH', `/v2/webhooks/${id}`, { signature });

async function patched(id: string, signature: unknown) {
  const response = await patch(id, signature);
  if (response.status !== 200) throw new Error(response.text);
  return response.body.data.signature;
}

describe('a new secret', () => {
  test('and the previous one are valid until the grace period ends', async () => {
    const [old, current] = [newSecret(), newSecret()];
    const { id, path } = await makeWebhook(client, { signature: { scheme: 'github', secret: old } });
    const before = Date.now();
    const { previousSecretExpiresAt, ...rotated } = await patched(id, { secret: current });
    expect(rotated).toMatchObject({ scheme: 'github', secret: current, mode: 'enforce' });
    expect(Date.parse(previousSecretExpiresAt) - before).toBeGreaterThanOrEqual(24 * 60 * 60 * 1_000);
    expect([await statusOf(path, github(old)), await statusOf(path, github(current))]).toEqual([202, 202]);
    expect(await statusOf(path, github(newSecret()))).toBe(401);
    await until('all are counted', async () => {
      const { verified, rejected } = (await signatureOf(id)).observed;
      return verified + rejected === 3;
    });
    expect((await signatureOf(id)).observed).toMatchObject({ verifiedByPrevious: 1, rejected: 1 });

    await stack
      .database('webhooks')
      .where({ id })
      .update({ previous_secret_expires_at: new Date(before) });
    await patched(id, { mode: 'enforce' });
    expect([await statusOf(path, github(old)), await statusOf(path, github(current))]).toEqual([401, 202]);
    expect((await signatureOf(id)).previousSecretExpiresAt).toBeNull();
  });

  test('expires while the API keeps running, without a reload', async () => {
    const [old, current] = [newSecret(), newSecret()];
    const { id, path } = await makeWebhook(client, { signature: { scheme: 'github', secret: old } });
    await patched(id, { secret: current, graceSeconds: 1 });
    expect(await statusOf(path, github(old))).toBe(202);
    await until('the old secret is rejected', async () => (await statusOf(path, github(old))) === 401);
  });

  test('replaces the old one at once without a grace period, and never shows it', async () => {
    const [old, current] = [newSecret(), newSecret()];
    const { id, path } = await makeWebhook(client, { signature: { scheme: 'github', secret: old } });
    await patched(id, { scheme: 'github', secret: current, graceSeconds: 0 });
    expect([await statusOf(path, github(old)), await statusOf(path, github(current))]).toEqual([401, 202]);
    const response = await client.get(`/v2/webhooks/${id}`);
    expect(response.text).not.toContain(old);
  });

  test('that was sent twice keeps the previous one, whose time can be ended', async () => {
    const [old, current] = [newSecret(), newSecret()];
    const { id, path } = await makeWebhook(client, { signature: { scheme: 'github', secret: old } });
    const first = await patched(id, { secret: current });
    const again = await patched(id, { scheme: 'github', secret: current });
    expect(again.previousSecretExpiresAt).toBe(first.previousSecretExpiresAt);
    expect(await statusOf(path, github(old))).toBe(202);
    expect((await patched(id, { graceSeconds: 2_000_000 })).previousSecretExpiresAt).toBe(
      first.previousSecretExpiresAt,
    );
    expect((await patched(id, { graceSeconds: 0 })).previousSecretExpiresAt).toBeNull();
    expect(await statusOf(path, github(old))).toBe(401);
  });

  test('of another scheme does not keep the previous one', async () => {
    const old = newSecret();
    const { id, path } = await makeWebhook(client, { signature: { scheme: 'github', secret: old } });
    const changed = await patched(id, { scheme: 'gitlab-token', secret: newSecret() });
    expect(changed.previousSecretExpiresAt).toBeNull();
    expect(await statusOf(path, github(old))).toBe(401);
    expect((await theRow(stack.database('webhooks').where({ id }).first())).previous_secret).toBeNull();
  });
});

describe('observe mode', () => {
  test('accepts and counts what would be rejected, and is ended with one change', async () => {
    const secret = newSecret();
    const signature = { scheme: 'slack', secret, mode: 'observe' };
    const { id, path } = await makeWebhook(client, { signature });
    const slack = (seconds: number, key = secret) => {
      const timestamp = String(Math.floor(Date.now() / 1_000) + seconds);
      const mac = createHmac('sha256', key).update(`v0:${timestamp}:${BODY}`).digest('hex');
      return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${mac}` };
    };
    const requests = [{}, {}, slack(0, newSecret()), slack(-600), slack(0)];
    for (const headers of requests) {
      const response = await sendEvent(stack.url, path, BODY, headers);
      expect(response.status).toBe(202);
      const { eventId } = (await response.json()) as { eventId: string };
      expect(await receiptOf(client, eventId)).toMatchObject({ state: 'normalized' });
    }
    await until('they are counted', async () => {
      const { verified, rejected } = (await signatureOf(id)).observed;
      return verified + rejected === requests.length;
    });
    const { observed } = await signatureOf(id);
    expect(observed).toEqual({
      verified: 1,
      verifiedByPrevious: 0,
      rejected: 4,
      lastRejectedAt: expect.any(String),
      reasons: { missing_header: 2, wrong_signature: 1, old_timestamp: 1, unverifiable: 0 },
    });
    expect(Date.now() - Date.parse(observed.lastRejectedAt)).toBeLessThan(60_000);

    expect(await patched(id, { mode: 'enforce' })).toMatchObject({ mode: 'enforce', secret });
    expect([await statusOf(path), await statusOf(path, slack(0))]).toEqual([401, 202]);
  });

  test('counts the events of all API hosts, and starts at 0 after a change', async () => {
    const signature = { scheme: 'github', secret: newSecret(), mode: 'observe' };
    const { id, path } = await makeWebhook(client, { signature });
    const { changedAt } = await signatureOf(id);
    const key = `${stack.api.settings.redisPrefix}:signatures:${id}:${Date.parse(changedAt)}`;
    await stack.api.redis.hincrby(key, 'verified', 7);
    expect(await statusOf(path)).toBe(202);
    await until('it is counted', async () => (await signatureOf(id)).observed.rejected === 1);
    expect((await signatureOf(id)).observed.verified).toBe(7);
    expect(await stack.api.redis.ttl(key)).toBeGreaterThan(0);
    await patched(id, { secret: newSecret() });
    expect((await signatureOf(id)).observed).toMatchObject({
      verified: 0,
      rejected: 0,
      lastRejectedAt: null,
    });
  });
});

test('lists all presets, and each can be used as it is described', async () => {
  const { data } = (await client.get('/v2/signature-presets')).body;
  expect(data.length).toBeGreaterThan(20);
  const values: Record<string, string> = {
    header: 'x-test-signature',
    username: 'muster',
    topicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms',
  };
  for (const { name, family, secret, parameters } of data) {
    const required = parameters.filter(({ required }: { required: boolean }) => required);
    const given = Object.fromEntries(required.map(({ name }: { name: string }) => [name, values[name]]));
    const key = family.includes('ed25519') ? `${'4d5e7cc88b123652'.repeat(4)}` : newSecret();
    const { id, path } = await makeWebhook(client, {
      signature: { scheme: name, parameters: given, ...(secret ? { secret: key } : {}) },
    });
    expect((await signatureOf(id)).parameters).toEqual(given);
    const response = await sendEvent(stack.url, path, BODY);
    expect([name, response.status]).toEqual([name, 401]);
    expect(response.headers.get('www-authenticate')).toBeTruthy();
  }
});

test('tokens and passwords are checked', async () => {
  const secret = newSecret();
  const token = await makeWebhook(client, {
    signature: { scheme: 'header-token', secret, parameters: { header: 'X-Muster-Token' } },
  });
  const basic = await makeWebhook(client, {
    signature: { scheme: 'basic', secret, parameters: { username: 'größe' } },
  });
  const credentials = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  expect(await statusOf(token.path, { 'x-muster-token': secret })).toBe(202);
  expect(await statusOf(token.path, { 'x-muster-token': `${secret}x` })).toBe(401);
  expect(await statusOf(basic.path, credentials(`größe:${secret}`))).toBe(202);
  expect(await statusOf(basic.path, credentials(`other:${secret}`))).toBe(401);
  expect(await statusOf(basic.path, { authorization: `Bearer ${secret}` })).toBe(401);
});

describe('invalid settings', () => {
  const fieldsOf = (response: Awaited<ReturnType<typeof patch>>) => [
    response.status,
    ...response.body.errors.map(({ field }: { field: string }) => field).sort(),
  ];
  const create = (signature: unknown) => client.json('POST', '/v2/webhooks', { name: 'x', signature });
  const secret = newSecret();

  test.each<[string, unknown, string[]]>([
    ['no secret', { scheme: 'github' }, ['signature.secret']],
    [
      'a secret for SNS, and no topic',
      { scheme: 'aws-sns', secret },
      ['signature.parameters.topicArn', 'signature.secret'],
    ],
    [
      'a parameter of another scheme',
      { scheme: 'github', secret, parameters: { header: 'x-a' } },
      ['signature.parameters.header'],
    ],
    ['no public key', { scheme: 'discord', secret: 'z'.repeat(64) }, ['signature.secret']],
    [
      'a token that no header can hold',
      { scheme: 'gitlab-token', secret: 'größe und noch mehr' },
      ['signature.secret'],
    ],
    [
      'a custom scheme that signs nothing',
      { scheme: 'custom', secret, parameters: { header: 'x-a', signedContent: 'v0' } },
      ['signature.parameters.signedContent'],
    ],
    [
      'an unsigned timestamp and a short key',
      {
        scheme: 'custom',
        secret: 'ab'.repeat(8),
        parameters: { header: 'x-a', timestampHeader: 'x-t', secretEncoding: 'hex' },
      },
      ['signature.parameters.signedContent', 'signature.secret'],
    ],
    [
      'invalid names',
      { scheme: 'custom', secret, parameters: { header: 'x a', hash: 'md5' } },
      ['signature.parameters.hash', 'signature.parameters.header'],
    ],
  ])('%s', async (_, signature, fields) => {
    expect(fieldsOf(await create(signature))).toEqual([400, ...fields]);
    const { id } = await makeWebhook(client);
    expect(fieldsOf(await patch(id, signature))).toEqual([400, ...fields]);
    expect(await signatureOf(id)).toBeNull();
  });

  test('a change needs a signature to change', async () => {
    const { id } = await makeWebhook(client);
    expect(fieldsOf(await patch(id, { mode: 'observe' }))).toEqual([400, 'signature.scheme']);
    expect(fieldsOf(await patch(id, {}))[0]).toBe(400);
    expect(fieldsOf(await patch(id, { graceSeconds: 2_592_001 }))).toEqual([400, 'signature.graceSeconds']);
  });
});

test('a change of the mode keeps secret and parameters, and one of the parameters checks them with the secret', async () => {
  const secret = newSecret();
  const parameters = { header: 'x-signature', prefix: 'v1=', separator: ',' };
  const { id, path } = await makeWebhook(client, { signature: { scheme: 'custom', secret, parameters } });
  const mac = createHmac('sha256', secret).update(BODY).digest('hex');
  expect(await statusOf(path, { 'x-signature': `v0=x, v1=${mac}` })).toBe(202);
  expect(await patched(id, { mode: 'observe' })).toMatchObject({ secret, parameters, mode: 'observe' });
  const response = await patch(id, {
    parameters: { ...parameters, secretEncoding: 'base64', hash: 'sha512' },
  });
  expect(response.status).toBe(200);
  expect(await patched(id, null)).toBeNull();
  expect(await statusOf(path)).toBe(202);
});

describe('the delivery id', () => {
  const idOf = async (path: string, headers: Record<string, string>) => {
    const response = await sendEvent(stack.url, path, BODY, headers);
    expect(response.status).toBe(202);
    return ((await response.json()) as { eventId: string }).eventId;
  };

  test('of an unsigned event is not that of a signed one while signatures are only observed', async () => {
    const secret = newSecret();
    const { path } = await makeWebhook(client, { signature: { scheme: 'github', secret, mode: 'observe' } });
    const delivery = { 'x-github-delivery': 'd-1' };
    const unsigned = await idOf(path, delivery);
    const genuine = await idOf(path, { ...delivery, ...github(secret) });
    expect(genuine).not.toBe(unsigned);
    expect(await idOf(path, { ...delivery, ...github(newSecret()) })).toBe(unsigned);
    expect(await idOf(path, { ...delivery, ...github(secret) })).toBe(genuine);
    for (const id of [unsigned, genuine]) expect((await receiptOf(client, id)).state).toBe('normalized');
  });

  test('is that of the body if the source signs no other and no two of its bodies are equal', async () => {
    const secret = newSecret();
    const { path } = await makeWebhook(client, { signature: { scheme: 'pagerduty', secret } });
    const mac = createHmac('sha256', secret).update(BODY).digest('hex');
    const signed = { 'x-pagerduty-signature': `v1=${mac}` };
    const first = await idOf(path, signed);
    expect(await idOf(path, { ...signed, 'idempotency-key': 'another' })).toBe(first);
    expect(await idOf(path, { 'x-pagerduty-signature': `v1=00,v1=${mac}` })).toBe(first);
  });

  test('is that of the headers if bodies of a source can be equal', async () => {
    const secret = newSecret();
    const { path } = await makeWebhook(client, { signature: { scheme: 'github', secret } });
    const sent = (id: string) => idOf(path, { ...github(secret), 'x-github-delivery': id });
    const first = await sent('d-1');
    expect(await sent('d-1')).toBe(first);
    expect(await sent('d-2')).not.toBe(first);
  });
});
