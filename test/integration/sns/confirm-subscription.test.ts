import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { expireSnsConfirmations } from '../../../workers/upkeep/expire-by-day.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import {
  confirmation,
  createCertificate,
  notification,
  SNS_HOST,
  type SnsServer,
  SUBSCRIPTION,
  startSnsServer,
  TOPIC,
} from '../../support/sns/sns-server.js';

let sns: SnsServer;
let stack: Stack;
let client: Client;
let webhookId: string;
let path: string;
beforeAll(async () => {
  sns = await startSnsServer();
  stack = await startStack({ https: sns.https });
  client = await Client.of(stack);
  ({ id: webhookId, path } = await makeWebhook(client, { template: 'cloudwatch-sns' }));
});
afterAll(async () => {
  await stack.stop();
  await sns.stop();
});
beforeEach(() => {
  sns.requests.length = 0;
});

const store = async (payload: unknown, receivedAt?: number) =>
  (await storePayloads(stack.database, webhookId, [payload], receivedAt))[0] as string;
const confirm = (eventId: string, by = client) =>
  by.send('POST', `/v2/events/${eventId}/confirm-subscription`);
const opened = () => sns.requests.filter((url) => url.startsWith('/?'));

test('a request that SNS sends is stored, and confirmed only when an operator asks for it', async () => {
  const sent = await sendEvent(stack.url, path, sns.sign(confirmation), { 'content-type': 'text/plain' });
  const { eventId } = (await sent.json()) as { eventId: string };
  const receipt = await receiptOf(client, eventId);
  expect(receipt.snsSubscription).toEqual({ topicArn: TOPIC, host: SNS_HOST, confirmation: null });
  expect(sns.requests).toEqual([]);
  const { status, body } = await confirm(eventId);
  const { topicArn, host, ...confirmed } = body.data;
  expect([status, topicArn, host, confirmed.subscriptionArn]).toEqual([200, TOPIC, SNS_HOST, SUBSCRIPTION]);
  expect((await receiptOf(client, eventId)).snsSubscription).toEqual({
    topicArn,
    host,
    confirmation: confirmed,
  });
  expect(opened()).toEqual([confirmation.SubscribeURL.slice(`https://${SNS_HOST}`.length)]);
  expect(stack.lines.join('')).not.toContain(confirmation.Token);
});

test('a second confirmation returns the first result, with its key and time, and sends no request', async () => {
  const eventId = await store(sns.sign(confirmation));
  const first = await confirm(eventId);
  expect(opened()).toHaveLength(1);
  const { id, name } = (await client.get('/v2/keys/current')).body.data;
  expect(first.body.data.confirmedBy).toEqual({ id, name });
  expect(Math.abs(Date.now() - Date.parse(first.body.data.confirmedAt))).toBeLessThan(60_000);
  sns.requests.length = 0;
  const second = await confirm(eventId, await Client.of(stack, 'webhooks:write'));
  expect([second.status, second.body]).toEqual([first.status, first.body]);
  expect(sns.requests).toEqual([]);
});

test('two confirmations at the same time have one result', async () => {
  const eventId = await store(sns.sign(confirmation));
  const other = await Client.of(stack, 'webhooks:write');
  const [first, second] = await Promise.all([confirm(eventId), confirm(eventId, other)]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body).toEqual(first.body);
});

test('a failed confirmation is not stored, and can be repeated', async () => {
  const eventId = await store(sns.sign(confirmation));
  const isAllowed = sns.network.isAllowed;
  sns.network.isAllowed = () => false;
  expect((await confirm(eventId)).status).toBe(502);
  sns.network.isAllowed = isAllowed;
  expect((await receiptOf(client, eventId)).snsSubscription.confirmation).toBeNull();
  expect((await confirm(eventId)).status).toBe(200);
});

