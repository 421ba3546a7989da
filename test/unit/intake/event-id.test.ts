import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deliveryIdIn, eventIdFor } from '../../../api/intake/event-id.js';
import { presets } from '../../../api/intake/signature/presets/index.js';
import { SignatureCheck } from '../../../api/intake/signature/signature-check.js';
import { SnsCertificates } from '../../../api/sns/sns-certificates.js';
import type { Webhook } from '../../../db/webhooks/webhooks.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import { SecretBox } from '../../../workers/process/secret-box.js';

const box = new SecretBox(randomBytes(32).toString('base64'));
const certificates = new SnsCertificates(new OutboundClient());
const SECRET = 'a secret of some length';
const BODY = Buffer.from('{"a":1}');

const checkOf = (signatureScheme: string) =>
  new SignatureCheck(
    {
      id: '1',
      signatureScheme,
      signatureMode: 'enforce',
      signatureParameters: {},
      signatureSecret: box.seal(SECRET, '1'),
      previousSecret: null,
      previousSecretExpiresAt: null,
      signatureChangedAt: null,
      createdAt: new Date(),
    } as unknown as Webhook,
    box,
    certificates,
  );

const HEADERS = { 'x-github-delivery': 'd-1' };

const idOf = (delivery: ReturnType<typeof deliveryIdIn>, isUnverified: boolean) =>
  eventIdFor('1', { delivery, isUnverified, raw: '{}' });

test('an unverified event never has the id of a verified one, and a redelivery has the same', () => {
  const delivery = deliveryIdIn(HEADERS);
  expect(idOf(delivery, false)).toBe(idOf(delivery, false));
  expect(idOf(delivery, true)).toBe(idOf(delivery, true));
  expect(idOf(delivery, true)).not.toBe(idOf(delivery, false));
  expect(idOf(null, false)).not.toBe(idOf(null, false));
});

test('the body is the delivery id of sources whose bodies are unique, and of no others', () => {
  const unique = presets.filter(({ hasUniqueBodies }) => hasUniqueBodies).map(({ name }) => name);
  expect(unique.sort()).toEqual(['circleci', 'linear', 'pagerduty', 'slack', 'stripe', 'vercel']);
  for (const name of unique) {
    const check = checkOf(name);
    const id = check.deliveryId(HEADERS, BODY);
    expect(id).toEqual({ name: 'body', value: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(check.deliveryId({}, BODY)).toEqual(id);
    expect(check.deliveryId({}, Buffer.from('{"a":2}'))).not.toEqual(id);
  }
  expect(checkOf('github').deliveryId(HEADERS, BODY)).toEqual({ name: 'x-github-delivery', value: 'd-1' });
});

test('the delivery id of Amazon SNS is the one that is signed', () => {
  const message = { Type: 'Notification', MessageId: 'm-1', TopicArn: 't', Message: 'x', Timestamp: 't' };
  const signed = { ...message, SignatureVersion: '2', Signature: 's', SigningCertURL: 'u' };
  const id = checkOf('aws-sns').deliveryId(
    { 'x-amz-sns-message-id': 'other' },
    Buffer.from(JSON.stringify(signed)),
  );
  expect(id).toEqual({ name: 'x-amz-sns-message-id', value: 'm-1' });
});
