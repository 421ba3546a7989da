import { describe, expect, test } from '@jest/globals';
import { newSecret, signatureHeaders } from '../../../api/console/integrations/test/event/sign-event.js';
import { isStrongSecret } from '../../../api/intake/signature/families/standard-webhooks.js';
import type { SignatureParameters } from '../../../api/intake/signature/parameters.js';
import { findPreset, presets, type SignaturePreset } from '../../../api/intake/signature/presets/index.js';
import { verifierOf } from '../../../api/intake/signature/verifier.js';
import { presentPreset } from '../../../api/routes/webhooks/signature-presets.js';
import { SnsCertificates } from '../../../api/sns/sns-certificates.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';

const BODY = '{"größe":"12 €","big":12345678901234567890,"text":"$& {timestamp}"}';
const now = () => Math.floor(Date.now() / 1_000);
const SECRETS = [
  'a secret of some length',
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'base64butnotpaddedA',
  'fiveAndTwentyCharactersAA',
  'ключ ключ ключ ключ',
  `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`,
];

const certificates = new SnsCertificates(new OutboundClient());

async function sign(scheme: string, secret: string | null, parameters: SignatureParameters = {}) {
  const preset = presentPreset(findPreset(scheme) as SignaturePreset);
  const headers = await signatureHeaders({ scheme, secret, parameters }, preset, BODY, {
    id: 'test_1',
    at: now(),
  });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function verdict(
  scheme: string,
  secret: string,
  headers: Record<string, string>,
  { parameters = {}, body = BODY }: { parameters?: SignatureParameters; body?: string } = {},
) {
  const preset = findPreset(scheme) as SignaturePreset;
  return verifierOf(preset.scheme, parameters, secret, certificates)({ headers, body: Buffer.from(body) });
}

describe.each(['github', 'standard-webhooks'])('an event signed in the browser for %s', (scheme) => {
  test.each(SECRETS)('is accepted by the intake, and another body is not: %s', async (secret) => {
    const headers = await sign(scheme, secret);
    expect(verdict(scheme, secret, headers)).toBe('verified');
    expect(verdict(scheme, secret, headers, { body: `${BODY} ` })).toBe('wrong_signature');
    expect(verdict(scheme, `another ${secret}`, headers)).toBe('wrong_signature');
  });

  test('has no headers if the secret is not readable', async () => {
    expect(await sign(scheme, null)).toEqual({});
  });
});

const WITH_PARAMETERS: [string, SignatureParameters][] = [
  ['grafana', { timestampHeader: 'x-grafana-timestamp' }],
  ['header-token', { header: 'x-token', prefix: 'Token ' }],
  ['basic', { username: 'größe' }],
  ['custom', { header: 'x-a', hash: 'sha512', encoding: 'base64', secretEncoding: 'hex' }],
  [
    'custom',
    {
      header: 'x-a',
      prefix: 'v1=',
      separator: ',',
      timestampPrefix: 't=',
      signedContent: '{timestamp}{body}',
    },
  ],
  [
    'custom',
    {
      header: 'x-a',
      timestampHeader: 'x-t',
      timestampUnit: 'milliseconds',
      signedContent: '{body}|{timestamp}',
      secretEncoding: 'base64',
    },
  ],
];
const WITHOUT_PARAMETERS: [string, SignatureParameters][] = presets
  .filter(({ scheme, required }) => required.length === 0 && !scheme.family.includes('ed25519'))
  .map(({ name }) => [name, {}]);

test.each([...WITHOUT_PARAMETERS, ...WITH_PARAMETERS])(
  'an event signed in the browser for %s with %j is accepted by the intake',
  async (scheme, parameters) => {
    const secret = 'abcdef0123456789abcdef0123456789';
    const headers = await sign(scheme, secret, parameters);
    expect(verdict(scheme, secret, headers, { parameters })).toBe('verified');
    expect(verdict(scheme, secret.replace('a', 'b'), headers, { parameters })).toBe('wrong_signature');
  },
);

test.each(['discord', 'standard-webhooks-ed25519', 'aws-sns'])(
  'no event can be signed for %s, because only the source has the private key',
  async (scheme) => {
    expect(await sign(scheme, '4d5e7cc88b123652'.repeat(4))).toEqual({});
  },
);

test('a secret generated in the browser is strong enough and different each time', () => {
  const secrets = new Set(Array.from({ length: 50 }, newSecret));
  expect(secrets.size).toBe(50);
  for (const secret of secrets) expect(isStrongSecret(secret)).toBe(true);
});
