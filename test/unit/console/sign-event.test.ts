import { describe, expect, test } from '@jest/globals';
import { newSecret, signatureHeaders } from '../../../api/console/integrations/test/event/sign-event.js';
import { isStrongSecret } from '../../../api/intake/signature/families/standard-webhooks.js';
import { findPreset, type SignaturePreset } from '../../../api/intake/signature/presets/index.js';
import { verifierOf } from '../../../api/intake/signature/verifier.js';
import { HttpsClient } from '../../../api/outbound/https-client.js';
import { SnsCertificates } from '../../../api/sns/sns-certificates.js';

const BODY = '{"größe":"12 €","big":12345678901234567890}';
const now = () => Math.floor(Date.now() / 1_000);
const SECRETS = [
  'a secret of some length',
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'base64butnotpaddedA',
  'fiveAndTwentyCharactersAA',
  'ключ ключ ключ ключ',
  `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`,
];

const isSigned = (scheme: string, secret: string, headers: Record<string, string>, body: Buffer) => {
  const preset = findPreset(scheme) as SignaturePreset;
  return (
    verifierOf(preset.scheme, {}, secret, new SnsCertificates(new HttpsClient()))({ headers, body }) ===
    'verified'
  );
};

describe.each(['github', 'standard-webhooks'] as const)('an event signed in the browser for %s', (scheme) => {
  test.each(SECRETS)('is accepted by the intake, and another body is not: %s', async (secret) => {
    const headers = await signatureHeaders({ scheme, secret }, BODY, { id: 'test_1', at: now() });
    const received = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(isSigned(scheme, secret, received, Buffer.from(BODY))).toBe(true);
    expect(isSigned(scheme, secret, received, Buffer.from(`${BODY} `))).toBe(false);
    expect(isSigned(scheme, `another ${secret}`, received, Buffer.from(BODY))).toBe(false);
  });

  test('has no headers if the secret is not readable', async () => {
    expect(await signatureHeaders({ scheme, secret: null }, BODY, { id: 'test_1', at: now() })).toEqual({});
  });
});

test('a secret generated in the browser is strong enough and different each time', () => {
  const secrets = new Set(Array.from({ length: 50 }, newSecret));
  expect(secrets.size).toBe(50);
  for (const secret of secrets) expect(isStrongSecret(secret)).toBe(true);
});
