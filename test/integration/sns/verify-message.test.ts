import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SnsCertificates } from '../../../api/sns/sns-certificates.js';
import { readSnsMessage, type SnsMessage } from '../../../api/sns/sns-message.js';
import { verifySnsMessage } from '../../../api/sns/verify-message.js';
import {
  confirmation,
  createCertificate,
  notification,
  SNS_HOST,
  type SnsServer,
  startSnsServer,
} from '../../support/sns/sns-server.js';

let sns: SnsServer;
let certificates: SnsCertificates;
beforeAll(async () => {
  sns = await startSnsServer();
});
beforeEach(() => {
  certificates = new SnsCertificates(sns.https);
});
afterAll(() => sns.stop());

const verify = (message: SnsMessage) => verifySnsMessage(message, certificates);
const signed: [string, () => SnsMessage][] = [
  ['a notification', () => sns.sign(notification)],
  ['a notification without a subject', () => sns.sign({ ...notification, Subject: undefined })],
  ['a confirmation', () => sns.sign(confirmation)],
  [
    'the end of a subscription',
    () => sns.sign({ ...confirmation, Type: 'UnsubscribeConfirmation' as const }),
  ],
  ['a notification with SHA-1', () => sns.sign({ ...notification, SignatureVersion: '1' as const })],
];

test.each(signed)('accepts %s that SNS signed, as it arrives in JSON', async (_, message) => {
  const arrived = readSnsMessage(JSON.parse(JSON.stringify(message())));
  expect(await verify(arrived as SnsMessage)).toEqual({ isVerified: true });
});

test.each(['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn'])(
  'rejects a message whose %s was changed',
  async (property) => {
    const message = { ...sns.sign(confirmation), [property]: 'changed' };
    expect(await verify(message)).toMatchObject({ isVerified: false, code: 'invalid_signature' });
  },
);

test('rejects a changed type, an added subject, another key, another hash, and what is not base64', async () => {
  const forged = await createCertificate();
  for (const message of [
    { ...sns.sign(confirmation), Type: 'UnsubscribeConfirmation' as const },
    { ...sns.sign({ ...notification, Subject: undefined }), Subject: 'added' },
    sns.sign(notification, forged.key),
    { ...sns.sign(notification), SignatureVersion: '1' as const },
    { ...notification, Signature: '' },
    { ...notification, Signature: '\u0000 <no base64>' },
  ])
    expect(await verify(message)).toMatchObject({ isVerified: false, code: 'invalid_signature' });
});

test.each([
  'https://sns.eu-central-1.amazonaws.com.evil.test/SimpleNotificationService-1.pem',
  'https://evil.test/SimpleNotificationService-1.pem',
  'https://sns.eu-central-1.amazonaws.com@evil.test/SimpleNotificationService-1.pem',
  'https://evil@sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
  'https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-1.pem',
  'https://sns.eu-central-1.amazonaws.com\\@evil.test/SimpleNotificationService-1.pem',
  'https://evil-sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
  'https://sns.evil.test.amazonaws.com/SimpleNotificationService-1.pem',
  'https://s3.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
  'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
  'https://sns.eu-central-1.amazonaws.com/bucket/SimpleNotificationService-1.pem',
  'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem?Action=x',
  'https://sns.eu-central-1.amazonaws.com/?Action=SimpleNotificationService-1.pem',
  'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem%2f..%2fx',
  'https://127.0.0.1/SimpleNotificationService-1.pem',
  'https://[::1]/SimpleNotificationService-1.pem',
  '',
])('fetches no certificate from %s', async (SigningCertURL) => {
  const before = sns.requests.length;
  const verdict = await verify({ ...sns.sign(notification), SigningCertURL });
  expect(verdict).toMatchObject({ isVerified: false, code: 'invalid_certificate' });
  expect(sns.requests).toHaveLength(before);
});

test('fetches a certificate once for messages that arrive together', async () => {
  const before = sns.requests.length;
  const message = sns.sign(notification);
  await Promise.all(Array.from({ length: 10 }, () => verify(message)));
  await verify(message);
  expect(sns.requests.length - before).toBe(1);
});

const served: [string, string, () => Promise<string>][] = [
  ['expired', 'valid from', async () => (await expired()).cert],
  ['not valid yet', 'valid from', async () => (await future()).cert],
  [
    'issued to somebody else',
    'issued to Amazon',
    async () => (await createCertificate({ name: 'sns.amazonaws.com.evil.test' })).cert,
  ],
  [
    'repeated in an error message',
    'PEM certificate',
    async () => `<Error>${(await createCertificate()).cert}</Error>`,
  ],
  ['broken', 'cannot be read', async () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
];
const hour = 3_600_000;
const expired = () =>
  createCertificate({ validFrom: new Date(Date.now() - 2 * hour), validTo: new Date(Date.now() - hour) });
const future = () =>
  createCertificate({ validFrom: new Date(Date.now() + hour), validTo: new Date(Date.now() + 2 * hour) });

test.each(served)('rejects a certificate that is %s', async (_, reason, body) => {
  const pem = await body();
  const path = '/SimpleNotificationService-ffff.pem';
  sns.respond(path, (_request, response) => void response.end(pem));
  const verdict = await verify({ ...sns.sign(notification), SigningCertURL: `https://${SNS_HOST}${path}` });
  expect(verdict).toEqual({
    isVerified: false,
    code: 'invalid_certificate',
    message: expect.stringContaining(reason),
  });
});

test('reports a certificate that cannot be fetched, and asks for it at most once per minute', async () => {
  const path = '/SimpleNotificationService-eeee.pem';
  sns.respond(path, (_, response) => void response.writeHead(503).end());
  const before = sns.requests.length;
  const message = { ...sns.sign(notification), SigningCertURL: `https://${SNS_HOST}${path}` };
  for (let attempt = 0; attempt < 3; attempt += 1)
    expect(await verify(message)).toMatchObject({ isVerified: false, code: 'certificate_unavailable' });
  expect(sns.requests.length - before).toBe(1);
});

test('fetches at most four certificates at the same time', async () => {
  const messages = Array.from({ length: 10 }, (_, number) => {
    const path = `/SimpleNotificationService-slow${number}.pem`;
    sns.respond(path, (_request, response) => void setTimeout(() => response.writeHead(404).end(), 200));
    return { ...sns.sign(notification), SigningCertURL: `https://${SNS_HOST}${path}` };
  });
  const verdicts = await Promise.all(messages.map(verify));
  const codes = verdicts.map((verdict) => (verdict.isVerified ? '' : verdict.code));
  expect(codes.filter((code) => code === 'certificate_unavailable')).toHaveLength(6);
});

test.each([
  null,
  [],
  'text',
  {},
  { ...confirmation, Token: undefined },
  { ...confirmation, TopicArn: 7 },
  { ...confirmation, SignatureVersion: '3' },
  { ...confirmation, Type: 'Other' },
  { ...confirmation, SubscribeURL: 'x'.repeat(2_001) },
])('reads no message from a payload of another shape: %#', (payload) => {
  expect(readSnsMessage(payload)).toBeNull();
});