test('a confirmation expires with its event', async () => {
  const [old, young] = [
    await store(sns.sign(confirmation), Date.now() - 31 * 86_400_000),
    await store(sns.sign(confirmation)),
  ];
  for (const eventId of [old, young]) expect((await confirm(eventId)).status).toBe(200);
  if (!stack.worker) throw new Error('no worker');
  expect(await runTurn([expireSnsConfirmations], stack.worker)).toEqual({ 'expire-sns-confirmations': 1 });
  expect((await receiptOf(client, old)).snsSubscription.confirmation).toBeNull();
  expect((await receiptOf(client, young)).snsSubscription.confirmation).not.toBeNull();
});

test('needs the scope webhooks:write and an event that exists', async () => {
  const eventId = await store(sns.sign(confirmation));
  expect((await confirm(eventId, await Client.of(stack, 'alerts:read'))).status).toBe(403);
  expect((await confirm('019a0000-0000-7000-8000-000000000000')).status).toBe(404);
  expect(sns.requests).toEqual([]);
});

const others: [string, () => unknown][] = [
  ['a notification', () => sns.sign(notification)],
  [
    'the end of a subscription',
    () => sns.sign({ ...confirmation, Type: 'UnsubscribeConfirmation' as const }),
  ],
  ['another payload', () => ({ Type: 'SubscriptionConfirmation' })],
  ['a list', () => [sns.sign(confirmation)]],
];

test.each(others)('an event with %s cannot be confirmed', async (_, payload) => {
  const eventId = await store(payload());
  const { status, body } = await confirm(eventId);
  expect([status, body.code]).toEqual([422, 'not_a_confirmation']);
  expect((await receiptOf(client, eventId)).snsSubscription).toBeNull();
  expect(sns.requests).toEqual([]);
});

test('a forged message is rejected before its URL is opened', async () => {
  const forged = await createCertificate();
  const eventId = await store(sns.sign(confirmation, forged.key));
  const { status, body } = await confirm(eventId);
  expect([status, body.code]).toEqual([422, 'invalid_signature']);
  expect(opened()).toEqual([]);
});

test.each([
  `https://${SNS_HOST}.evil.test/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  `https://evil.test/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  `https://${SNS_HOST}@evil.test/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  `https://user@${SNS_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  `https://${SNS_HOST}:8443/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  `http://${SNS_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  `https://${SNS_HOST}/?Action=DeleteTopic&TopicArn=${TOPIC}`,
  `https://${SNS_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}2`,
  `https://${SNS_HOST}/other?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  `https://169.254.169.254/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  `https://[::1]/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
  'nonsense',
])('no request is sent to %s, even if the signature is valid', async (SubscribeURL) => {
  const eventId = await store(sns.sign({ ...confirmation, SubscribeURL }));
  const { status, body } = await confirm(eventId);
  expect([status, body.code]).toEqual([422, 'invalid_subscribe_url']);
  expect(sns.requests).toEqual([]);
});

test('an SNS host that resolves to a private address gets no request', async () => {
  const isAllowed = sns.network.isAllowed;
  sns.network.isAllowed = () => false;
  try {
    const { status, body } = await confirm(await store(sns.sign(confirmation)));
    expect([status, body.code]).toEqual([502, 'sns_unavailable']);
    expect(body.message).toContain('resolves to an address that is not public');
    expect(sns.requests).toEqual([]);
  } finally {
    sns.network.isAllowed = isAllowed;
  }
});

const rejections: [string, number, string, string, string][] = [
  [
    'an expired token',
    400,
    '<Error><Message>Token expired</Message></Error>',
    'sns_rejected',
    'Token expired',
  ],
  ['a failure of SNS', 503, '', 'sns_unavailable', 'responded with 503'],
  ['a redirect', 302, '', 'sns_unavailable', 'does not follow redirects'],
  ['a response that is too large', 200, 'x'.repeat(70_000), 'sns_unavailable', 'exceeds 65536 bytes'],
];

test.each(rejections)('%s is reported', async (_, status, content, code, message) => {
  const respond = (to: string) =>
    sns.respond('/', (_request, response) => {
      response.writeHead(status, { Location: 'https://evil.test/' }).end(to);
    });
  respond(content);
  const response = await confirm(await store(sns.sign(confirmation)));
  expect([response.status, response.body.code]).toEqual([code === 'sns_rejected' ? 422 : 502, code]);
  expect(response.body.message).toContain(message);
});
