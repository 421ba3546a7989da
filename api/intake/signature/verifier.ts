import type { SnsCertificates } from '../../sns/sns-certificates.js';
import { type TokenScheme, verifyBasic, verifyToken } from './families/credentials.js';
import { verifyEd25519 } from './families/ed25519.js';
import { type HmacScheme, hasTimestamp, verifyHmac } from './families/hmac.js';
import { verifySns } from './families/sns.js';
import { verifyStandardWebhooks, verifyStandardWebhooksEd25519 } from './families/standard-webhooks.js';
import type { SignatureParameters } from './parameters.js';
import type { PresetScheme } from './presets/preset.js';
import type { Verify } from './verdict.js';

/** Returns the verifier of a scheme with an integration's parameters and one secret. A scheme without a secret ignores it. */
export function verifierOf(
  scheme: PresetScheme,
  parameters: SignatureParameters,
  secret: string,
  certificates: SnsCertificates,
): Verify {
  switch (scheme.family) {
    case 'standard-webhooks':
      return verifyStandardWebhooks(secret);
    case 'standard-webhooks-ed25519':
      return verifyStandardWebhooksEd25519(secret);
    case 'hmac':
      return verifyHmac(withParameters(scheme.hmac, parameters), secret);
    case 'ed25519':
      return verifyEd25519(scheme.ed25519, secret);
    case 'token':
      return verifyToken({ ...scheme.token, ...(given(parameters) as Partial<TokenScheme>) }, secret);
    case 'basic':
      return verifyBasic(parameters.username ?? '', secret);
    case 'sns':
      return verifySns(parameters.topicArn ?? '', certificates);
  }
}

/**
 * Returns an HMAC scheme with an integration's parameters. Without a timestamp, the body alone is signed: Grafana signs
 * `timestamp:body` only if a header for the timestamp is configured.
 */
export function withParameters(hmac: HmacScheme, parameters: SignatureParameters): HmacScheme {
  const merged = { ...hmac, ...given(parameters) } as HmacScheme;
  if (parameters.header !== undefined) merged.otherHeader = null;
  if (hasTimestamp(merged) || parameters.signedContent !== undefined) return merged;
  return { ...merged, signedContent: '{body}' };
}

const given = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
