import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import {
  confirmation,
  createCertificate,
  notification,
  type SnsServer,
  startSnsServer,
  TOPIC,
} from '../../support/sns/sns-server.js';

let sns: SnsServer;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  sns = await startSnsServer();
  stack = await startStack({ worker: false, https: sns.https });
  client = await Client.of(stack);
});
afterAll(async () => {
  await stack.stop();
  await sns.stop();
});

const webhookOf = (topicArn: string, more: object = {}) =>
  makeWebhook(client, { signature: { scheme: 'aws-sns', parameters: { topicArn }, ...more } });
const statusOf = async (path: string, message: unknown) =>
  (await sendEvent(stack.url, path, message, { 'content-type': 'text/plain; charset=UTF-8' })).status;

test('messages of the topic are accepted in both signature versions, with one request for the certificate', async () => {
  const { path } = await webhookOf(TOPIC);
  const before = sns.requests.length;
  for (const version of ['1', '2'] as const) {
    expect(await statusOf(path, sns.sign({ ...notification, SignatureVersion: version }))).toBe(202);
    expect(await statusOf(path, sns.sign({ ...confirmation, SignatureVersion: version }))).toBe(202);
  }
  expect(sns.requests.length - before).toBe(1);
});

test('a message keeps its signed id, whatever the header and the spaces of its JSON say', async () => {
  const { path } = await webhookOf(TOPIC);
  const message = sns.sign(notification);
  const idOf = async (body: string, id: string) => {
    const response = await sendEvent(stack.url, path, body, { 'x-amz-sns-message-id': id });
    return ((await response.json()) as { eventId: string }).eventId;
  };
  const first = await idOf(JSON.stringify(message), notification.MessageId);
  expect(await idOf(JSON.stringify(message), 'another')).toBe(first);
  expect(await idOf(JSON.stringify(message, null, 2), 'another')).toBe(first);
});

test('messages that SNS did not sign for this topic are rejected', async () => {
  const { path } = await webhookOf(TOPIC);
  const signed = sns.sign(notification);
  expect(await statusOf(path, { ...signed, Message: 'another' })).toBe(401);
  expect(await statusOf(path, { ...signed, Signature: undefined })).toBe(401);
  expect(await statusOf(path, 'not JSON')).toBe(401);
  expect(await statusOf(path, sns.sign(notification, (await createCertificate()).key))).toBe(401);
  const other = await webhookOf(`${TOPIC}-2`);
  expect(await statusOf(other.path, signed)).toBe(401);
});

test('no request is sent for a message of another topic, or to an address that is not one of SNS', async () => {
  const { path } = await webhookOf(TOPIC);
  const before = sns.requests.length;
  const foreign = 'https://sns.example.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem';
  expect(await statusOf(path, { ...sns.sign(notification), SigningCertURL: foreign })).toBe(401);
  const url = notification.SigningCertURL.replace('0123', '9999');
  expect(await statusOf(path, { ...notification, TopicArn: `${TOPIC}-2`, SigningCertURL: url })).toBe(401);
  expect(sns.requests.length).toBe(before);
});

test('a certificate that cannot be loaded in time gets 503, and is accepted and counted by an observer', async () => {
  const slow = '/SimpleNotificationService-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.pem';
  let isAwaited = false;
  sns.respond(slow, (_request, response) => {
    isAwaited = true;
    response.once('close', () => {
      isAwaited = false;
    });
  });
  const message = sns.sign({
    ...notification,
    SigningCertURL: notification.SigningCertURL.replace(/\/Simple.*/, slow),
  });
  const { path } = await webhookOf(TOPIC);
  const response = await sendEvent(stack.url, path, message);
  // The sender does not wait as long as the API waits for the certificate.
  expect(isAwaited).toBe(true);
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true]);
  const observer = await webhookOf(TOPIC, { mode: 'observe' });
  expect(await statusOf(observer.path, message)).toBe(202);
  await stack.api.intake.observations.flush();
  const { observed } = (await client.get(`/v2/webhooks/${observer.id}`)).body.data.signature;
  expect(observed.reasons).toMatchObject({ unverifiable: 1 });
});
